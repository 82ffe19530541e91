/*
 * join.cpp - see join.h
 */
#include "module/join.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "module/piece.h"
#include "module/places.h"

using namespace llvm;

namespace {

/* Keeps the first error. */
struct first_error : DiagnosticHandler {
	explicit first_error(std::string &to) : said(to) {}
	bool handleDiagnostics(const DiagnosticInfo &info) override
	{
		if (info.getSeverity() == DS_Error && said.empty()) {
			raw_string_ostream out(said);
			DiagnosticPrinterRawOStream printer(out);

			info.print(printer);
		}
		return true;
	}
	std::string &said;
};

/* What the constructor of crtfastmath.o does, which compilers link with
 * -ffast-math: numbers that are next to 0 are 0. */
void add_fast_math(Module &m)
{
	LLVMContext &context = m.getContext();
	IRBuilder<> to(context);
	auto *f = Function::Create(FunctionType::get(to.getVoidTy(), false),
				   GlobalValue::InternalLinkage,
				   "cof.set_fast_math", m);

	to.SetInsertPoint(BasicBlock::Create(context, "", f));
	auto *word = to.CreateAlloca(to.getInt32Ty());
	to.CreateIntrinsic(Intrinsic::x86_sse_stmxcsr, { word });
	to.CreateStore(to.CreateOr(to.CreateLoad(to.getInt32Ty(), word),
				   0x8040), word);
	to.CreateIntrinsic(Intrinsic::x86_sse_ldmxcsr, { word });
	to.CreateRetVoid();
	appendToGlobalCtors(m, f, 65535);
}

std::string text_of(Error e)
{
	return toString(std::move(e));
}

/* Link the pieces in their order. False: `said` has why. */
bool link(Module &all, const cofl_resolution &r, bool places, std::string &said)
{
	Linker linker(all);

	for (size_t i = 0; i < r.n_pieces; i++) {
		MemoryBufferRef bytes(StringRef(r.piece[i].bytes,
						r.piece[i].n_bytes), "");
		auto piece = getLazyBitcodeModule(bytes, all.getContext());

		if (!piece) {
			said = text_of(piece.takeError());
			return false;
		}
		if (i == 0) {
			all.setTargetTriple((*piece)->getTargetTriple());
			all.setDataLayout((*piece)->getDataLayout());
			if (r.fast_math)
				add_fast_math(all);
		}
		if (places)
			cofl_places_attach(**piece, r.piece[i]);
		if (Error e = cofl_piece_apply(**piece, r.piece[i])) {
			said = text_of(std::move(e));
			return false;
		}
		if (linker.linkInModule(std::move(*piece)))
			return false;
	}
	return true;
}

/* Names that the executable exports, or that the host looks for. */
bool add_others(Module &all, const cofl_resolution &r, std::string &said)
{
	for (size_t i = 0; i < r.n_others; i++) {
		GlobalValue *of = all.getNamedValue(r.other[i].of);
		GlobalValue *old = all.getNamedValue(r.other[i].name);
		GlobalAlias *alias;

		if (of == nullptr || of == old)
			continue;
		if (old != nullptr && !old->isDeclaration()) {
			said = std::string("two definitions of ") +
			       r.other[i].name;
			return false;
		}
		if (old != nullptr)
			old->setName("");
		alias = GlobalAlias::create(of->getValueType(), 0,
					    GlobalValue::ExternalLinkage,
					    r.other[i].name, of, &all);
		if (old != nullptr) {
			old->replaceAllUsesWith(alias);
			old->eraseFromParent();
		}
	}
	return true;
}

void *copy_of(StringRef bytes)
{
	void *copy = malloc(bytes.size());

	return copy == nullptr ? nullptr :
	       memcpy(copy, bytes.data(), bytes.size());
}

void make_addresses(Module &all, const cofl_resolution &r,
		    cofl_join_addresses &to)
{
	std::string bytes = cofl_places_table(all, r);

	cofl_places_detach(all);
	to.n = bytes.size();
	to.bytes = copy_of(bytes);
	memcpy(to.lacks, r.lacks, sizeof(to.lacks));
}

} /* namespace */

void *cofl_join(const cofl_resolution *r, size_t *n_joined,
		cofl_join_addresses *addresses, char *why, size_t why_bytes)
{
	std::string said;
	LLVMContext context;
	SmallString<0> bytes;
	raw_svector_ostream to(bytes);
	void *joined = nullptr;

	context.setDiagnosticHandler(std::make_unique<first_error>(said));
	Module all("joined", context);
	if (link(all, *r, addresses != nullptr, said) &&
	    add_others(all, *r, said)) {
		if (addresses != nullptr)
			make_addresses(all, *r, *addresses);
		WriteBitcodeToFile(all, to);
		joined = copy_of(bytes);
	}
	if (joined == nullptr) {
		snprintf(why, why_bytes, "its bitcode cannot be joined: %s",
			 said.empty() ? "damaged" : said.c_str());
		return nullptr;
	}
	*n_joined = bytes.size();
	return joined;
}
