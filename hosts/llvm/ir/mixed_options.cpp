/*
 * mixed_options.cpp - attributes, and operations kept apart; see
 * mixed_options.h
 */
#include "ir/mixed_options.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

/* AVX-512 has fused operations too. */
static bool has_fma(const Function &f)
{
	StringRef features = f.getFnAttribute("target-features")
			      .getValueAsString();

	return features.contains("+fma") || features.contains("+avx512f");
}

/* Is it one operation where the processor has that? */
static bool may_be_fused(const IntrinsicInst &i)
{
	return i.getIntrinsicID() == Intrinsic::fmuladd ||
	       i.getIntrinsicID() ==
		       Intrinsic::experimental_constrained_fmuladd;
}

static void split(IntrinsicInst &i)
{
	IRBuilder<> builder(&i);
	Value *product, *sum;

	if (auto *strict = dyn_cast<ConstrainedFPIntrinsic>(&i)) {
		builder.setIsFPConstrained(true);
		builder.setDefaultConstrainedRounding(
			strict->getRoundingMode()
				.value_or(RoundingMode::Dynamic));
		builder.setDefaultConstrainedExcept(
			strict->getExceptionBehavior()
				.value_or(fp::ebStrict));
	}
	builder.setFastMathFlags(i.getFastMathFlags());
	product = builder.CreateFMul(i.getArgOperand(0), i.getArgOperand(1));
	sum = builder.CreateFAdd(product, i.getArgOperand(2));
	for (Value *made : { product, sum })
		if (auto *new_one = dyn_cast<Instruction>(made))
			new_one->copyMetadata(i);
	i.replaceAllUsesWith(sum);
	i.eraseFromParent();
}

/* -ffp-contract=fast lets two operations become one as well. */
static void keep_apart(Function &f)
{
	for (Instruction &i : make_early_inc_range(instructions(f))) {
		auto *call = dyn_cast<IntrinsicInst>(&i);

		if (isa<FPMathOperator>(i))
			i.setHasAllowContract(false);
		if (call && may_be_fused(*call))
			split(*call);
	}
}

/* What there is in the bodies of a module. */
struct kinds {
	bool no_red_zone, fma;
	bool finite, any_number;	/* operations with and without NaNs */
	bool pushes;
};

/* May it be one of these words' assembly? */
static bool assembly_has(const Instruction &i, ArrayRef<StringRef> words)
{
	auto *call = dyn_cast<CallBase>(&i);
	auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) :
			    nullptr;

	return text != nullptr && any_of(words, [&](StringRef word) {
		return StringRef(text->getAsmString()).contains(word);
	});
}

static void look_at(const Instruction &i, kinds &k)
{
	k.pushes |= assembly_has(i, { "push", "pop", "call", "sp" });
	if (!isa<FPMathOperator>(i))
		return;
	if (i.hasNoNaNs() || i.hasNoInfs())
		k.finite = true;
	else
		k.any_number = true;
}

static kinds kinds_of(const Module &module)
{
	kinds k = {};

	for (const Function &f : module) {
		k.no_red_zone |= f.hasFnAttribute(Attribute::NoRedZone);
		k.fma |= !f.isDeclaration() && has_fma(f);
		for (const Instruction &i : instructions(f))
			look_at(i, k);
	}
	return k;
}

template <typename called> static void allow_any_number(called &f)
{
	f.removeRetAttr(Attribute::NoFPClass);
	for (unsigned i = 0; i < f.arg_size(); i++)
		f.removeParamAttr(i, Attribute::NoFPClass);
}

static void allow_any_number_in(Function &f)
{
	allow_any_number(f);
	for (Instruction &i : instructions(f)) {
		if (isa<FPMathOperator>(i)) {
			i.setHasNoNaNs(false);
			i.setHasNoInfs(false);
		}
		if (auto *call = dyn_cast<CallBase>(&i))
			allow_any_number(*call);
	}
}

/* What it calls keeps its stack aligned. */
static void inline_nothing_into(Function &f)
{
	for (Instruction &i : instructions(f))
		if (auto *call = dyn_cast<CallBase>(&i);
		    call && !call->isInlineAsm() && !isa<IntrinsicInst>(i))
			call->addFnAttr(Attribute::NoInline);
}

static bool has_calling_assembly(const Function &f)
{
	return any_of(instructions(f), [](const Instruction &i) {
		return assembly_has(i, { "call" });
	});
}

static void agree(Function &f, const kinds &k)
{
	if (k.no_red_zone || k.pushes)
		f.addFnAttr(Attribute::NoRedZone);
	if (k.fma && !has_fma(f))
		keep_apart(f);
	if (k.finite && k.any_number)
		allow_any_number_in(f);
	if (has_calling_assembly(f))
		inline_nothing_into(f);
}

void cofl_mixed_options_agree(LLVMModuleRef wrapped)
{
	Module &module = *unwrap(wrapped);
	kinds k = kinds_of(module);

	for (Function &f : module)
		if (!f.isDeclaration())
			agree(f, k);
		else if (k.finite && k.any_number)
			allow_any_number(f);
}
