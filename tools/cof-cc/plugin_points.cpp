/*
 * plugin_points.cpp - see plugin_points.h
 *
 *	header: PHIs
 *	        callbr (the point) ---> rest of the header
 *	           |                       ^
 *	         leave: word.arrived += 1; word.go == 0
 *	           |
 *	         gone: store what is alive; return word.go(buffer)
 *
 * As points/osr_point.c does it for the code of units.
 */
#include "plugin_points.h"

#include <vector>

#include <llvm/ADT/SmallString.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Mangler.h>
#include <llvm/Support/raw_ostream.h>

extern "C" {
#include "hosts/llvm/ir/llvm_shim.h"
#include "hosts/llvm/ir/loops.h"
#include "hosts/llvm/ir/sink.h"
#include "hosts/llvm/points/osr_entry.h"
#include "hosts/llvm/points/osr_sparse.h"
#include "hosts/llvm/support/native_points.h"
}

using namespace llvm;

namespace {

class points {
public:
	points(Function &function, unsigned number);
	~points() { cofl_osr_entry_free(&osr); }
	bool add();
	std::string entry_name() const;

private:
	GlobalVariable *add_words();
	Constant *add_labels();
	void add(uint32_t loop);
	CallBrInst *end_head(BasicBlock *head, uint32_t loop, BasicBlock *rest,
			     BasicBlock *leave);
	void leave_by(IRBuilder<> &to, uint32_t loop, Value *go);
	std::string record(uint32_t loop) const;

	Function &f;
	unsigned n;		/* of the function in the module */
	cofl_osr_entries osr = {};
	StructType *word;
	GlobalVariable *words = nullptr;
	Constant *labels = nullptr;
	AllocaInst *buffer = nullptr;
};

/* -- Which functions ------------------------------------------------------- */

/* Conventions in which a frame cannot call, or restores more than calls do. */
bool can_call(const Function &f)
{
	switch (f.getCallingConv()) {
	case CallingConv::C:
	case CallingConv::Fast:
	case CallingConv::Cold:
	case CallingConv::X86_64_SysV:
		return !f.hasFnAttribute("no_caller_saved_registers");
	default:
		return false;
	}
}

bool has_loops(const Function &f)
{
	SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 16> back;

	FindFunctionBackedges(f, back);
	return !back.empty();
}

bool is_candidate(const Function &f)
{
	return !f.isDeclarationForLinker() && can_call(f) &&
	       !f.hasFnAttribute(Attribute::OptimizeNone) &&
	       !f.hasFnAttribute(Attribute::Naked) && has_loops(f);
}

/* -- Assembly -------------------------------------------------------------- */

/* A name in quotes; in the text of an instruction `$` means something else. */
std::string quoted(StringRef name, bool in_instruction)
{
	std::string to = "\"";

	for (char c : name) {
		if (c == '"' || c == '\\')
			to += '\\';
		if (c == '$' && in_instruction)
			to += '$';
		to += c;
	}
	return to + '"';
}

/* A local name for the function's own entry, which stays what it is when the
 * linker takes another definition. */
std::string points::entry_name() const
{
	return ".Lcof.entry" + std::to_string(n);
}

/* The record goes with the function: a linker that discards one of two copies
 * discards both. */
std::string points::record(uint32_t loop) const
{
	std::string text;
	raw_string_ostream to(text);

	to << "771:\t.byte 0xa9\n\t.long ${1:l}-.-4\n\t.pushsection "
	      COFL_SECTION_POINTS;
	if (const Comdat *group = f.getComdat())
		to << ",\"G\",@progbits," << quoted(group->getName(), true)
		   << ",comdat\n";
	else
		to << ",\"\",@progbits\n";
	to << "\t.quad 771b\n\t.quad " << entry_name()
	   << "\n\t.quad ${0:c}\n\t.long " << loop << ", "
	   << osr.loops.n_loops << "\n\t.popsection";
	return text;
}

/* -- Points ---------------------------------------------------------------- */

points::points(Function &function, unsigned number)
	: f(function), n(number)
{
	LLVMContext &context = f.getContext();

	word = StructType::get(PointerType::get(context, 0),
			       Type::getInt64Ty(context));
	cofl_sink(wrap(&f));
	cofl_osr_entry_find(&osr, wrap(&f), wrap(&f.getDataLayout()));
	/* Outer loops alone; docs/lab/native.md has what the others cost. */
	cofl_osr_sparse(&osr, nullptr, 0);
}

GlobalVariable *points::add_words()
{
	auto *type = ArrayType::get(word, osr.loops.n_loops);
	auto *g = new GlobalVariable(*f.getParent(), type, false,
				     GlobalValue::PrivateLinkage,
				     Constant::getNullValue(type),
				     "cof.osr.words");

	g->setAlignment(Align(16));
	g->setComdat(f.getComdat());
	return g;
}

/* The blockaddresses in this code, in the order of targets. */
Constant *points::add_labels()
{
	auto *pointer = PointerType::get(f.getContext(), 0);
	std::vector<Constant *> label;

	if (osr.n_targets == 0)
		return nullptr;
	for (uint32_t i = 0; i < osr.n_targets; i++)
		label.push_back(BlockAddress::get(&f, unwrap(osr.target[i])));
	auto *type = ArrayType::get(pointer, label.size());
	auto *g = new GlobalVariable(*f.getParent(), type, true,
				     GlobalValue::PrivateLinkage,
				     ConstantArray::get(type, label),
				     "cof.osr.labels");

	g->setComdat(f.getComdat());
	return g;
}

CallBrInst *points::end_head(BasicBlock *head, uint32_t loop, BasicBlock *rest,
			     BasicBlock *leave)
{
	auto *type = FunctionType::get(Type::getVoidTy(f.getContext()),
				       words->getType(), false);

	return CallBrInst::Create(
		type, InlineAsm::get(type, record(loop),
				     "i,!i,~{dirflag},~{fpsr},~{flags}", true),
		rest, leave, words, "", head);
}

/* Store what is alive, call the continuation, return its result. */
void points::leave_by(IRBuilder<> &to, uint32_t loop, Value *go)
{
	auto store = [&](Value *v, uint32_t offset) {
		auto *s = to.CreateStore(v, to.CreateConstInBoundsGEP1_32(
			to.getInt8Ty(), buffer, offset));

		if (s->getAlign() > Align(COFL_OSR_ENTRY_ALIGN))
			s->setAlignment(Align(COFL_OSR_ENTRY_ALIGN));
	};
	const cofl_loop &l = osr.loops.loop[loop];

	if (labels != nullptr)
		store(labels, 0);
	for (uint32_t i = 0; i < l.n_live; i++)
		store(unwrap(l.live[i]), osr.entry[loop].offset[i]);
	auto *type = FunctionType::get(f.getReturnType(), buffer->getType(),
				       false);
	Value *v = to.CreateCall(type, go, buffer);

	if (f.getReturnType()->isVoidTy())
		to.CreateRetVoid();
	else
		to.CreateRet(v);
}

void points::add(uint32_t loop)
{
	LLVMContext &context = f.getContext();
	BasicBlock *rest = unwrap(osr.loops.block[osr.loops.loop[loop].header]);
	Instruction *at = &*rest->getFirstNonPHIIt();
	DebugLoc place = at->getDebugLoc();
	BasicBlock *head = unwrap(cofl_llvm_shim_split(wrap(at)));
	auto *leave = BasicBlock::Create(context, "", &f);
	auto *gone = BasicBlock::Create(context, "", &f);
	auto *number = Type::getInt64Ty(context);

	end_head(head, loop, rest, leave)->setDebugLoc(place);

	IRBuilder<> to(leave);

	to.SetCurrentDebugLocation(place);
	auto *of_loop = to.CreateConstInBoundsGEP1_32(word, words, loop);
	auto *arrived = to.CreateStructGEP(word, of_loop, 1);

	to.CreateStore(to.CreateAdd(to.CreateLoad(number, arrived),
				    to.getInt64(1)), arrived);
	auto *go = to.CreateLoad(to.getPtrTy(), of_loop);

	/* Pairs with the release in cofl_osr_points_lead(). */
	go->setAtomic(AtomicOrdering::Acquire);
	to.CreateCondBr(to.CreateIsNull(go), rest, gone);

	to.SetInsertPoint(gone);
	to.SetCurrentDebugLocation(place);
	leave_by(to, loop, go);
}

/* Without other variables the frame has no canary, and needs none: what is
 * stored into the buffer has its place there. */
void forbid_canary(Function &f)
{
	for (const BasicBlock &b : f)
		for (const Instruction &i : b)
			if (isa<AllocaInst>(i))
				return;
	f.removeFnAttr(Attribute::StackProtect);
	f.removeFnAttr(Attribute::StackProtectStrong);
}

/* False: it has none. */
bool points::add()
{
	uint32_t n_points = 0;

	for (uint32_t k = 0; k < osr.loops.n_loops; k++)
		n_points += osr.entry[k].possible;
	if (n_points == 0)
		return false;
	forbid_canary(f);
	words = add_words();
	labels = add_labels();

	BasicBlock &first = f.getEntryBlock();
	IRBuilder<> to(&first, first.begin());

	buffer = to.CreateAlloca(ArrayType::get(to.getInt8Ty(), osr.bytes));
	buffer->setAlignment(Align(COFL_OSR_ENTRY_ALIGN));
	for (uint32_t k = 0; k < osr.loops.n_loops; k++)
		if (osr.entry[k].possible)
			add(k);
	return true;
}

} /* namespace */

void plugin_points_add(Module &m)
{
	std::string text;
	raw_string_ostream to(text);
	Mangler mangler;
	unsigned n = 0;

	for (Function &f : m) {
		if (!is_candidate(f))
			continue;

		points p(f, n);
		SmallString<128> name;

		if (!p.add())
			continue;
		mangler.getNameWithPrefix(name, &f, false);
		to << "\t.set\t" << p.entry_name() << ','
		   << quoted(name, false) << '\n';
		n++;
	}
	m.appendModuleInlineAsm(text);
}
