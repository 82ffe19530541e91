/*
 * loops.cpp - LLVM's loop nest, irreducible cycles, liveness
 *
 * Liveness goes value by value, from each use up to the definition, as in
 * Boissinot et al., "Fast Liveness Checking for SSA-Form Programs" (its simple
 * variant): few values are alive anywhere at a header.
 */
#include "ir/loops.h"

#include <algorithm>
#include <cstdlib>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CycleInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

extern "C" {
#include "support/xcalloc.h"
}

using namespace llvm;

template <typename T> static T *array(size_t n)
{
	return static_cast<T *>(cofl_xcalloc(n, sizeof(T)));
}

/* -- Liveness -------------------------------------------------------------- */

namespace {
struct liveness {
	/* By block: its loop, or COFL_NO_LOOP; the blocks that lead to it; the
	 * value it was seen for. */
	SmallVector<uint32_t, 0> header_of;
	SmallVector<SmallVector<unsigned, 4>, 0> from;
	SmallVector<uint32_t, 0> seen;
	SmallVector<SmallVector<Value *, 16>, 0> live;	/* by loop */
	SmallVector<unsigned, 32> todo;
	uint32_t value = 0;	/* number of the one looked at */

	void see(unsigned b, unsigned def)
	{
		if (b == def || seen[b] == value)
			return;
		seen[b] = value;
		todo.push_back(b);
	}

	/* v, defined in block `def`, is alive at its uses: so too before. */
	void look_at(Value &v, unsigned def)
	{
		value++;
		if (header_of[def] != COFL_NO_LOOP && isa<PHINode>(v) &&
		    !v.use_empty())
			live[header_of[def]].push_back(&v);
		for (Use &u : v.uses()) {
			auto *user = cast<Instruction>(u.getUser());
			auto *phi = dyn_cast<PHINode>(user);

			see((phi ? phi->getIncomingBlock(u) :
				   user->getParent())->getNumber(), def);
		}
		while (!todo.empty()) {
			unsigned b = todo.pop_back_val();

			if (header_of[b] != COFL_NO_LOOP)
				live[header_of[b]].push_back(&v);
			for (unsigned before : from[b])
				see(before, def);
		}
	}
};
}

static void find_live(struct cofl_loops *l, Function &f,
		      const DominatorTree &tree)
{
	liveness s;

	s.header_of.assign(l->n_blocks, COFL_NO_LOOP);
	s.from.resize(l->n_blocks);
	s.seen.resize(l->n_blocks);
	s.live.resize(l->n_loops);
	for (uint32_t k = 0; k < l->n_loops; k++)
		s.header_of[l->loop[k].header] = k;
	for (BasicBlock &b : f)
		for (BasicBlock *to : successors(&b))
			s.from[to->getNumber()].push_back(b.getNumber());
	for (Argument &a : f.args())
		s.look_at(a, 0);
	for (BasicBlock &b : f)
		if (tree.isReachableFromEntry(&b))
			for (Instruction &i : b)
				s.look_at(i, b.getNumber());
	for (uint32_t k = 0; k < l->n_loops; k++) {
		l->loop[k].n_live = (uint32_t)s.live[k].size();
		l->loop[k].live = array<LLVMValueRef>(s.live[k].size());
		std::copy(s.live[k].begin(), s.live[k].end(),
			  unwrap(l->loop[k].live));
	}
}

/* -- The nest -------------------------------------------------------------- */

using loop_numbers = DenseMap<const BasicBlock *, uint32_t>;

/* `number`: of each header's loop, to be filled in. */
static void find_loops(struct cofl_loops *l, Function &f, const LoopInfo &nest,
		       loop_numbers &number)
{
	l->loop = array<struct cofl_loop>(number.size());
	for (BasicBlock *b : ReversePostOrderTraversal<Function *>(&f))
		if (number.contains(b)) {
			l->loop[l->n_loops].header = b->getNumber();
			number[b] = l->n_loops++;
		}
	for (BasicBlock &b : f) {
		const Loop *in = nest.getLoopFor(&b);
		uint32_t &loop_of = l->loop_of[b.getNumber()];
		bool natural = in && in->getHeader() == &b;
		auto own = number.find(&b);

		if (natural)
			in = in->getParentLoop();
		loop_of = in ? number[in->getHeader()] : COFL_NO_LOOP;
		if (own == number.end())
			continue;
		l->loop[own->second].natural = natural;
		l->loop[own->second].parent = loop_of;
		loop_of = own->second;
	}
}

void cofl_loops_find(struct cofl_loops *l, LLVMValueRef function)
{
	Function &f = *unwrap<Function>(function);
	SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 16> back;
	loop_numbers number;

	f.renumberBlocks();
	*l = {};
	l->n_blocks = f.getMaxBlockNumber();
	l->block = array<LLVMBasicBlockRef>(l->n_blocks);
	l->loop_of = array<uint32_t>(l->n_blocks);
	for (BasicBlock &b : f) {
		l->block[b.getNumber()] = wrap(&b);
		l->loop_of[b.getNumber()] = COFL_NO_LOOP;
	}
	FindFunctionBackedges(f, back);
	for (auto &edge : back)
		number[edge.second];
	if (number.empty())
		return;

	DominatorTree tree(f);

	find_loops(l, f, LoopInfo(tree), number);
	find_live(l, f, tree);
}

bool cofl_loops_inside(const struct cofl_loops *l, uint32_t inner,
		       uint32_t outer)
{
	while (inner != outer && inner != COFL_NO_LOOP)
		inner = l->loop[inner].parent;
	return inner == outer;
}

void cofl_loops_depths(LLVMValueRef function, uint8_t *depth)
{
	Function &f = *unwrap<Function>(function);
	CycleInfo cycles;

	cycles.compute(f);
	for (BasicBlock &b : f)
		*depth++ = (uint8_t)std::min(cycles.getCycleDepth(&b),
					     (unsigned)UINT8_MAX);
}

void cofl_loops_free(struct cofl_loops *l)
{
	for (uint32_t k = 0; k < l->n_loops; k++)
		free(l->loop[k].live);
	free(l->loop);
	free(l->loop_of);
	free(l->block);
}
