/*
 * atomics.c - C11 atomics of every width under contention, and fences
 *
 * guest-hot:
 * guest-libs: -latomic
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "guest.h"

#define THREADS 4
#define TIMES   5000

struct pair { uint64_t a, b; };

static _Atomic uint8_t  small;
static _Atomic uint16_t middle;
static _Atomic uint64_t large, maximum;
static _Atomic double real;
static atomic_flag spin = ATOMIC_FLAG_INIT;
static uint64_t guarded;

struct node { struct node *next; uint64_t v; };
static _Atomic(struct node *) stack;

NOINLINE static void push(struct node *n)
{
	n->next = atomic_load_explicit(&stack, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&stack, &n->next, n,
	       memory_order_release, memory_order_relaxed))
		;
}

NOINLINE static void bump(uint64_t i)
{
	uint64_t m = maximum;

	small++;
	middle += 3;
	atomic_fetch_xor_explicit(&large, i * i, memory_order_relaxed);
	while (m < i && !atomic_compare_exchange_strong(&maximum, &m, i))
		;
	real += 0.5;
	while (atomic_flag_test_and_set_explicit(&spin, memory_order_acquire))
		__builtin_ia32_pause();
	guarded = mix(guarded, 1);
	atomic_flag_clear_explicit(&spin, memory_order_release);
}

static void *thread(void *arg)
{
	struct node *nodes = arg;

	for (uint64_t i = 0; i < TIMES; i++) {
		bump(i);
		if (i < 100)
			push(&nodes[i]);
	}
	return NULL;
}

static uint64_t round_(void)
{
	static struct node nodes[THREADS][100];
	pthread_t t[THREADS];
	uint64_t sum = 0;

	small = 0;
	middle = 0;
	large = maximum = guarded = 0;
	real = 0;
	stack = NULL;
	for (uint64_t i = 0; i < THREADS; i++) {
		for (uint64_t j = 0; j < 100; j++)
			nodes[i][j].v = i * 100 + j;
		pthread_create(&t[i], NULL, thread, nodes[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	for (struct node *n = stack; n; n = n->next)
		sum += n->v * n->v;
	return mix(mix(mix(sum, small * 65536u + middle), large + maximum),
		   guarded) + bits(real);
}

int main(void)
{
	guest_run("atomics", round_);
	return 0;
}
