/*
 * initial_values.cpp - see initial_values.h
 */
#include "join/initial_values.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>

using namespace llvm;

namespace {

bool has_label(const Constant &c, SmallPtrSetImpl<const Constant *> &seen)
{
	if (isa<BlockAddress>(c))
		return true;
	if (isa<GlobalValue>(c) || !seen.insert(&c).second)
		return false;
	return any_of(c.operands(), [&](const Use &u) {
		return has_label(*cast<Constant>(u), seen);
	});
}

bool has_label(const Constant &c)
{
	SmallPtrSet<const Constant *, 16> seen;

	return has_label(c, seen);
}

} /* namespace */

void cofl_initial_values_forget(Module &joined)
{
	for (GlobalVariable &g : joined.globals())
		/* LLVM's own lists are those that are appended to. */
		if (g.hasInitializer() && !g.isConstant() &&
		    !g.hasAppendingLinkage() && !has_label(*g.getInitializer()))
			g.setInitializer(
				Constant::getNullValue(g.getValueType()));
}
