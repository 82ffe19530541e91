/*
 * guest_lock.c - a mutex that may be missing; see guest_lock.h
 */
#include "link/guest_lock.h"

#include <stddef.h>

void cofl_guest_lock_set(struct cofl_guest_lock *lock, pthread_mutex_t *mutex)
{
	atomic_store_explicit(&lock->mutex, mutex,
			      memory_order_release);	/* A */
}

pthread_mutex_t *cofl_guest_lock(struct cofl_guest_lock *lock)
{
	pthread_mutex_t *mutex = atomic_load_explicit(
		&lock->mutex, memory_order_acquire);	/* B */

	if (mutex != NULL)
		pthread_mutex_lock(mutex);
	return mutex;
}

void cofl_guest_lock_unlock(pthread_mutex_t *held)
{
	if (held != NULL)
		pthread_mutex_unlock(held);
}
