/*
 * signal_stack.c - see signal_stack.h
 *
 *	area	[ guard page | what a sample needs, and PROGRAMS_BYTES ]
 */
#include "preload/signal_stack.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/align.h"
#include "base/units.h"
#include "preload/rtld_next.h"

#define HANDLER_BYTES  4096u	/* libcof's handler, below the kernel's frame */
#define PROGRAMS_BYTES 65536u	/* for a handler of the program's */
#define SMALL_BYTES    8192u	/* two frames with AVX-512, and 1 KB */
#define ROOMY_BYTES    32768u	/* and for most that handlers do */
#define POOL           32u	/* areas kept for threads to come */
#define MAINS_BYTES    98304u	/* without a guard page */

static _Atomic bool withdrawn;	/* the program has handlers with SA_ONSTACK */
static _Atomic(char *) pool[POOL];	/* areas; NULL: empty */

static _Thread_local bool is_joined;	/* it began with libcof in it, and will
					 * end so */
static _Thread_local char *mine;	/* the thread's area, or NULL */
static _Thread_local stack_t small;	/* the program's, in whose place ours
					 * is; no bytes: there is none */

/* The main thread's, with room for what would be a guard page. */
static char mains[MAINS_BYTES] __attribute__((aligned(COF_PAGE_BYTES)));

/* Of an area without its guard page. */
static size_t stack_bytes(void)
{
	long frame = sysconf(_SC_MINSIGSTKSZ);

	return cof_align_up((frame > 0 ? (size_t)frame : HANDLER_BYTES) +
			    HANDLER_BYTES + PROGRAMS_BYTES, COF_PAGE_BYTES);
}

/* -- Areas ----------------------------------------------------------------- */

static char *area_take(void)
{
	size_t bytes = COF_PAGE_BYTES + stack_bytes();
	char *area;

	for (unsigned i = 0; i < POOL; i++) {
		area = atomic_exchange_explicit(&pool[i], NULL,
						memory_order_acquire);
		if (area != NULL)
			return area;
	}
	area = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1,
		    0);
	if (area == MAP_FAILED)
		return NULL;
	mprotect(area, COF_PAGE_BYTES, PROT_NONE);
	return area;
}

static void area_give(char *area)
{
	for (unsigned i = 0; i < POOL; i++) {
		char *empty = NULL;

		if (atomic_compare_exchange_strong_explicit(
			    &pool[i], &empty, area, memory_order_release,
			    memory_order_relaxed))
			return;
	}
	munmap(area, COF_PAGE_BYTES + stack_bytes());
}

/* -- Threads --------------------------------------------------------------- */

static bool is_ours(const stack_t *s)
{
	return mine != NULL && s->ss_sp == mine + COF_PAGE_BYTES;
}

static stack_t ours(int flags)
{
	return (stack_t){ .ss_sp = mine + COF_PAGE_BYTES, .ss_flags = flags,
			  .ss_size = stack_bytes() };
}

static void put_ours(void)
{
	stack_t s = ours(0);

	rtld_next.sigaltstack(&s, NULL);
}

/* Fails, and does nothing, on the alternate stack. */
static void take_ours_away(void)
{
	stack_t now;

	if (mine != NULL && rtld_next.sigaltstack(NULL, &now) == 0 &&
	    is_ours(&now))
		rtld_next.sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE },
				      NULL);
}

/* Has the program none, and may it have ours? */
static bool may_have(void)
{
	stack_t now;

	return mine == NULL &&
	       !atomic_load_explicit(&withdrawn, memory_order_relaxed) &&
	       rtld_next.sigaltstack(NULL, &now) == 0 &&
	       now.ss_flags & SS_DISABLE;
}

void signal_stack_begin_main(void)
{
	is_joined = true;
	if (COF_PAGE_BYTES + stack_bytes() > MAINS_BYTES || !may_have())
		return;
	mine = mains;
	put_ours();
}

void signal_stack_begin(void)
{
	is_joined = true;
	if (!may_have())
		return;
	mine = area_take();
	if (mine != NULL)
		put_ours();
}

void signal_stack_end(void)
{
	char *area = mine;

	is_joined = false;
	if (area == NULL)
		return;
	take_ours_away();
	mine = NULL;
	small.ss_size = 0;
	if (area != mains)
		area_give(area);
}

/* -- The stand-ins --------------------------------------------------------- */

/* Has the program's stack no room for a sample above a handler of its own? And
 * is there one of ours for it? */
static bool is_too_small(const stack_t *s)
{
	if (s == NULL || s->ss_flags & SS_DISABLE || s->ss_size >= SMALL_BYTES)
		return false;
	if (mine == NULL && is_joined)
		mine = area_take();
	return mine != NULL;
}

/* What the program set, as the kernel would have it. */
static stack_t as_set(const stack_t *now, const stack_t *its)
{
	if (!is_ours(now))
		return *now;
	if (its->ss_size == 0)
		return (stack_t){ .ss_flags = SS_DISABLE };
	return (stack_t){ .ss_sp = its->ss_sp, .ss_flags = now->ss_flags,
			  .ss_size = its->ss_size };
}

STAND_IN
int sigaltstack(const stack_t *restrict to, stack_t *restrict was)
{
	bool replaced = is_too_small(to);
	stack_t its = small, set, former;

	if (mine == NULL)
		return rtld_next.sigaltstack(to, was);
	/* The kernel says what it thinks of the program's. */
	if (rtld_next.sigaltstack(to, &former) != 0)
		return -1;
	if (to != NULL)
		small = replaced ? *to : (stack_t){ .ss_size = 0 };
	if (replaced) {
		set = ours(to->ss_flags);
		rtld_next.sigaltstack(&set, NULL);
	} else if (to != NULL && to->ss_flags & SS_DISABLE &&
	    !atomic_load_explicit(&withdrawn, memory_order_relaxed))
		put_ours();
	if (was != NULL)
		*was = as_set(&former, &its);
	return 0;
}

static bool is_on_stack(const struct sigaction *act)
{
	return act != NULL && act->sa_flags & SA_ONSTACK &&
	       act->sa_handler != SIG_DFL && act->sa_handler != SIG_IGN;
}

void signal_stack_handler(const struct sigaction *act)
{
	if (is_on_stack(act) &&
	    !atomic_exchange_explicit(&withdrawn, true, memory_order_relaxed) &&
	    small.ss_size == 0)
		take_ours_away();
}

bool signal_stack_is_small_for(const struct sigaction *act)
{
	stack_t its;

	return is_on_stack(act) && sigaltstack(NULL, &its) == 0 &&
	       (its.ss_flags & SS_DISABLE || its.ss_size < ROOMY_BYTES);
}
