/*
 * stack.c - see stack.h
 *
 * A place belongs to the process whose number it has.
 */
#include "native/stack.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_BYTES ((size_t)4096)
#define PLACES     64u

static struct {
	_Atomic pid_t     owner;	/* 0: free, and nothing is mapped */
	struct cofl_stack stack;	/* the owner's */
} place[PLACES];

static int map(struct cofl_stack *out, size_t bytes)
{
	size_t all = (bytes + 2 * PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	char *p = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE |
		       MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return EAGAIN;
	mprotect(p, PAGE_BYTES, PROT_NONE);
	*out = (struct cofl_stack){ p + PAGE_BYTES, all - PAGE_BYTES };
	return 0;
}

/* One of the parent's. */
static int take_over(struct cofl_stack *out, size_t bytes, pid_t self)
{
	for (unsigned i = 0; i < PLACES; i++) {
		pid_t owner = atomic_load(&place[i].owner);

		if (owner == 0 || owner == self ||
		    place[i].stack.bytes < bytes ||
		    !atomic_compare_exchange_strong(&place[i].owner, &owner,
						    self))
			continue;
		*out = place[i].stack;
		return 0;
	}
	return EAGAIN;
}

/* Without a place, a child cannot use it again. */
static void keep(const struct cofl_stack *stack, pid_t self)
{
	for (unsigned i = 0; i < PLACES; i++) {
		pid_t none = 0;

		if (!atomic_compare_exchange_strong(&place[i].owner, &none,
						    self))
			continue;
		place[i].stack = *stack;
		return;
	}
}

int cofl_stack_take(struct cofl_stack *out, size_t bytes)
{
	pid_t self = getpid();
	int err;

	if (take_over(out, bytes, self) == 0)
		return 0;
	err = map(out, bytes);
	if (err == 0)
		keep(out, self);
	return err;
}

void cofl_stack_give(const struct cofl_stack *stack)
{
	for (unsigned i = 0; i < PLACES; i++)
		if (place[i].stack.from == stack->from)
			/* Nobody's: whoever is next takes it over. */
			atomic_store(&place[i].owner, -1);
}
