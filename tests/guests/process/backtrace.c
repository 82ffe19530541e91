/*
 * backtrace.c - the unwinder walks through code that gets replaced
 *
 * guest-hot:
 */
#include <pthread.h>
#include <unwind.h>

#include "guest.h"

struct walk { int frames; uintptr_t last; };

static _Unwind_Reason_Code step(struct _Unwind_Context *c, void *arg)
{
	struct walk *w = arg;

	w->last = _Unwind_GetIP(c);
	return ++w->frames < 500 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

NOINLINE static int frames(void)
{
	struct walk w = { 0, 0 };

	_Unwind_Backtrace(step, &w);
	return w.frames;
}

NOINLINE static int under(int n)
{
	volatile int keep = n;
	int f;

	/* Walking takes most of the time, and is not what gets recompiled. */
	for (volatile int i = 0; i < 300; i++)
		;
	f = n ? under(n - 1) : frames();
	return f + keep - n;
}

static int base, base_thread;

/* However it is compiled, 40 frames more of recursion are at most 40 more. */
static uint64_t round_(void)
{
	int f = under(40), g = under(0);

	if (f > 450 || g < 2 || f < g)
		return (uint64_t)(f * 1000 + g);
	return 1;
}

static void *thread(void *arg)
{
	base_thread = under(3);
	return arg;
}

int main(void)
{
	pthread_t t;

	base = under(3);
	guest_run("backtrace", round_);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	puts(base > 2 && base_thread > 1 ? "frames" : "no frames");
	return 0;
}
