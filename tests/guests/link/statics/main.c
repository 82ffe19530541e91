/*
 * statics - files with equal static names, thread-locals and inline functions
 *
 * guest-hot:
 */
#include <pthread.h>

#include "statics.h"

static uint64_t state = 5;

NOINLINE static uint64_t step(uint64_t x)
{
	static uint64_t calls;

	calls++;
	return mix(x, state++ + calls * 0);
}

static void *in_thread(void *arg)
{
	uint64_t h = (uint64_t)(uintptr_t)arg;

	for (int i = 0; i < 500; i++) {
		shared_tls += (uint64_t)i;
		h = mix(h, b_tls() + small_inline(h));
	}
	return (void *)(uintptr_t)(h + shared_tls);
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;
	pthread_t t[2];
	void *got;

	state = 5;
	b_reset();
	for (uint64_t i = 0; i < 2000; i++)
		h = step(h) + b_step(i) + small_inline(i);
	for (uintptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, in_thread, (void *)i);
	for (int i = 0; i < 2; i++) {
		pthread_join(t[i], &got);
		h = mix(h, (uint64_t)(uintptr_t)got);
	}
	return h;
}

int main(void)
{
	guest_run("statics", round_);
	printf("%s, strings %s\n", main_inline() == b_inline() ? "one inline" :
	       "two inlines", b_text()[0] == 't' ? "kept" : "mixed up");
	return 0;
}

uint64_t (*main_inline(void))(uint64_t)
{
	return gnu_inline_one;
}
