/*
 * own_frames.cpp - see own_frames.h
 */
#include "join/own_frames.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>

#include "join/effects.h"

using namespace llvm;

namespace {

bool asks_for_frame(const Function &f)
{
	switch (f.getIntrinsicID()) {
	case Intrinsic::addressofreturnaddress:
	case Intrinsic::frameaddress:
	case Intrinsic::returnaddress:
	case Intrinsic::sponentry:
		return true;
	default:
		return false;
	}
}

/* Empty assembly, of which LLVM does not know what it does: or it would find,
 * wherever the body is, that all calls give the same. */
void make_opaque(Function &f)
{
	IRBuilder<> builder(&*f.getEntryBlock().getFirstInsertionPt());
	auto *type = FunctionType::get(builder.getVoidTy(), false);

	builder.CreateCall(InlineAsm::get(type, "", "~{memory}", true));
}

} /* namespace */

void cofl_own_frames_keep(Module &joined)
{
	SetVector<Function *> apart;

	for (Function &f : joined) {
		if (!asks_for_frame(f))
			continue;
		for (User *u : f.users()) {
			Function *asks = cast<Instruction>(u)->getFunction();

			if (!asks->hasFnAttribute(Attribute::AlwaysInline))
				apart.insert(asks);
		}
	}
	for (Function *f : apart) {
		f->addFnAttr(Attribute::NoInline);
		make_opaque(*f);
	}
	cofl_effects_forget(apart);
}
