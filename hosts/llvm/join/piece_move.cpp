/*
 * piece_move.cpp - see piece_move.h
 *
 * Where names meet, the rules are those of LLVM's IRMover: a definition takes
 * the place of declarations, a name that is not local is kept by what has it,
 * and two declarations agree on the less that is known. Files may be compiled
 * with different options (-ffast-math, -fno-math-errno), so that holds for what
 * declarations of a function promise, too.
 */
#include "join/piece_move.h"

using namespace llvm;

namespace {

/* Not local there; NULL: there is none. */
GlobalValue *meets(const Module &all, const GlobalValue &v)
{
	GlobalValue *other = v.hasLocalLinkage() ? nullptr :
			     all.getNamedValue(v.getName());

	return other != nullptr && other->hasLocalLinkage() ? nullptr : other;
}

/* Does the list have an entry that comes and goes with a variable? LLVM's
 * linker takes it only together with that. */
bool has_key(const Module &piece, StringRef list)
{
	const GlobalVariable *g = piece.getNamedGlobal(list);

	if (g == nullptr || !g->hasInitializer())
		return false;
	for (const Use &u : g->getInitializer()->operands()) {
		auto *key = cast<Constant>(u)->getAggregateElement(2u);

		if (key != nullptr && !key->isNullValue())
			return true;
	}
	return false;
}

bool may_move(const Module &all, const Module &piece)
{
	if (!piece.alias_empty() || !piece.ifunc_empty() ||
	    has_key(piece, "llvm.global_ctors") ||
	    has_key(piece, "llvm.global_dtors"))
		return false;
	for (const GlobalObject &o : piece.global_objects()) {
		const GlobalValue *other = meets(all, o);

		if (!o.isDeclaration() && other != nullptr &&
		    !other->isDeclaration())
			return false;
	}
	return true;
}

/* What both declarations promise. */
void agree(Function &f, const Function &g)
{
	auto both = f.getAttributes().intersectWith(f.getContext(),
						    g.getAttributes());

	f.setAttributes(both ? *both : AttributeList());
}

/* Of a definition: which numbers there are none of in its own file, by that
 * file's options. */
void forget_classes(Function &f)
{
	f.removeRetAttr(Attribute::NoFPClass);
	for (unsigned i = 0; i < f.arg_size(); i++)
		f.removeParamAttr(i, Attribute::NoFPClass);
}

void agree(GlobalValue &other, GlobalValue &v)
{
	auto *x = dyn_cast<GlobalVariable>(&other);
	auto *y = dyn_cast<GlobalVariable>(&v);
	auto *f = dyn_cast<Function>(&other);
	auto *g = dyn_cast<Function>(&v);
	auto unnamed = GlobalValue::getMinUnnamedAddr(other.getUnnamedAddr(),
						      v.getUnnamedAddr());

	other.setUnnamedAddr(unnamed);
	v.setUnnamedAddr(unnamed);
	if (!other.isDeclaration() || !v.isDeclaration())
		return;
	if (x != nullptr && y != nullptr && !y->isConstant())
		x->setConstant(false);
	if (f != nullptr && g != nullptr)
		agree(*f, *g);
	if (!v.hasExternalWeakLinkage())
		other.setLinkage(GlobalValue::ExternalLinkage);
}

void insert(Module &all, Function &f) { all.getFunctionList().push_back(&f); }
void insert(Module &all, GlobalVariable &g) { all.insertGlobalVariable(&g); }

/* Of two with one name the local one gets another. */
template <typename object> void insert_named(Module &all, object &o)
{
	std::string name = o.getName().str();
	GlobalValue *local = o.hasLocalLinkage() ? nullptr :
			     all.getNamedValue(name);

	if (local != nullptr)
		local->setName("");
	insert(all, o);
	if (local != nullptr)
		local->setName(name);
}

template <typename object> void move(Module &all, object &o)
{
	GlobalValue *other = meets(all, o);
	const Comdat *group = o.getComdat();

	if (o.hasLocalLinkage() && o.use_empty())
		return;
	if (other != nullptr) {
		agree(*other, o);
		if (o.isDeclaration()) {
			o.replaceAllUsesWith(other);
			o.eraseFromParent();
			return;
		}
		other->replaceAllUsesWith(&o);
		other->eraseFromParent();
	}
	o.removeFromParent();
	insert_named(all, o);
	if (group != nullptr) {
		Comdat *its = all.getOrInsertComdat(group->getName());

		its->setSelectionKind(group->getSelectionKind());
		o.setComdat(its);
	}
}

} /* namespace */

Error cofl_piece_move(Module &all, Module &piece)
{
	if (!may_move(all, piece))
		return Error::success();
	if (Error e = piece.materializeAll())
		return e;
	for (Function &f : make_early_inc_range(piece)) {
		if (!f.hasLocalLinkage() && !f.isDeclaration())
			forget_classes(f);
		move(all, f);
	}
	for (GlobalVariable &g : make_early_inc_range(piece.globals()))
		if (!g.hasAppendingLinkage())
			move(all, g);
	return Error::success();
}
