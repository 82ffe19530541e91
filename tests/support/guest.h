/*
 * guest.h - guest threads that sleep or run, on their stacks or on fibers
 *
 * The ranges that scans search for are made-up addresses: a thread is "inside"
 * when such a word lies on its stack.
 */
#pragma once

#include <semaphore.h>
#include <ucontext.h>

#include "base/role.h"
#include "tests/cof/reclaim/kick.h"

#define HIDDEN UINT64_C(0x5555aaaa00000000)	/* so that scans find a test's
						 * own word only */

static struct cof *cof;

static inline int setup(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "test" };

	(void)state;
	cof_role = COF_ROLE_PICKER;
	return cof_start(&host, "mode=off,stats=none,code_mb=16", NULL, &cof);
}

static inline int teardown(void **state)
{
	(void)state;
	cof_free(cof);
	return 0;
}

enum where { ASLEEP, SPINNING };

struct guest {
	pthread_t     thread;
	enum where    where;
	uintptr_t     word;	/* on its stack meanwhile */
	void         *fiber;	/* its stack, 64 KiB; NULL: the thread's own */
	sem_t         start, there, go;
	_Atomic bool  leave;
	ucontext_t    main, other;
};

static inline void be_there(struct guest *g)
{
	volatile uintptr_t here = g->word ^ HIDDEN;

	here ^= HIDDEN;
	sem_post(&g->there);
	if (g->where == ASLEEP)
		sem_wait(&g->go);
	while (g->where == SPINNING && !g->leave)
		;
	here = 0;
}

static inline void on_fiber(unsigned hi, unsigned lo)
{
	be_there((struct guest *)((uintptr_t)hi << 32 | lo));
}

static inline void *guest(void *arg)
{
	struct guest *g = arg;
	uintptr_t a = (uintptr_t)g;

	sem_wait(&g->start);
	cof_thread_attach(cof, NULL, NULL);
	if (!g->fiber) {
		be_there(g);
	} else {
		getcontext(&g->other);
		g->other.uc_stack.ss_sp = g->fiber;
		g->other.uc_stack.ss_size = 65536;
		g->other.uc_link = &g->main;
		makecontext(&g->other, (void (*)(void))on_fiber, 2,
			    (unsigned)(a >> 32), (unsigned)a);
		swapcontext(&g->main, &g->other);
	}
	cof_thread_detach(cof);
	return NULL;
}

static inline void create(struct guest *g, void *(*run)(void *))
{
	g->leave = false;
	sem_init(&g->start, 0, 0);
	sem_init(&g->there, 0, 0);
	sem_init(&g->go, 0, 0);
	assert_int_equal(pthread_create(&g->thread, NULL, run, g), 0);
}

static inline void send(struct guest *g)
{
	sem_post(&g->start);
	sem_wait(&g->there);
}

static inline void begin(struct guest *g)
{
	create(g, guest);
	send(g);
}

static inline void end(struct guest *g)
{
	g->leave = true;
	sem_post(&g->go);
	pthread_join(g->thread, NULL);
}

static inline bool run(struct cof_scan_range *range, uint32_t n,
		       uint64_t wait_ns)
{
	return cof_scan_round(cof, cof_reclaim_scan(cof), range, n, wait_ns);
}

static inline bool run_kicked(struct guest *g, struct cof_scan_range *range,
			      uint32_t n)
{
	bool ok;

	kick_begin(g->thread);
	ok = run(range, n, PATIENT);
	kick_end();
	return ok;
}

/*
 * Two neighbours that retire together; the guests are inside the second. The
 * addresses differ each time: if a scan searches a stack as a whole, it also
 * finds what former threads left there.
 */
static uintptr_t base = 0x500000000000;
#define IN  (base + 0x40)
#define OUT (base + 0x100)
static inline struct cof_scan_range *ranges(void)
{
	static struct cof_scan_range range[2];

	base += 0x10000;
	range[0] = (struct cof_scan_range){ .lo = base + 0x80,
					    .hi = base + 0xc0 };
	range[1] = (struct cof_scan_range){ .lo = base, .hi = base + 0x80 };
	return range;
}
