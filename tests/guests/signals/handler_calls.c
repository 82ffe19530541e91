/*
 * handler_calls.c - a handler that interrupts malloc(3) calls what never ran
 * before
 */
#include <signal.h>
#include <sys/time.h>

#include "guest.h"

static volatile unsigned n, s;

#define FUNCTIONS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) \
	X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19)

#define DEEP(i) NOINLINE static void deep##i(void) { s = s * 31 + i; n++; }
#define CALL(i) NOINLINE static void call##i(void) { deep##i(); s++; }
#define CASE(i) case i: call##i(); break;
FUNCTIONS(DEEP)
FUNCTIONS(CALL)

static void on_alarm(int sig)
{
	(void)sig;
	switch (n) {
	FUNCTIONS(CASE)
	}
}

int main(void)
{
	struct itimerval often = { { 0, 2000 }, { 0, 2000 } };
	void *p[64] = { 0 };
	unsigned r = 1;

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	while (n < 20) {
		r = r * 1103515245 + 12345;
		free(p[r >> 16 & 63]);
		p[r >> 16 & 63] = malloc(2000 + (r >> 8) % 30000);
	}
	printf("%u %u\n", n, s);
	return 0;
}
