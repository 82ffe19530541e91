/*
 * ucontext.c - generators on stacks that makecontext() was given
 *
 * The frames of hot code lie on stacks that no thread is known to have.
 *
 * guest-hot:
 */
#include <sys/mman.h>
#include <ucontext.h>

#include "guest.h"

#define GENERATORS  8
#define STACK_BYTES (64u << 10)

struct generator {
	ucontext_t own, caller;
	void      *stack;
	uint64_t   value, seed;
	int        done;
};

static struct generator gen[GENERATORS];

NOINLINE static void yield_value(struct generator *g, uint64_t v)
{
	g->value = v;
	swapcontext(&g->own, &g->caller);
}

NOINLINE static uint64_t hash(uint64_t x, int n)
{
	for (int i = 0; i < n; i++)
		x = mix(x, (uint64_t)i);
	return x;
}

NOINLINE static void walk(struct generator *g, int depth, uint64_t x)
{
	if (depth == 0) {
		yield_value(g, hash(x, 20));
		return;
	}
	walk(g, depth - 1, x * 2);
	walk(g, depth - 1, x * 2 + 1);
}

static void body(int which)
{
	struct generator *g = &gen[which];

	walk(g, 5, g->seed);
	g->done = 1;
}

static void start(int i)
{
	struct generator *g = &gen[i];

	g->seed = (uint64_t)i + 1;
	g->done = 0;
	getcontext(&g->own);
	g->own.uc_stack.ss_sp = g->stack;
	g->own.uc_stack.ss_size = STACK_BYTES;
	g->own.uc_link = &g->caller;
	makecontext(&g->own, (void (*)(void))body, 1, i);
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;
	int left = GENERATORS;

	for (int i = 0; i < GENERATORS; i++)
		start(i);
	while (left) {
		left = 0;
		for (int i = 0; i < GENERATORS; i++) {
			if (gen[i].done)
				continue;
			left++;
			swapcontext(&gen[i].caller, &gen[i].own);
			h = mix(h, gen[i].value);
		}
	}
	return h;
}

int main(void)
{
	for (int i = 0; i < GENERATORS; i++)
		gen[i].stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	guest_run("ucontext", round_);
	return 0;
}
