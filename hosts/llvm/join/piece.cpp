/*
 * piece.cpp - see piece.h
 *
 * A definition that is not the one of its name becomes a declaration, unless
 * another name in the piece (an alias) still means it.
 */
#include "join/piece.h"

#include <vector>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/Mangler.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

namespace {

struct change {
	GlobalValue         *value;
	const cofl_decision *decision;
	bool                 simple;	/* only_declares() */
};

class piece {
public:
	explicit piece(Module &m) : module(m) {}
	Error apply(const cofl_piece_decisions &d);

private:
	std::vector<change> find(const cofl_piece_decisions &d);
	bool only_declares(const change &c) const;
	void forget_starts(const SmallPtrSetImpl<Constant *> &gone);
	void forget_starts(StringRef list,
			   const SmallPtrSetImpl<Constant *> &gone);
	GlobalValue *declaration(const GlobalValue &like, StringRef name);
	void rename(const change &c);
	void replace(const change &c);
	void split(const change &c);
	void strip_versions();

	Module &module;
};

std::vector<change> piece::find(const cofl_piece_decisions &d)
{
	StringMap<const cofl_decision *> by_name;
	std::vector<change> found;
	Mangler mangler;

	for (size_t i = 0; i < d.n; i++)
		by_name[d.decision[i].name] = &d.decision[i];
	for (GlobalValue &v : module.global_values()) {
		SmallString<128> name;

		if (!v.hasName() || v.getName().starts_with("llvm."))
			continue;
		mangler.getNameWithPrefix(name, &v, false);
		if (auto *decision = by_name.lookup(name))
			found.push_back({ &v, decision, false });
	}
	return found;
}

bool is_used_by_alias(const Value &v)
{
	for (const User *u : v.users())
		if (isa<GlobalAlias>(u) || isa<GlobalIFunc>(u) ||
		    (isa<ConstantExpr>(u) && is_used_by_alias(*u)))
			return true;
	return false;
}

/* Is the name left as it is, and only the definition gone? Then users need not
 * be read. */
bool piece::only_declares(const change &c) const
{
	switch (c.decision->kind) {
	case COFL_DECISION_BIND:
		return c.value->getName() == c.decision->to &&
		       isa<GlobalObject>(c.value) &&
		       !is_used_by_alias(*c.value);
	case COFL_DECISION_MISSING:
		return true;
	case COFL_DECISION_RENAME:
		return module.getNamedValue(c.decision->to) == nullptr;
	default:
		return false;
	}
}

/* A variable's constructor goes with the variable. */
void piece::forget_starts(StringRef list,
			  const SmallPtrSetImpl<Constant *> &gone)
{
	GlobalVariable *g = module.getNamedGlobal(list), *to;
	std::vector<Constant *> stay;
	ConstantArray *all;

	if (g == nullptr || !g->hasInitializer() ||
	    (all = dyn_cast<ConstantArray>(g->getInitializer())) == nullptr)
		return;
	for (Use &u : all->operands()) {
		auto *entry = cast<Constant>(u);
		auto *of = entry->getAggregateElement(2u);

		if (of == nullptr ||
		    !gone.contains(cast<Constant>(of->stripPointerCasts())))
			stay.push_back(entry);
	}
	if (stay.size() == all->getNumOperands())
		return;
	auto *type = ArrayType::get(all->getType()->getElementType(),
				    stay.size());
	to = new GlobalVariable(module, type, false, g->getLinkage(),
				ConstantArray::get(type, stay));
	to->takeName(g);
	g->eraseFromParent();
}

void piece::forget_starts(const SmallPtrSetImpl<Constant *> &gone)
{
	forget_starts("llvm.global_ctors", gone);
	forget_starts("llvm.global_dtors", gone);
}

/* What is there by that name, or a new declaration. */
GlobalValue *piece::declaration(const GlobalValue &like, StringRef name)
{
	if (GlobalValue *v = module.getNamedValue(name))
		return v;
	if (auto *type = dyn_cast<FunctionType>(like.getValueType())) {
		auto *f = Function::Create(type, GlobalValue::ExternalLinkage,
					   name, module);

		if (auto *from = dyn_cast<Function>(&like))
			f->copyAttributesFrom(from);
		f->setVisibility(GlobalValue::DefaultVisibility);
		f->setDSOLocal(false);
		return f;
	}
	return new GlobalVariable(
		module, like.getValueType(), false,
		GlobalValue::ExternalLinkage, nullptr, name, nullptr,
		like.getThreadLocalMode());
}

void declare(GlobalObject &o, GlobalValue::LinkageTypes linkage)
{
	if (auto *f = dyn_cast<Function>(&o)) {
		f->deleteBody();
	} else {
		auto &g = cast<GlobalVariable>(o);

		g.setInitializer(nullptr);
		g.clearMetadata();
	}
	o.setComdat(nullptr);
	o.setVisibility(GlobalValue::DefaultVisibility);
	o.setDSOLocal(false);
	o.setLinkage(linkage);
}

/* Another value of that name in the piece means the same. */
void piece::rename(const change &c)
{
	GlobalValue *other = module.getNamedValue(c.decision->to);

	if (other != nullptr) {
		other->replaceAllUsesWith(c.value);
		other->eraseFromParent();
	}
	if (c.value->hasLocalLinkage())
		c.value->setLinkage(GlobalValue::ExternalLinkage);
	c.value->setName(c.decision->to);
}

/* As replace(), but the definition keeps its name. */
void piece::split(const change &c)
{
	c.value->setName("");
	c.value->replaceUsesWithIf(
		declaration(*c.value, c.decision->to),
		[](Use &u) { return !isa<GlobalAlias>(u.getUser()); });
	c.value->setName(c.decision->name);
}

/* All users are in memory, and the value has another name. */
void piece::replace(const change &c)
{
	Type *word = Type::getInt64Ty(module.getContext());
	Type *byte = Type::getInt8Ty(module.getContext());
	GlobalValue *from = c.value;
	std::vector<std::pair<GlobalAlias *, Constant *>> aliases;
	Constant *to, *number = ConstantInt::get(word, c.decision->value);

	if (c.decision->kind == COFL_DECISION_VALUE)
		to = ConstantExpr::getIntToPtr(number, from->getType());
	else if (c.decision->kind == COFL_DECISION_DROP)
		to = Constant::getNullValue(from->getType());
	else
		to = declaration(*from, c.decision->to);
	if (c.decision->kind == COFL_DECISION_OFFSET)
		to = ConstantExpr::getGetElementPtr(byte, to, number);
	for (GlobalAlias &a : module.aliases())
		if (&a != from && a.getAliaseeObject() == from)
			aliases.push_back({ &a, a.getAliasee() });
	for (auto &[alias, is] : aliases)
		alias->setAliasee(ConstantPointerNull::get(
			PointerType::get(module.getContext(), 0)));
	from->replaceAllUsesWith(to);
	for (auto &[alias, is] : aliases)
		alias->setAliasee(is);
	if (aliases.empty()) {
		if (auto *o = dyn_cast<GlobalObject>(from))
			o->setComdat(nullptr);
		from->eraseFromParent();
		return;
	}
	cast<GlobalObject>(from)->setComdat(nullptr);
	from->setLinkage(GlobalValue::InternalLinkage);
	from->setVisibility(GlobalValue::DefaultVisibility);
}

/* Versions are in the names that decisions have. */
void piece::strip_versions()
{
	StringRef text = module.getModuleInlineAsm();
	std::string all;

	if (!text.contains(".symver"))
		return;
	while (!text.empty()) {
		size_t n = text.find_first_of("\n;");
		StringRef statement = text.take_front(n);

		if (!statement.ltrim(" \t").starts_with(".symver"))
			all += statement;
		if (n == StringRef::npos)
			break;
		all += text[n];
		text = text.drop_front(n + 1);
	}
	module.setModuleInlineAsm(all);
}

Error piece::apply(const cofl_piece_decisions &d)
{
	std::vector<change> changes = find(d);
	SmallPtrSet<Constant *, 16> gone;
	bool simple = true;
	unsigned n = 0;

	strip_versions();
	for (change &c : changes) {
		c.simple = only_declares(c);
		simple &= c.simple;
		if (c.decision->kind != COFL_DECISION_RENAME &&
		    c.decision->kind != COFL_DECISION_MISSING &&
		    c.decision->kind != COFL_DECISION_SPLIT &&
		    !c.value->isDeclaration())
			gone.insert(c.value);
	}
	forget_starts(gone);
	removeFromUsedLists(module, [&](Constant *v) {
		return gone.contains(v);
	});
	if (!simple)
		if (Error e = module.materializeAll())
			return e;
	/* Under other names until all have theirs. */
	for (change &c : changes)
		if (!c.simple)
			c.value->setName("cof.old." + Twine(n++));
	for (change &c : changes) {
		if (c.decision->kind == COFL_DECISION_MISSING) {
			if (c.value->isDeclaration())
				c.value->setLinkage(
					GlobalValue::ExternalWeakLinkage);
		} else if (c.decision->kind == COFL_DECISION_BIND &&
			   c.value->getName() == c.decision->to) {
			declare(cast<GlobalObject>(*c.value),
				GlobalValue::ExternalLinkage);
		} else if (c.decision->kind == COFL_DECISION_RENAME) {
			rename(c);
		}
	}
	for (change &c : changes)
		if (c.decision->kind == COFL_DECISION_SPLIT)
			split(c);
		else if (c.value->getName().starts_with("cof.old."))
			replace(c);
	return Error::success();
}

} /* namespace */

Error cofl_piece_apply(Module &m, const cofl_piece_decisions &decisions)
{
	return piece(m).apply(decisions);
}
