/*
 * llvm_shim.cpp - see llvm_shim.h
 */
#include "ir/llvm_shim.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalValue.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

extern "C" {
#include "support/linkage.h"
#include "support/map.h"
}

using namespace llvm;

uint64_t cofl_llvm_shim_guid(const char *name)
{
	return GlobalValue::getGUIDAssumingExternalLinkage(name);
}

void cofl_llvm_shim_out_of_memory(void (*handler)(const char *reason))
{
	install_bad_alloc_error_handler(
		[](void *f, const char *reason, bool) {
			reinterpret_cast<void (*)(const char *)>(f)(reason);
		}, reinterpret_cast<void *>(handler));
}

void cofl_llvm_shim_redirect(LLVMValueRef value, cofl_llvm_shim_way *way,
			     void *arg)
{
	PHINode *phi = unwrap<PHINode>(value);

	for (unsigned i = 0; i < phi->getNumIncomingValues();) {
		LLVMBasicBlockRef from = wrap(phi->getIncomingBlock(i));

		from = way(arg, from);
		if (from != nullptr)
			phi->setIncomingBlock(i++, unwrap(from));
		else
			phi->removeIncomingValue(i, false);
	}
}

LLVMValueRef cofl_llvm_shim_demote(LLVMValueRef value)
{
	Instruction *i = unwrap<Instruction>(value);

	if (i->use_empty())
		return nullptr;	/* LLVM would erase it */
	/* A PHI there uses the result at the end of a block: of this one. */
	if (InvokeInst *invoke = dyn_cast<InvokeInst>(i))
		SplitBlockPredecessors(invoke->getNormalDest(),
				       invoke->getParent(), "");
	return wrap(DemoteRegToStack(*i));
}

LLVMBasicBlockRef cofl_llvm_shim_split(LLVMValueRef value)
{
	Instruction *at = unwrap<Instruction>(value);
	BasicBlock *rest = at->getParent();
	BasicBlock *head = rest->splitBasicBlockBefore(at);

	if (rest->hasAddressTaken())
		BlockAddress::get(rest)->replaceAllUsesWith(
			BlockAddress::get(head));
	head->getTerminator()->eraseFromParent();
	return wrap(head);
}

void cofl_llvm_shim_callbr(LLVMBasicBlockRef at, const char *text,
			   const char *constraints, LLVMValueRef operand,
			   LLVMBasicBlockRef go, LLVMBasicBlockRef leave)
{
	Value *v = unwrap(operand);
	FunctionType *type = FunctionType::get(
		Type::getVoidTy(v->getContext()), v->getType(), false);

	CallBrInst *i = CallBrInst::Create(
		type, InlineAsm::get(type, text, constraints, true), unwrap(go),
		unwrap(leave), v, "", unwrap(at));

	/* Else each way would count as half of what comes here. */
	i->setMetadata(LLVMContext::MD_prof,
		       MDBuilder(v->getContext()).createLikelyBranchWeights());
}

void cofl_llvm_shim_reach(LLVMBasicBlockRef from, struct cofl_map *reached)
{
	for (BasicBlock *b : depth_first(unwrap(from)))
		cofl_map_put(reached, b, b);
}

void cofl_llvm_shim_attributes(LLVMValueRef from, LLVMValueRef to)
{
	Function *f = unwrap<Function>(from);

	unwrap<Function>(to)->setAttributes(f->getAttributes());
	unwrap<Function>(to)->setCallingConv(f->getCallingConv());
}

LLVMValueRef cofl_llvm_shim_constant(LLVMValueRef like, LLVMValueRef *op,
				     unsigned n)
{
	Constant *c = unwrap<Constant>(like);
	ArrayRef<Constant *> ops(unwrap<Constant>(op, n), n);

	if (auto *expression = dyn_cast<ConstantExpr>(c))
		return wrap(expression->getWithOperands(ops));
	if (auto *type = dyn_cast<StructType>(c->getType()))
		return wrap(ConstantStruct::get(type, ops));
	if (auto *type = dyn_cast<ArrayType>(c->getType()))
		return wrap(ConstantArray::get(type, ops));
	return wrap(ConstantVector::get(ops));
}

void cofl_llvm_shim_align_loops(LLVMTargetMachineRef machine)
{
	reinterpret_cast<TargetMachine *>(machine)->Options.LoopAlignment =
		COFL_LINKAGE_LOOP_BYTES;
}
