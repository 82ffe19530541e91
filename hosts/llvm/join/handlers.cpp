/*
 * handlers.cpp - see handlers.h
 */
#include "join/handlers.h"

#include <set>
#include <utility>

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace {

/* Both have it as their second parameter: the handler, or the memory that has
 * the handler. */
const char *const given[] = { "signal", "bsd_signal", "sysv_signal",
			      "__sysv_signal", "ssignal", "sigset" };
const char *const filled_in[] = { "sigaction", "__sigaction" };

class handler_search {
public:
	explicit handler_search(Module &m);
	SetVector<Function *> found;

private:
	enum what { HANDLER, MEMORY };

	void calls(Function &f, unsigned parameter, what is);
	void handler(Value *v);
	void loaded(LoadInst &l);
	void memory(Value *v, Function &in);
	void stores(Value *v, Function &in);
	void constant(Constant &c);
	void all();

	Module &module;
	bool in_table = false;	/* looking at memory that has handlers, and
				 * may have other functions */

	std::set<std::pair<const Value *, what>> seen;
};

handler_search::handler_search(Module &m) : module(m)
{
	for (const char *name : given)
		if (Function *f = m.getFunction(name))
			calls(*f, 1, HANDLER);
	for (const char *name : filled_in)
		if (Function *f = m.getFunction(name))
			calls(*f, 1, MEMORY);
}

void handler_search::calls(Function &f, unsigned parameter, what is)
{
	for (User *u : f.users()) {
		auto *call = dyn_cast<CallBase>(u);

		if (call == nullptr || call->getCalledOperand() != &f ||
		    call->arg_size() <= parameter)
			continue;
		if (is == HANDLER)
			handler(call->getArgOperand(parameter));
		else
			memory(call->getArgOperand(parameter),
			       *call->getFunction());
	}
}

/* void f(int) or void f(int, siginfo_t *, void *). */
bool is_handlers_type(const Function &f)
{
	const FunctionType *t = f.getFunctionType();

	return t->getReturnType()->isVoidTy() &&
	       (t->getNumParams() == 1 || t->getNumParams() == 3) &&
	       t->getParamType(0)->isIntegerTy(32);
}

void handler_search::handler(Value *v)
{
	v = v->stripPointerCasts();
	if (auto *f = dyn_cast<Function>(v);
	    f != nullptr && in_table && !is_handlers_type(*f))
		return;
	if (!seen.insert({ v, HANDLER }).second)
		return;
	if (auto *f = dyn_cast<Function>(v)) {
		if (!f->isDeclaration())
			found.insert(f);
	} else if (auto *a = dyn_cast<Argument>(v)) {
		calls(*a->getParent(), a->getArgNo(), HANDLER);
	} else if (auto *s = dyn_cast<SelectInst>(v)) {
		handler(s->getTrueValue());
		handler(s->getFalseValue());
	} else if (auto *p = dyn_cast<PHINode>(v)) {
		for (Value *from : p->incoming_values())
			handler(from);
	} else if (auto *l = dyn_cast<LoadInst>(v)) {
		loaded(*l);
	}
}

/* From a table of handlers, say. */
void handler_search::loaded(LoadInst &l)
{
	SmallVector<const Value *, 4> objects;
	bool before = in_table;

	in_table = true;
	getUnderlyingObjects(l.getPointerOperand(), objects);
	for (const Value *object : objects) {
		if (isa<GlobalVariable>(object) || isa<AllocaInst>(object) ||
		    isa<Argument>(object))
			memory(const_cast<Value *>(object), *l.getFunction());
		else
			all();
	}
	in_table = before;
}

/* It may be any whose address is taken. */
void handler_search::all()
{
	for (Function &f : module)
		if (!f.isDeclaration() && f.hasAddressTaken() &&
		    is_handlers_type(f))
			found.insert(&f);
}

/* What a variable begins with. */
void handler_search::constant(Constant &c)
{
	if (isa<GlobalValue>(c)) {
		if (isa<Function>(c))
			handler(&c);
		return;
	}
	for (Use &u : c.operands())
		if (auto *part = dyn_cast<Constant>(u))	/* or a label */
			constant(*part);
}

/* What the function stores there; in a variable, what any does, and what is
 * there from the beginning. */
void handler_search::memory(Value *v, Function &in)
{
	v = const_cast<Value *>(getUnderlyingObject(v));
	if (auto *a = dyn_cast<Argument>(v)) {
		if (seen.insert({ v, MEMORY }).second)
			calls(*a->getParent(), a->getArgNo(), MEMORY);
		return;
	}
	auto *g = dyn_cast<GlobalVariable>(v);
	if (g == nullptr) {
		stores(v, in);
		return;
	}
	if (!seen.insert({ v, MEMORY }).second)
		return;
	if (g->hasInitializer())
		constant(*g->getInitializer());
	if (!g->isConstant())
		for (Function &f : module)
			stores(g, f);
}

void handler_search::stores(Value *v, Function &in)
{
	for (Instruction &i : instructions(in)) {
		if (auto *s = dyn_cast<StoreInst>(&i)) {
			if (getUnderlyingObject(s->getPointerOperand()) == v)
				handler(s->getValueOperand());
		} else if (auto *copy = dyn_cast<MemTransferInst>(&i)) {
			auto *from = dyn_cast<GlobalVariable>(
				getUnderlyingObject(copy->getSource()));

			if (from != nullptr && from->hasInitializer() &&
			    getUnderlyingObject(copy->getDest()) == v)
				constant(const_cast<Constant &>(
					*from->getInitializer()));
		}
	}
}

} /* namespace */

SetVector<Function *> cofl_handlers_find(Module &joined)
{
	return handler_search(joined).found;
}
