/*
 * stack_switches.cpp - see stack_switches.h
 */
#include "join/stack_switches.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "join/effects.h"

using namespace llvm;

namespace {

/* libc's, and Boost's. */
const char *const switches[] = {
	"makecontext", "setcontext", "swapcontext", "jump_fcontext",
	"make_fcontext", "ontop_fcontext",
};

bool has_switches(const Module &m)
{
	for (const char *name : switches)
		if (m.getFunction(name) != nullptr)
			return true;
	return false;
}

bool is_thread_local(const Value &v)
{
	auto *g = dyn_cast<GlobalValue>(&v);
	auto *c = dyn_cast<ConstantExpr>(&v);

	if (g != nullptr)
		return g->isThreadLocal();
	if (c != nullptr)
		for (const Use &u : c->operands())
			if (is_thread_local(*u))
				return true;
	return false;
}

bool uses_thread_local(Function &f)
{
	for (Instruction &i : instructions(f))
		for (const Use &u : i.operands())
			if (is_thread_local(*u))
				return true;
	return false;
}

} /* namespace */

void cofl_stack_switches_keep(Module &joined)
{
	SetVector<Function *> apart;

	if (!has_switches(joined))
		return;
	for (Function &f : joined)
		if (!f.hasFnAttribute(Attribute::AlwaysInline) &&
		    uses_thread_local(f)) {
			f.addFnAttr(Attribute::NoInline);
			apart.insert(&f);
		}
	cofl_effects_forget(apart);
}
