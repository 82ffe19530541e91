/*
 * loops.c - dominators, loop nest, liveness
 *
 * Dominators as in Cooper, Harvey, Kennedy, "A Simple, Fast Dominance
 * Algorithm"; liveness value by value, from each use up to the definition, as in
 * Boissinot et al., "Fast Liveness Checking for SSA-Form Programs" (its simple
 * variant): few values are alive anywhere at a header.
 */
#include "ir/loops.h"

#include <stdlib.h>
#include <string.h>

#include "support/fatal.h"
#include "support/xcalloc.h"

uint32_t cofl_loops_block(const struct cofl_loops *l, LLVMBasicBlockRef block)
{
	return (uint32_t)(uintptr_t)cofl_map_get(&l->number, block) - 1;
}

static unsigned n_successors(const struct cofl_loops *l, uint32_t b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(l->block[b]);

	return end ? LLVMGetNumSuccessors(end) : 0;
}

static uint32_t successor(const struct cofl_loops *l, uint32_t b, unsigned i)
{
	return cofl_loops_block(l, LLVMGetSuccessor(
		LLVMGetBasicBlockTerminator(l->block[b]), i));
}

/* -- Blocks and their order ------------------------------------------------- */

static void number_blocks(struct cofl_loops *l, LLVMValueRef f)
{
	l->n_blocks = LLVMCountBasicBlocks(f);
	l->block = cofl_xcalloc(l->n_blocks, sizeof(LLVMBasicBlockRef));
	LLVMGetBasicBlocks(f, l->block);
	for (uint32_t b = 0; b < l->n_blocks; b++)
		cofl_map_put(&l->number, l->block[b],
			     (void *)(uintptr_t)(b + 1));
}

static void note_from(struct cofl_loops *l)
{
	uint32_t *first = cofl_xcalloc(l->n_blocks + 1, sizeof(uint32_t));
	uint32_t *fill, n = 0;

	for (uint32_t b = 0; b < l->n_blocks; b++)
		for (unsigned i = 0, k = n_successors(l, b); i < k; i++)
			first[successor(l, b, i)]++;
	for (uint32_t b = 0; b <= l->n_blocks; b++) {
		uint32_t here = first[b];

		first[b] = n;
		n += here;
	}
	fill = cofl_xcalloc(l->n_blocks, sizeof(uint32_t));
	memcpy(fill, first, l->n_blocks * sizeof(uint32_t));
	l->from = cofl_xcalloc(n, sizeof(uint32_t));
	for (uint32_t b = 0; b < l->n_blocks; b++)
		for (unsigned i = 0, k = n_successors(l, b); i < k; i++)
			l->from[fill[successor(l, b, i)]++] = b;
	free(fill);
	l->from_first = first;
}

/* Depth first from the entry; marks what retreating edges lead to. */
static void walk(struct cofl_loops *l, bool *is_header)
{
	enum { NEW, OPEN, DONE };
	unsigned char *state = cofl_xcalloc(l->n_blocks, 1);
	uint32_t *stack = cofl_xcalloc(l->n_blocks, sizeof(uint32_t));
	unsigned *next = cofl_xcalloc(l->n_blocks, sizeof(unsigned));
	uint32_t n = 0, at = l->n_blocks;

	l->order = cofl_xcalloc(l->n_blocks, sizeof(uint32_t));
	l->place = cofl_xcalloc(l->n_blocks, sizeof(uint32_t));
	stack[n++] = 0;
	state[0] = OPEN;
	while (n > 0) {
		uint32_t b = stack[n - 1], to;

		if (next[b] == n_successors(l, b)) {
			state[b] = DONE;
			l->order[--at] = b;
			n--;
			continue;
		}
		to = successor(l, b, next[b]++);
		if (state[to] == NEW) {
			state[to] = OPEN;
			stack[n++] = to;
		} else if (state[to] == OPEN) {
			is_header[to] = true;
		}
	}
	l->n_order = l->n_blocks - at;
	memmove(l->order, l->order + at, l->n_order * sizeof(uint32_t));
	memset(l->place, 0xff, l->n_blocks * sizeof(uint32_t));
	for (uint32_t i = 0; i < l->n_order; i++)
		l->place[l->order[i]] = i;
	free(state);
	free(stack);
	free(next);
}

/* -- Dominators ------------------------------------------------------------- */

static uint32_t meet(const struct cofl_loops *l, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (l->place[a] > l->place[b])
			a = l->dominator[a];
		while (l->place[b] > l->place[a])
			b = l->dominator[b];
	}
	return a;
}

static void find_dominators(struct cofl_loops *l)
{
	bool changed = true;

	l->dominator = cofl_xcalloc(l->n_blocks, sizeof(uint32_t));
	memset(l->dominator, 0xff, l->n_blocks * sizeof(uint32_t));
	l->dominator[0] = 0;
	while (changed) {
		changed = false;
		for (uint32_t i = 1; i < l->n_order; i++) {
			uint32_t b = l->order[i], now = UINT32_MAX;

			for (uint32_t k = l->from_first[b];
			     k < l->from_first[b + 1]; k++) {
				uint32_t p = l->from[k];

				if (l->place[p] == UINT32_MAX ||
				    l->dominator[p] == UINT32_MAX)
					continue;
				now = now == UINT32_MAX ? p : meet(l, now, p);
			}
			changed |= l->dominator[b] != now;
			l->dominator[b] = now;
		}
	}
}

bool cofl_loops_dominates(const struct cofl_loops *l, uint32_t a, uint32_t b)
{
	if (l->place[a] == UINT32_MAX || l->place[b] == UINT32_MAX)
		return false;
	while (l->place[b] > l->place[a])
		b = l->dominator[b];
	return a == b;
}

/* -- The nest --------------------------------------------------------------- */

static uint32_t outermost(const struct cofl_loops *l, uint32_t loop)
{
	while (l->loop[loop].parent != COFL_NO_LOOP)
		loop = l->loop[loop].parent;
	return loop;
}

/*
 * The body of loop `k`, backwards from where its edges come from. Inner loops
 * were done before: what is in one is entered by its header.
 */
static void fill_body(struct cofl_loops *l, uint32_t k, uint32_t *todo)
{
	uint32_t header = l->loop[k].header, n = 0;

	for (uint32_t i = l->from_first[header];
	     i < l->from_first[header + 1]; i++)
		if (cofl_loops_dominates(l, header, l->from[i]))
			todo[n++] = l->from[i];
	l->loop[k].natural = n > 0;
	while (n > 0) {
		uint32_t b = todo[--n];

		if (l->place[b] == UINT32_MAX)
			continue;
		if (l->loop_of[b] != COFL_NO_LOOP) {
			uint32_t inner = outermost(l, l->loop_of[b]);

			if (inner == k)
				continue;
			l->loop[inner].parent = k;
			b = l->loop[inner].header;
		} else {
			l->loop_of[b] = k;
		}
		if (b == header)
			continue;
		for (uint32_t i = l->from_first[b]; i < l->from_first[b + 1]; i++)
			todo[n++] = l->from[i];
	}
	if (l->loop_of[header] == COFL_NO_LOOP)
		l->loop_of[header] = k;
}

static void find_loops(struct cofl_loops *l, const bool *is_header)
{
	uint32_t *todo = cofl_xcalloc(
		l->from_first[l->n_blocks] + l->n_blocks, sizeof(uint32_t));

	l->loop_of = cofl_xcalloc(l->n_blocks, sizeof(uint32_t));
	memset(l->loop_of, 0xff, l->n_blocks * sizeof(uint32_t));
	for (uint32_t b = 0; b < l->n_blocks; b++)
		l->n_loops += is_header[b];
	l->loop = cofl_xcalloc(l->n_loops, sizeof(*l->loop));
	for (uint32_t i = 0, k = 0; i < l->n_order; i++)
		if (is_header[l->order[i]])
			l->loop[k++] = (struct cofl_loop){
				.header = l->order[i], .parent = COFL_NO_LOOP };
	for (uint32_t k = l->n_loops; k-- > 0;)
		fill_body(l, k, todo);
	free(todo);
}

bool cofl_loops_inside(const struct cofl_loops *l, uint32_t inner,
		       uint32_t outer)
{
	while (inner != outer && inner != COFL_NO_LOOP)
		inner = l->loop[inner].parent;
	return inner == outer;
}

void cofl_loops_reach(const struct cofl_loops *l, uint32_t from,
		      const bool *stop, bool *seen)
{
	uint32_t *todo = cofl_xcalloc(l->n_blocks, sizeof(uint32_t)), n = 0;

	todo[n++] = from;
	while (n > 0) {
		uint32_t b = todo[--n];

		for (unsigned i = 0, k = n_successors(l, b); i < k; i++) {
			uint32_t to = successor(l, b, i);

			if (seen[to])
				continue;
			seen[to] = true;
			if (stop == NULL || !stop[to])
				todo[n++] = to;
		}
	}
	free(todo);
}

/* -- Liveness --------------------------------------------------------------- */

struct liveness {
	struct cofl_loops *l;
	uint32_t          *header_of;	/* by block: its loop, or COFL_NO_LOOP */
	uint32_t          *seen;	/* by block: the value it was seen for */
	uint32_t           value;	/* number of the one looked at */
	uint32_t          *todo;
};

static void add_live(struct cofl_loop *loop, LLVMValueRef v)
{
	if (loop->n_live == loop->room) {
		loop->room = loop->room ? 2 * loop->room : 16;
		loop->live = realloc(loop->live,
				     loop->room * sizeof(LLVMValueRef));
		if (loop->live == NULL)
			cofl_fatal("out of memory");
	}
	loop->live[loop->n_live++] = v;
}

/* v, defined in block `def`, is alive where block b begins: so too before. */
static void visit(struct liveness *s, LLVMValueRef v, uint32_t def, uint32_t b)
{
	struct cofl_loops *l = s->l;
	uint32_t n = 0;

	if (b == def || s->seen[b] == s->value)
		return;
	s->seen[b] = s->value;
	s->todo[n++] = b;
	while (n > 0) {
		b = s->todo[--n];
		if (s->header_of[b] != COFL_NO_LOOP)
			add_live(&l->loop[s->header_of[b]], v);
		for (uint32_t i = l->from_first[b]; i < l->from_first[b + 1];
		     i++) {
			uint32_t p = l->from[i];

			if (p == def || s->seen[p] == s->value)
				continue;
			s->seen[p] = s->value;
			s->todo[n++] = p;
		}
	}
}

static void look_at(struct liveness *s, LLVMValueRef v, uint32_t def)
{
	struct cofl_loops *l = s->l;
	LLVMUseRef u = LLVMGetFirstUse(v);

	s->value++;
	if (u != NULL && LLVMIsAPHINode(v) && s->header_of[def] != COFL_NO_LOOP)
		add_live(&l->loop[s->header_of[def]], v);
	for (; u != NULL; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (!LLVMIsAInstruction(user))
			continue;
		if (!LLVMIsAPHINode(user)) {
			visit(s, v, def, cofl_loops_block(
				l, LLVMGetInstructionParent(user)));
			continue;
		}
		/* A PHI uses it at the end of the block it comes from. */
		for (unsigned i = 0, n = LLVMCountIncoming(user); i < n; i++)
			if (LLVMGetIncomingValue(user, i) == v)
				visit(s, v, def, cofl_loops_block(
					l, LLVMGetIncomingBlock(user, i)));
	}
}

static void find_live(struct cofl_loops *l, LLVMValueRef f)
{
	struct liveness s = {
		.l = l,
		.header_of = cofl_xcalloc(l->n_blocks, sizeof(uint32_t)),
		.seen = cofl_xcalloc(l->n_blocks, sizeof(uint32_t)),
		.todo = cofl_xcalloc(l->n_blocks, sizeof(uint32_t)),
	};

	memset(s.header_of, 0xff, l->n_blocks * sizeof(uint32_t));
	for (uint32_t k = 0; k < l->n_loops; k++)
		s.header_of[l->loop[k].header] = k;
	for (LLVMValueRef a = LLVMGetFirstParam(f); a != NULL;
	     a = LLVMGetNextParam(a))
		look_at(&s, a, 0);
	for (uint32_t b = 0; b < l->n_blocks; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(l->block[b]);
		     l->place[b] != UINT32_MAX && i != NULL;
		     i = LLVMGetNextInstruction(i))
			look_at(&s, i, b);
	free(s.header_of);
	free(s.seen);
	free(s.todo);
}

/* -- All of it -------------------------------------------------------------- */

void cofl_loops_find(struct cofl_loops *l, LLVMValueRef f)
{
	bool *is_header;

	*l = (struct cofl_loops){ 0 };
	number_blocks(l, f);
	is_header = cofl_xcalloc(l->n_blocks, sizeof(bool));
	note_from(l);
	walk(l, is_header);
	find_dominators(l);
	find_loops(l, is_header);
	if (l->n_loops > 0)
		find_live(l, f);
	free(is_header);
}

void cofl_loops_free(struct cofl_loops *l)
{
	for (uint32_t k = 0; k < l->n_loops; k++)
		free(l->loop[k].live);
	free(l->loop);
	free(l->loop_of);
	free(l->block);
	free(l->from_first);
	free(l->from);
	free(l->order);
	free(l->place);
	free(l->dominator);
	cofl_map_free(&l->number);
}
