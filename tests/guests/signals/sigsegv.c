/*
 * sigsegv.c - faults are caught on an alternate stack, and jumped out of
 *
 * guest-hot:
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guest.h"

static sigjmp_buf up;
static char *page, *volatile fault_at;
static volatile int on_alt;
static char alt[64 << 10];

static void on_fault(int sig, siginfo_t *info, void *context)
{
	char here;

	(void)context;
	on_alt += &here >= alt && &here < alt + sizeof(alt);
	fault_at = info->si_addr;
	siglongjmp(up, sig);
}

NOINLINE static uint64_t poke(char *p, unsigned n)
{
	uint64_t h = MIX0;

	for (unsigned i = 0; i < n; i++) {
		p[i * 64] = (char)i;
		h = mix(h, i);
	}
	return h;
}

NOINLINE static int divide(volatile int a, volatile int b)
{
	return a / b;
}

NOINLINE static void overflow(unsigned n)
{
	volatile char frame[4096];

	frame[0] = (char)n;
	overflow(n + 1);
	frame[1] = frame[0];
}

static uint64_t round_(void)
{
	volatile uint64_t h = MIX0;
	int sig;

	for (volatile int i = 0; i < 40; i++) {
		sig = sigsetjmp(up, 1);
		if (sig == 0)
			h = mix(h, poke(page, 100));	/* 64 fit */
		else
			h = mix(h, (uint64_t)sig * 1000 +
				(uint64_t)(fault_at - page));
		sig = sigsetjmp(up, 1);
		if (sig == 0)
			h = mix(h, (uint64_t)divide(i, i % 4));
		else
			h = mix(h, (uint64_t)sig);
	}
	return h;
}

int main(void)
{
	struct sigaction sa = {
		.sa_sigaction = on_fault,
		.sa_flags = SA_SIGINFO | SA_ONSTACK,
	};
	stack_t stack = { .ss_sp = alt, .ss_size = sizeof(alt) };

	page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(page + 4096, 4096, PROT_NONE);
	sigaltstack(&stack, NULL);
	sigaction(SIGSEGV, &sa, NULL);
	sigaction(SIGFPE, &sa, NULL);
	guest_run("sigsegv", round_);
	if (sigsetjmp(up, 1) == 0)
		overflow(0);
	else
		puts("stack overflow caught");
	puts(on_alt ? "on the alternate stack" : "on the wrong stack");
	return 0;
}
