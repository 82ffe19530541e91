/*
 * plugin_labels.cpp - see plugin_labels.h
 */
#include "plugin_labels.h"

#include <vector>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

using namespace llvm;

/* The function of a label in the constant; NULL: there is none. */
static const Function *owner_of(const Constant *c)
{
	if (auto *label = dyn_cast<BlockAddress>(c))
		return label->getFunction();
	if (isa<GlobalValue>(c))
		return nullptr;
	for (const Use &u : c->operands())
		if (auto *part = dyn_cast<Constant>(u))
			if (auto *f = owner_of(part))
				return f;
	return nullptr;
}

/* Is the value used outside the function, maybe in another constant? */
static bool is_used_outside(const Value &v, const Function *f)
{
	for (const User *u : v.users()) {
		if (auto *i = dyn_cast<Instruction>(u)) {
			if (i->getFunction() != f)
				return true;
		} else if (isa<GlobalValue>(u) || is_used_outside(*u, f)) {
			return true;
		}
	}
	return false;
}

static void share_tables(Module &m)
{
	for (GlobalVariable &g : m.globals()) {
		const Function *f;

		if (!g.hasInitializer() || !g.isConstant() ||
		    (f = owner_of(g.getInitializer())) == nullptr)
			continue;
		if (!g.hasLocalLinkage() || is_used_outside(g, f))
			g.setConstant(false);
	}
}

/* Instructions of other functions load the label from a variable. */
static void share_label(Module &m, BlockAddress &label)
{
	GlobalVariable *variable = nullptr;
	std::vector<Use *> uses;

	for (Use &u : label.uses())
		if (auto *i = dyn_cast<Instruction>(u.getUser()))
			if (i->getFunction() != label.getFunction())
				uses.push_back(&u);
	for (Use *u : uses) {
		auto *i = cast<Instruction>(u->getUser());
		auto *phi = dyn_cast<PHINode>(i);
		auto at = phi != nullptr ?
			  phi->getIncomingBlock(*u)->getTerminator()
				  ->getIterator() :
			  i->getIterator();

		if (variable == nullptr)
			variable = new GlobalVariable(
				m, label.getType(), false,
				GlobalValue::InternalLinkage, &label,
				"cof.label");
		u->set(new LoadInst(label.getType(), variable, "", at));
	}
}

static void share_labels(Module &m)
{
	std::vector<Constant *> labels;

	for (Function &f : m)
		for (BasicBlock &b : f)
			if (b.hasAddressTaken() &&
			    is_used_outside(*BlockAddress::get(&b), &f))
				labels.push_back(BlockAddress::get(&b));
	if (labels.empty())
		return;
	for (Constant *label : labels)
		for (Function &f : m)
			if (&f != cast<BlockAddress>(label)->getFunction())
				convertUsersOfConstantsToInstructions(
					label, &f, false);
	for (Constant *label : labels)
		share_label(m, *cast<BlockAddress>(label));
}

void plugin_labels_share(Module &m)
{
	share_labels(m);
	share_tables(m);
}
