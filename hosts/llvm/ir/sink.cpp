/*
 * sink.cpp - copies of constant offsets, a block each; see sink.h
 */
#include "ir/sink.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

#define PASSES 8	/* offsets of offsets of offsets ... */

/* base + constant, one address. */
static bool is_offset(const Instruction &i)
{
	auto *gep = dyn_cast<GetElementPtrInst>(&i);

	return gep && gep->getType()->isPointerTy() &&
	       gep->hasAllConstantIndices();
}

/* Returns whether anything changed. */
static bool sink(Instruction &offset)
{
	SmallDenseMap<BasicBlock *, Instruction *> copies; /* by block */
	bool changed = false;

	for (Use &u : make_early_inc_range(offset.uses())) {
		auto *user = cast<Instruction>(u.getUser());
		auto *phi = dyn_cast<PHINode>(user);
		BasicBlock *b = phi ? phi->getIncomingBlock(u) :
				      user->getParent();

		if (b == offset.getParent())
			continue;
		Instruction *&copy = copies[b];

		if (copy == nullptr) {
			copy = offset.clone();
			copy->insertInto(b, b->getFirstInsertionPt());
		}
		u.set(copy);
		changed = true;
	}
	if (offset.use_empty())
		offset.eraseFromParent();
	return changed;
}

void cofl_sink(LLVMValueRef f)
{
	bool changed = true;

	for (int pass = 0; changed && pass < PASSES; pass++) {
		changed = false;
		for (BasicBlock &b : *unwrap<Function>(f))
			for (Instruction &i : make_early_inc_range(b))
				if (is_offset(i))
					changed |= sink(i);
	}
}
