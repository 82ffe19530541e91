/*
 * osr.c - loops that are never left, in functions that are called once: they go
 * on in newer code all the same, in the middle of everything
 *
 * guest-osr:
 * guest-args: nest
 * guest-args: irreducible
 * guest-args: direct
 * guest-args: labels
 * guest-args: locked
 * guest-args: recursive
 * guest-led: irreducible
 * guest-led: direct
 * guest-led: labels
 * guest-tried: nest
 * guest-tried: irreducible
 * guest-tried: direct
 * guest-tried: recursive
 * guest-tried: locked
 */
#include <pthread.h>

#include "guest.h"

static volatile uint64_t seed = 12345;

NOINLINE static uint64_t nest(void)
{
	uint64_t a = seed, table[16];

	for (int i = 0; i < 16; i++)
		table[i] = a * (uint64_t)i;
	ROUNDS_BEGIN(h)
		for (int i = 0; i < 40; i++) {
			uint64_t row = h ^ (uint64_t)i;

			for (int j = 0; j < 40; j++) {
				uint64_t cell = row + table[j & 15];

				for (int k = 0; k < 40; k++)
					cell = cell * 31 +
					       (uint64_t)(i ^ j ^ k);
				row += cell;
			}
			h = mix(h, row);
		}
	ROUNDS_END(h);
	return first_ + table[3];
}

NOINLINE static uint64_t irreducible(void)
{
	uint64_t a = seed, b = a * 3;

	ROUNDS_BEGIN(h)
		uint64_t x = a, y = b;
		int i = 0;

		if (x & 1)
			goto middle;
top:		x = x * 5 + y;
		i++;
middle:		y = y * 7 ^ x;
		i++;
		if (i < 20000)
			{ if (y & 4) goto top; goto middle; }
		h = mix(mix(h, x), y);
	ROUNDS_END(h);
	return first_;
}

/* An interpreter with threaded code, as Lua's. */
NOINLINE static uint64_t direct(void)
{
	static const void *const table[] = { &&add, &&sub, &&xor, &&shift,
					     &&jump, &&end };
	static const unsigned char code[] = { 0, 2, 1, 0, 3, 2, 0, 4, 5 };
	uint64_t a = seed;

	ROUNDS_BEGIN(h)
		uint64_t x = a, y = 99;
		unsigned left = 5000;
		const unsigned char *pc = code;

		goto *table[*pc++];
add:		x += y;
		goto *table[*pc++];
sub:		y -= x;
		goto *table[*pc++];
xor:		x ^= y << 3;
		goto *table[*pc++];
shift:		y = y << 7 | y >> 57;
		goto *table[*pc++];
jump:		if (--left != 0)
			pc = code;
		goto *table[*pc++];
end:		h = mix(mix(h, x), y);
	ROUNDS_END(h);
	return first_;
}

/* The outermost loop's header is a label that indirect branches lead to. */
NOINLINE static uint64_t labels(void)
{
	static const void *const table[] = { &&add, &&sub, &&xor, &&next };
	static const unsigned char code[] = { 1, 2, 0, 1, 0, 1, 2, 1, 0, 0, 3,
					      3, 3, 3, 3, 3, 3, 3, 3 };
	uint64_t cpu = guest_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t wall = guest_ns(CLOCK_MONOTONIC), first = 0, rounds = 0;
	uint64_t a = seed, x = a, y = 99, h = MIX0;
	const unsigned char *pc = code;
	unsigned left = 5000;

add:	x += y;
	goto *table[*pc++];
sub:	y -= x;
	if (y & 1)
		goto add;
	goto *table[*pc++];
xor:	x ^= y << 3 | x >> 9;
	goto *table[*pc++];
next:	pc = code;
	if (--left != 0)
		goto *table[*pc++];
	h = mix(mix(MIX0, x), y);
	if (rounds++ != 0 && h != first)
		guest_differs(__func__, h, first);
	first = h;
	if (rounds >= 2 && guest_enough(cpu, wall))
		return h;
	x = a;
	y = 99;
	left = 5000;
	goto add;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t shared;

NOINLINE static void *in_thread(void *arg)
{
	uint64_t a = (uint64_t)(uintptr_t)arg;

	ROUNDS_BEGIN(h)
		for (int i = 0; i < 500; i++) {
			pthread_mutex_lock(&lock);
			for (int k = 0; k < 40; k++)
				shared++;
			h = mix(h, a + (uint64_t)i);
			for (int k = 0; k < 40; k++)
				shared--;
			pthread_mutex_unlock(&lock);
		}
	ROUNDS_END(h);
	return (void *)(uintptr_t)first_;
}

static uint64_t locked(void)
{
	pthread_t thread[2];
	void *result[2];

	for (uintptr_t i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, in_thread, (void *)i) != 0)
			exit(4);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], &result[i]);
	return (uint64_t)(uintptr_t)result[0] + 3 *
	       (uint64_t)(uintptr_t)result[1] + shared;
}

/* Frames of one version, one upon the other, each in its loop. That of the last
 * one comes round all the time. */
NOINLINE static uint64_t recursive_of(int depth)
{
	uint64_t cpu = guest_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t wall = guest_ns(CLOCK_MONOTONIC);
	uint64_t sum = 0, first = 0, local[2] = { (uint64_t)depth, seed };

	for (int i = 0; i < 3 || (depth == 0 && !guest_enough(cpu, wall));
	     i += i < 3) {
		uint64_t h = local[1];

		for (int k = 0; k < 20000; k++)
			h = h * 31 + local[k & 1];
		if (i > 0 && h != first)
			guest_differs(__func__, h, first);
		first = h;
		if (depth > 0 && i == 1)
			sum += recursive_of(depth - 1);
	}
	return sum * 31 + first;
}

static uint64_t recursive(void)
{
	return recursive_of(5);
}

static const struct guest_case cases[] = {
	GUEST_CASE(nest), GUEST_CASE(irreducible), GUEST_CASE(direct),
	GUEST_CASE(labels), GUEST_CASE(locked), GUEST_CASE(recursive),
};

int main(int argc, char **argv)
{
	return guest_cases(cases, sizeof(cases) / sizeof(*cases), argc, argv);
}
