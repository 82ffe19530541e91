/*
 * handler_variables.cpp - see handler_variables.h
 */
#include "join/handler_variables.h"

#include <cstdint>
#include <set>
#include <utility>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "join/effects.h"
#include "join/handlers.h"

using namespace llvm;

namespace {

constexpr int calls_away = 2;
constexpr int64_t everything = INT64_MAX / 2;	/* not known which */

/* Bytes of variables, by their first one and the one behind the last. */
class places {
public:
	explicit places(const Module &m) : layout(m.getDataLayout()) {}
	void add(const Value *pointer, uint64_t bytes);
	bool has(const Value *pointer, uint64_t bytes) const;
	bool empty() const { return ranges.empty(); }
	uint64_t bytes_of(const Type *t) const;

private:
	using range = std::pair<int64_t, int64_t>;

	const GlobalVariable *find(const Value *pointer, uint64_t bytes,
				   range &at) const;

	const DataLayout &layout;
	DenseMap<const GlobalVariable *, std::set<range>> ranges;
};

uint64_t places::bytes_of(const Type *t) const
{
	return layout.getTypeStoreSize(const_cast<Type *>(t))
		     .getKnownMinValue();
}

/* NULL: it is elsewhere. */
const GlobalVariable *places::find(const Value *pointer, uint64_t bytes,
				   range &at) const
{
	APInt n(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
	auto *base = pointer->stripAndAccumulateConstantOffsets(layout, n,
								true);

	at = { n.getSExtValue(), n.getSExtValue() + (int64_t)bytes };
	if (!isa<GlobalVariable>(base)) {
		at = { 0, everything };
		base = getUnderlyingObject(base);
	}
	return dyn_cast<GlobalVariable>(base);
}

void places::add(const Value *pointer, uint64_t bytes)
{
	range at;

	if (auto *g = find(pointer, bytes, at);
	    g != nullptr && !g->isConstant())
		ranges[g].insert(at);
}

/* One byte of them is enough. */
bool places::has(const Value *pointer, uint64_t bytes) const
{
	range at;
	auto of = ranges.find(find(pointer, bytes, at));

	if (of == ranges.end())
		return false;
	for (const range &one : of->second)
		if (one.first < at.second && at.first < one.second)
			return true;
	return false;
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

uint64_t length_of(const MemIntrinsic &m)
{
	auto *length = dyn_cast<ConstantInt>(m.getLength());

	return length != nullptr ? length->getLimitedValue(everything) :
				   everything;
}

bool keep_copy(MemIntrinsic &m, const places &set, const places &read)
{
	auto *copy = dyn_cast<MemTransferInst>(&m);
	uint64_t bytes = length_of(m);

	if (m.isVolatile() || (!read.has(m.getDest(), bytes) &&
	    (copy == nullptr || !set.has(copy->getSource(), bytes))))
		return false;
	m.setVolatile(ConstantInt::getTrue(m.getContext()));
	return true;
}

/* Is there one? Atomic accesses are as they are. */
bool keep(Function &f, const places &set, const places &read)
{
	bool found = false;

	for (Instruction &i : instructions(f)) {
		auto *l = dyn_cast<LoadInst>(&i);
		auto *s = dyn_cast<StoreInst>(&i);

		if (auto *m = dyn_cast<MemIntrinsic>(&i)) {
			found |= keep_copy(*m, set, read);
			continue;
		}
		if (l != nullptr && l->isSimple() &&
		    set.has(l->getPointerOperand(),
			    set.bytes_of(l->getType())))
			l->setVolatile(true);
		else if (s != nullptr && s->isSimple() &&
			 read.has(s->getPointerOperand(),
				  read.bytes_of(s->getValueOperand()
						 ->getType())))
			s->setVolatile(true);
		else
			continue;
		found = true;
	}
	return found;
}

/* What a handler does. */
void look(Instruction &i, places &set, places &read)
{
	if (auto *l = dyn_cast<LoadInst>(&i)) {
		read.add(l->getPointerOperand(), read.bytes_of(l->getType()));
	} else if (auto *s = dyn_cast<StoreInst>(&i)) {
		set.add(s->getPointerOperand(),
			set.bytes_of(s->getValueOperand()->getType()));
	} else if (auto *m = dyn_cast<MemIntrinsic>(&i)) {
		set.add(m->getDest(), length_of(*m));
		if (auto *copy = dyn_cast<MemTransferInst>(m))
			read.add(copy->getSource(), length_of(*m));
	}
}

} /* namespace */

void cofl_handler_variables_keep(Module &joined)
{
	places set(joined), read(joined);
	SetVector<Function *> changed;

	for (Function *f : handling(joined))
		for (Instruction &i : instructions(*f))
			look(i, set, read);
	if (set.empty() && read.empty())
		return;
	for (Function &f : joined)
		if (keep(f, set, read))
			changed.insert(&f);
	cofl_effects_forget(changed);
}
