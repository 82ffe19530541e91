/*
 * stage.h - the thread shell of a stage: start, sleep, wake, stop, join
 *
 * Every signal is blocked in these threads, so that no handler of the guest's
 * runs on them and no sample is taken of them.
 */
#ifndef COF_PROCESS_STAGE_H
#define COF_PROCESS_STAGE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/role.h"

struct cof_stage {
	pthread_t        thread;
	enum cof_role    role;
	const char      *name;		/* as ps shows it; at most 15 bytes */
	void           (*run)(void *arg);
	void            *arg;
	bool             started;	/* the creator's */
	uint32_t         forks;		/* cof_forked_count() at the start */
	_Atomic bool     stopping;	/* C - D, stage.c */
	_Atomic uint32_t wakes;		/* futex: bumped by each wake */
};

/* As pthread_create(3), with every signal blocked from its first instruction. */
int  cof_stage_thread(pthread_t *thread, const pthread_attr_t *attr,
		      void *(*run)(void *), void *arg);

/* It will be `run(arg)`. From now on it may be woken, and stopped. */
void cof_stage_init(struct cof_stage *stage, const char *name,
		    enum cof_role role, void (*run)(void *), void *arg);

/* Start it on a thread of its own, which sees all wakes so far. 0 or
 * -COF_E_NOMEM. */
int  cof_stage_start(struct cof_stage *stage);

/*
 * Called by the stage itself: sleep for at most `ns`, or until someone wakes
 * it; wakes since the last call count. Returns false once it is to stop.
 */
bool cof_stage_sleep(struct cof_stage *stage, uint64_t ns);

/* For who steps a stage that has no thread: was it woken since the last call? */
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

/* Any thread; never blocks. NULL is fine: nobody is there to be woken. */
void cof_stage_wake(struct cof_stage *stage);

/* Ask it to stop. Async-signal-safe. */
void cof_stage_ask(struct cof_stage *stage);

/* Ask it to stop, join it. Fine if it never started, and in a fork's
 * child, where there is nothing to join. */
void cof_stage_stop(struct cof_stage *stage);

#endif /* COF_PROCESS_STAGE_H */
