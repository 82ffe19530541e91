/*
 * effects.cpp - see effects.h
 */
#include "join/effects.h"

#include <llvm/IR/Instructions.h>

using namespace llvm;

void cofl_effects_forget(SetVector<Function *> &changed)
{
	for (size_t k = 0; k < changed.size(); k++) {
		Function *f = changed[k];

		f->removeFnAttr(Attribute::Memory);
		f->removeFnAttr(Attribute::NoSync);
		for (User *u : f->users()) {
			auto *call = dyn_cast<CallBase>(u);

			if (call == nullptr || call->getCalledOperand() != f)
				continue;
			call->removeFnAttr(Attribute::Memory);
			call->removeFnAttr(Attribute::NoSync);
			if (call->getFunction()->hasFnAttribute(
				    Attribute::Memory) ||
			    call->getFunction()->hasFnAttribute(
				    Attribute::NoSync))
				changed.insert(call->getFunction());
		}
	}
}
