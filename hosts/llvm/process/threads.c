/*
 * threads.c - the stand-ins for pthread_create(3), thrd_create(3) and
 * pthread_cancel(3), and for what may make a thread inside libc
 *
 * Libcof's side is opened, if it is not, before the program has a second
 * thread. So each thread is attached before it runs code of the program's, and
 * no code that libcof frees can have a thread in it that libcof does not know.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

#include "own_threads/libc_locks.h"
#include "process/attach.h"
#include "preload/hazard.h"
#include "preload/native.h"
#include "preload/rtld_next.h"
#include "process/start.h"

struct begin {
	void       *(*run)(void *);
	thrd_start_t run_c11;	/* if not NULL, in place of run */
	void        *arg;
};

/*
 * Those of threads that have not begun. The program's malloc(3) is not called:
 * it may count, or be what makes the thread, under a lock of its own.
 */
#define SLOTS 64u

static struct begin     slots[SLOTS];
static _Atomic uint64_t taken;	/* by slot */

/* NULL: no memory. */
static struct begin *take(void)
{
	uint64_t now = atomic_load(&taken);
	void *page;

	while (~now != 0) {
		int free_one = __builtin_ctzll(~now);

		if (atomic_compare_exchange_weak(&taken, &now,
						 now | UINT64_C(1) << free_one))
			return &slots[free_one];
	}
	page = mmap(NULL, sizeof(struct begin), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return page != MAP_FAILED ? page : NULL;
}

static void give(struct begin *begin)
{
	if (begin >= slots && begin < slots + SLOTS)
		atomic_fetch_and(&taken, ~(UINT64_C(1) << (begin - slots)));
	else
		munmap(begin, sizeof(*begin));
}

static void *run_attached(void *p)
{
	struct begin begin = *(struct begin *)p;

	give(p);
	attach_begin();
	if (begin.run_c11 != NULL)
		return (void *)(intptr_t)begin.run_c11(begin.arg);
	return begin.run(begin.arg);
}

/* A thread of the program. */
static int create_attached(pthread_t *thread, const pthread_attr_t *attr,
			   const struct begin *how)
{
	struct begin *begin = take();
	int err;

	if (begin == NULL)
		return EAGAIN;
	*begin = *how;
	libc_locks_first_thread();
	err = rtld_next.pthread_create(thread, attr, run_attached, begin);
	if (err != 0)
		give(begin);
	return err;
}

/* False: it never does, and threads are libc's alone. */
static bool takes_part(void)
{
	if (start_now())
		return true;
	libc_locks_first_thread();
	return false;
}

STAND_IN
int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
		   void *(*run)(void *), void *arg)
{
	if (!takes_part())
		return rtld_next.pthread_create(thread, attr, run, arg);
	return create_attached(thread, attr,
			       &(struct begin){ .run = run, .arg = arg });
}

/* libc's thrd_create() does not call pthread_create() by its name. */
STAND_IN
int thrd_create(thrd_t *thread, thrd_start_t run, void *arg)
{
	if (!takes_part())
		return rtld_next.thrd_create(thread, run, arg);
	switch (create_attached(thread, NULL, &(struct begin){
					.run_c11 = run, .arg = arg })) {
	case 0:
		return thrd_success;
	case ENOMEM:
		return thrd_nomem;
	default:
		return thrd_error;
	}
}

/* With the first one libc sets a handler, for the signal of samples. */
STAND_IN
int pthread_cancel(pthread_t thread)
{
	int err = rtld_next.pthread_cancel(thread);
	const struct cofl_events *events = native_events();

	if (events != NULL && events->cancels != NULL)
		events->cancels();
	return err;
}

static void note_hidden(const struct sigevent *event, const char *why)
{
	if (event == NULL || event->sigev_notify != SIGEV_THREAD)
		return;
	libc_locks_first_thread();
	hazard_note(why);
}

STAND_IN
int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
	note_hidden(event,
		    "timers may start threads nobody sees (timer_create)");
	return rtld_next.timer_create(clock, event, timer);
}

STAND_IN
int mq_notify(mqd_t queue, const struct sigevent *event)
{
	note_hidden(event, "mq_notify may start threads nobody sees");
	return rtld_next.mq_notify(queue, event);
}
