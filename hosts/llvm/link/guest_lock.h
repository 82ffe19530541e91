/*
 * guest_lock.h - the lock under which first versions are built
 *
 * The module owns the lock and sets it here when it is loaded. Before that no
 * first version can be built, so there is nothing to lock.
 *
 * Orderings, by letter: a release store (A) when the module is there; an
 * acquire load (B) before the lock is taken.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

struct cofl_guest_lock {
	pthread_mutex_t *_Atomic mutex;	/* the module's; NULL: not loaded */
};

/* The module is loaded and owns `mutex`, which must outlive every user. */
void cofl_guest_lock_set(struct cofl_guest_lock *lock, pthread_mutex_t *mutex);

/*
 * Wait until no first version is being built, and keep it so until unlock().
 * Pass the returned value to unlock(): the module may be loaded in between.
 * Thread: any; blocks.
 */
pthread_mutex_t *cofl_guest_lock(struct cofl_guest_lock *lock);
void cofl_guest_lock_unlock(pthread_mutex_t *held);
