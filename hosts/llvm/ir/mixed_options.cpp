/*
 * mixed_options.cpp - attributes, and operations kept apart; see
 * mixed_options.h
 */
#include "ir/mixed_options.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
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

void cofl_mixed_options_agree(LLVMModuleRef wrapped)
{
	Module &module = *unwrap(wrapped);
	bool no_red_zone = false, fma = false;

	for (const Function &f : module) {
		no_red_zone |= f.hasFnAttribute(Attribute::NoRedZone);
		fma |= !f.isDeclaration() && has_fma(f);
	}
	for (Function &f : module) {
		if (no_red_zone && !f.isDeclaration())
			f.addFnAttr(Attribute::NoRedZone);
		if (fma && !f.isDeclaration() && !has_fma(f))
			keep_apart(f);
	}
}
