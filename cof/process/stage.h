/*
 * stage.h - the thread shell of a stage: start, sleep, wake, stop, join
 *
 * These threads block every signal, so that no handler of the program's runs on
 * them and no source samples them.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/role.h"
#include "process/stage_stack.h"

struct cof_stage {
	pthread_t        thread;
	struct cof_stage_stack stack;
	enum cof_role    role;
	const char      *name;		/* as ps shows it; at most 15 bytes */
	void           (*run)(void *arg);
	void            *arg;
	bool             started;	/* owner: the creator */
	uint32_t         forks;		/* cof_forked_count() at the start */
	_Atomic bool     stopping;	/* C, D of stage.c */
	_Atomic uint32_t wakes;		/* futex: each wake adds 1 */
};

/* As pthread_create(3); the thread blocks every signal from its first
 * instruction. */
int  cof_stage_thread(pthread_t *thread, const pthread_attr_t *attr,
		      void *(*run)(void *), void *arg);

/* The stage is to be run(arg). From now on it may be woken, and stopped. */
void cof_stage_init(struct cof_stage *stage, const char *name,
		    enum cof_role role, void (*run)(void *), void *arg);

/* Start it on a thread of its own, which sees all wakes so far. Returns 0 or
 * -COF_E_NOMEM. */
int  cof_stage_start(struct cof_stage *stage);

/*
 * Called by the stage itself: sleep for `ns`, or until a thread wakes it; wakes
 * since the last call count. Returns false once it is to stop.
 */
bool cof_stage_sleep(struct cof_stage *stage, uint64_t ns);

/* Was it woken since the last call? For code that steps a stage without a
 * thread. */
static inline bool cof_stage_woken(struct cof_stage *stage)
{
	return atomic_exchange_explicit(&stage->wakes, 0,
					memory_order_acquire) != 0;	/* B */
}

static inline bool cof_stage_stopping(const struct cof_stage *stage)
{
	return atomic_load_explicit((_Atomic bool *)&stage->stopping,
				    memory_order_acquire);	/* D */
}

/* Wake it. Any thread; never blocks. NULL is fine: there is nothing to wake. */
void cof_stage_wake(struct cof_stage *stage);

/* Ask it to stop. Async-signal-safe. */
void cof_stage_ask(struct cof_stage *stage);

/* Ask it to stop, and join it. Fine if it never started, and in a fork's child,
 * where there is nothing to join. */
void cof_stage_stop(struct cof_stage *stage);
