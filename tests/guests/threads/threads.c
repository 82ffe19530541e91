/*
 * threads.c - mutex, condition, barrier, rwlock, once; pthread_exit and cancel
 *
 * pthread_exit() and cancellation unwind the stack through code that gets
 * replaced, and run the cleanup handlers on the way.
 *
 * guest-hot:
 * guest-reclaims:
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "guest.h"

#define THREADS 6

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static uint64_t queue[16], head, tail, shared;
static atomic_int inits, cleaned, key_freed;

static void init(void) { atomic_fetch_add(&inits, 1); }
static void free_key(void *p) { atomic_fetch_add(&key_freed, p != NULL); }

NOINLINE static void put(uint64_t v)
{
	pthread_mutex_lock(&lock);
	while (head - tail == 16)
		pthread_cond_wait(&not_full, &lock);
	queue[head++ % 16] = v;
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&lock);
}

NOINLINE static uint64_t get(void)
{
	uint64_t v;

	pthread_mutex_lock(&lock);
	while (head == tail)
		pthread_cond_wait(&not_empty, &lock);
	v = queue[tail++ % 16];
	pthread_cond_signal(&not_full);
	pthread_mutex_unlock(&lock);
	return v;
}

NOINLINE static uint64_t work(uint64_t x, int n)
{
	for (int i = 0; i < n; i++)
		x = mix(x, (uint64_t)i);
	return x;
}

static void *producer(void *arg)
{
	uint64_t n = (uint64_t)(uintptr_t)arg;

	pthread_once(&once, init);
	for (uint64_t i = 0; i < 200; i++)
		put(work(n * 1000 + i, 50));
	put(0);
	return NULL;
}

static uint64_t queues(void)
{
	pthread_t t[3];
	uint64_t sum = 0, v;
	int ended = 0;

	for (uintptr_t i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, producer, (void *)(i + 1));
	while (ended < 3) {
		v = get();
		sum += work(v, 20);
		ended += v == 0;
	}
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return sum;
}

static void clean(void *arg)
{
	atomic_fetch_add(&cleaned, *(int *)arg);
}

NOINLINE static void deep_exit(unsigned depth, uintptr_t value)
{
	int one = 1;

	pthread_cleanup_push(clean, &one);
	if (depth == 0)
		pthread_exit((void *)(value ^ 0x55));
	deep_exit(depth - 1, work(value, 100) % 1000);
	pthread_cleanup_pop(0);
}

static void *exits(void *arg)
{
	pthread_setspecific(key, &key);
	deep_exit(10, (uintptr_t)arg);
	return NULL;
}

NOINLINE static uint64_t forever(uint64_t x)
{
	int ten = 10;

	pthread_cleanup_push(clean, &ten);
	for (;;) {
		x = work(x, 100);
		pthread_testcancel();
	}
	pthread_cleanup_pop(0);
	return x;
}

static void *cancelled(void *arg)
{
	pthread_barrier_wait(&barrier);
	forever((uint64_t)(uintptr_t)arg);
	return NULL;
}

static void *sleeps(void *arg)
{
	int hundred = 100;

	pthread_cleanup_push(clean, &hundred);
	pthread_barrier_wait(&barrier);
	for (;;)
		pause();
	pthread_cleanup_pop(0);
	return arg;
}

static uint64_t exiting(void)
{
	pthread_t t[THREADS], c[2];
	uint64_t h = MIX0;
	void *value;

	cleaned = key_freed = 0;
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, exits, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(t[i], &value);
		h = mix(h, (uint64_t)(uintptr_t)value);
	}
	pthread_create(&c[0], NULL, cancelled, &h);
	pthread_create(&c[1], NULL, sleeps, &h);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 2; i++) {
		pthread_cancel(c[i]);
		pthread_join(c[i], &value);
		h = mix(h, value == PTHREAD_CANCELED);
	}
	return mix(h, (uint64_t)(cleaned * 100 + key_freed));
}

static void *reads_and_writes(void *arg)
{
	uint64_t h = 0;

	for (uint64_t i = 0; i < 200; i++) {
		if (i % 10 == 0) {
			pthread_rwlock_wrlock(&rw);
			shared += work(i, 10) % 1000;
			pthread_rwlock_unlock(&rw);
		} else {
			pthread_rwlock_rdlock(&rw);
			h += work(shared, 5) & 1;
			pthread_rwlock_unlock(&rw);
		}
		if (i % 50 == 0)
			sched_yield();
	}
	return h > 100000 ? arg : NULL;
}

static uint64_t sharing(void)
{
	pthread_t t[4];

	shared = 0;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, reads_and_writes, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return shared;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 3);
	pthread_key_create(&key, free_key);
	guest_run("queues", queues);
	guest_run("exiting", exiting);
	guest_run("sharing", sharing);
	printf("once %d\n", (int)inits);
	return 0;
}
