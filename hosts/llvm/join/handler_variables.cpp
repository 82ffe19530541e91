/*
 * handler_variables.cpp - see handler_variables.h
 */
#include "join/handler_variables.h"

#include <cstdint>
#include <set>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "join/handlers.h"

using namespace llvm;

namespace {

constexpr int calls_away = 2;
constexpr int64_t anywhere = -1;

/* Offsets in variables; `anywhere`: not known. */
class places {
public:
	explicit places(const Module &m) : layout(m.getDataLayout()) {}
	void add(const Value *pointer);
	bool has(const Value *pointer) const;
	bool empty() const { return offsets.empty(); }

private:
	const GlobalVariable *find(const Value *pointer, int64_t &offset) const;

	const DataLayout &layout;
	DenseMap<const GlobalVariable *, std::set<int64_t>> offsets;
};

/* NULL: it is elsewhere. */
const GlobalVariable *places::find(const Value *pointer, int64_t &offset) const
{
	APInt n(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
	auto *base = pointer->stripAndAccumulateConstantOffsets(layout, n,
								true);

	offset = n.getSExtValue();
	if (!isa<GlobalVariable>(base)) {
		offset = anywhere;
		base = getUnderlyingObject(base);
	}
	return dyn_cast<GlobalVariable>(base);
}

void places::add(const Value *pointer)
{
	int64_t offset;

	if (auto *g = find(pointer, offset); g != nullptr && !g->isConstant())
		offsets[g].insert(offset);
}

bool places::has(const Value *pointer) const
{
	int64_t offset;
	auto at = offsets.find(find(pointer, offset));

	return at != offsets.end() &&
	       (offset == anywhere || at->second.count(anywhere) != 0 ||
		at->second.count(offset) != 0);
}

/* With the functions that they call. */
SetVector<Function *> handling(Module &m)
{
	SetVector<Function *> all = cofl_handlers_find(m);
	size_t begin = 0;

	for (int depth = 0; depth < calls_away; depth++) {
		size_t end = all.size();

		for (; begin < end; begin++)
			for (Instruction &i : instructions(*all[begin])) {
				auto *call = dyn_cast<CallBase>(&i);
				auto *f = call != nullptr ?
					  call->getCalledFunction() : nullptr;

				if (f != nullptr && !f->isDeclaration())
					all.insert(f);
			}
	}
	return all;
}

/* Is there one? Atomic accesses are as they are. */
bool keep(Function &f, const places &set, const places &read)
{
	bool found = false;

	for (Instruction &i : instructions(f)) {
		auto *l = dyn_cast<LoadInst>(&i);
		auto *s = dyn_cast<StoreInst>(&i);

		if (l != nullptr && l->isSimple() &&
		    set.has(l->getPointerOperand()))
			l->setVolatile(true);
		else if (s != nullptr && s->isSimple() &&
			 read.has(s->getPointerOperand()))
			s->setVolatile(true);
		else
			continue;
		found = true;
	}
	return found;
}

/* A compiler had inferred what these, and what calls them, do to memory. */
void forget_effects(SetVector<Function *> &changed)
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

} /* namespace */

void cofl_handler_variables_keep(Module &joined)
{
	places set(joined), read(joined);
	SetVector<Function *> changed;

	for (Function *f : handling(joined))
		for (Instruction &i : instructions(*f))
			if (auto *l = dyn_cast<LoadInst>(&i))
				read.add(l->getPointerOperand());
			else if (auto *s = dyn_cast<StoreInst>(&i))
				set.add(s->getPointerOperand());
	if (set.empty() && read.empty())
		return;
	for (Function &f : joined)
		if (keep(f, set, read))
			changed.insert(&f);
	forget_effects(changed);
}
