/*
 * entry_code.cpp - see entry_code.h
 */
#include "join/entry_code.h"

#include <algorithm>

#undef PIC	/* libtool's macro is LLVM's parameter */
#include <llvm-c/Target.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/TargetParser/Triple.h>

extern "C" {
#include "support/section.h"
}
#include "support/linkage.h"

using namespace llvm;

namespace cofl {

struct entry_code::parts {
	Triple triple{ "x86_64-pc-linux-gnu" };
	MCTargetOptions options;
	const Target *target = nullptr;
	std::unique_ptr<MCRegisterInfo> registers;
	std::unique_ptr<MCAsmInfo> assembly;
	std::unique_ptr<MCSubtargetInfo> subtarget;
	std::unique_ptr<MCInstrInfo> instructions;
	std::unique_ptr<MCContext> context;
	std::unique_ptr<MCDisassembler> disassembler;

	parts();
	bool read(MCInst &inst, const uint8_t *code, uint64_t most,
		  uint64_t &length) const;
	bool runs_elsewhere(const MCInst &inst) const;
};

entry_code::parts::parts()
{
	std::string error;

	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86TargetMC();
	LLVMInitializeX86Disassembler();
	target = TargetRegistry::lookupTarget(triple, error);
	if (target == nullptr)
		return;
	registers.reset(target->createMCRegInfo(triple));
	assembly.reset(target->createMCAsmInfo(*registers, triple, options));
	/* Code for any processor. */
	subtarget.reset(target->createMCSubtargetInfo(triple, "", ""));
	instructions.reset(target->createMCInstrInfo());
	context = std::make_unique<MCContext>(triple, assembly.get(),
					      registers.get(),
					      subtarget.get());
	disassembler.reset(target->createMCDisassembler(*subtarget, *context));
}

bool entry_code::parts::read(MCInst &inst, const uint8_t *code, uint64_t most,
			     uint64_t &length) const
{
	return disassembler != nullptr &&
	       disassembler->getInstruction(inst, length, { code, most }, 0,
					    nulls()) ==
		       MCDisassembler::Success;
}

/* Does it neither jump nor refer to its own address? */
bool entry_code::parts::runs_elsewhere(const MCInst &inst) const
{
	const MCInstrDesc &desc = instructions->get(inst.getOpcode());

	if (desc.isBranch() || desc.isCall())
		return false;
	for (const MCOperand &operand : inst)
		if (operand.isReg() && operand.getReg() != 0 &&
		    StringRef(registers->getName(operand.getReg())) == "RIP")
			return false;
	return true;
}

entry_code::entry_code(const char *b, size_t n)
	: bytes(b), n_bytes(n), mc(std::make_unique<parts>())
{
}

entry_code::~entry_code() = default;

const uint8_t *entry_code::at(uint64_t address, uint64_t &most) const
{
	auto *h = reinterpret_cast<const Elf64_Ehdr *>(bytes);
	Elf64_Shdr s;

	for (uint32_t i = 1; i < h->e_shnum; i++) {
		if (!cofl_section_header(bytes, n_bytes, i, &s) ||
		    !(s.sh_flags & SHF_EXECINSTR) ||
		    s.sh_type == SHT_NOBITS || address < s.sh_addr ||
		    address - s.sh_addr >= s.sh_size)
			continue;
		most = std::min(most, s.sh_size - (address - s.sh_addr));
		return reinterpret_cast<const uint8_t *>(bytes) +
		       s.sh_offset + (address - s.sh_addr);
	}
	most = 0;
	return nullptr;
}

void entry_code::look(cofl_address &a) const
{
	uint64_t most = a.bytes, length = 0;
	uint64_t before = COFL_LINKAGE_PREFIX_BYTES;
	const uint8_t *code = at(a.address, most);
	const uint8_t *prefix = at(a.address - before, before);
	bool patchable = a.flags & COFL_ADDRESS_PATCHABLE;
	MCInst inst;

	a.flags &= uint16_t(~COFL_ADDRESS_PATCHABLE);
	if (code == nullptr || !mc->read(inst, code, most, length))
		return;
	if (mc->runs_elsewhere(inst))
		a.first_bytes = uint8_t(length);
	if (!patchable || length < 2 || a.address % 4 != 0 ||
	    prefix == nullptr || before != COFL_LINKAGE_PREFIX_BYTES)
		return;
	if (std::all_of(prefix, prefix + before, [](uint8_t byte) {
		    return byte == COFL_LINKAGE_PREFIX_BYTE; }))
		a.flags |= COFL_ADDRESS_PATCHABLE;
}

} /* namespace cofl */
