/*
 * little_stack_first_calls.c - functions are first called where little stack is
 * left: in coroutines, in handlers on alternate stacks, in threads on memory of
 * the program's own
 *
 * args: coroutines
 * args: signals
 * args: signals 100
 * args: threads
 * args: coroutines 100
 * args: threads 100
 *
 * With a number: that many milliseconds of CPU time there, so that samples come
 * too.
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define COROUTINE_BYTES 4096
#define PAGE 4096

static long run_ms;

/* Functions that nothing else calls, in reach of a pointer or by name. */
#define LEAF(n)                                                                \
	__attribute__((noinline)) static long leaf##n(long x)                  \
	{                                                                      \
		__asm__ volatile("" : "+r"(x));                                \
		return x * (n) + 1;                                            \
	}                                                                      \
	__attribute__((noinline)) static long calls##n(long x)                 \
	{                                                                      \
		return leaf##n(x + 1) + leaf##n(x + 2);                        \
	}
LEAF(1) LEAF(2) LEAF(3) LEAF(4) LEAF(5) LEAF(6) LEAF(7) LEAF(8)

typedef long work_fn(long);
static work_fn *volatile work[] = { calls1, calls2, calls3, calls4,
				    calls5, calls6, calls7, calls8 };

static long cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

__attribute__((noinline)) static long stay(void)
{
	long until = cpu_ms() + run_ms, sum = 0;

	do {
		for (long i = 0; i < 10000; i++)
			sum += leaf8(i);
	} while (cpu_ms() < until);
	return run_ms != 0 ? 0 : sum;
}

/* -- Coroutines ------------------------------------------------------------ */

static ucontext_t main_context, context[4];
static long results[4];

static void coroutine(int n)
{
	results[n] = work[2 * n](n) + work[2 * n + 1](n);
	swapcontext(&context[n], &main_context);
	results[n] += stay();
}

/* A stack with a page below it that faults. */
static char *new_stack(size_t bytes)
{
	char *p = mmap(NULL, PAGE + bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p, PAGE, PROT_NONE) != 0)
		exit(1);
	return p + PAGE;
}

static void coroutines(void)
{
	for (int n = 0; n < 4; n++) {
		getcontext(&context[n]);
		context[n].uc_stack.ss_sp = new_stack(COROUTINE_BYTES);
		context[n].uc_stack.ss_size = COROUTINE_BYTES;
		context[n].uc_link = &main_context;
		makecontext(&context[n], (void (*)(void))coroutine, 1, n);
	}
	for (int n = 0; n < 8; n++)
		swapcontext(&main_context, &context[n & 3]);
	for (int n = 0; n < 4; n++)
		printf("%ld\n", results[n]);
}

/* -- Signals --------------------------------------------------------------- */

static volatile sig_atomic_t at, inside;
static char *alternate;
static size_t alternate_bytes;

static void on_signal(int sig)
{
	char here;

	inside = &here >= alternate && &here < alternate + alternate_bytes;
	results[0] += sig + work[at](at);
}

/* Takes what the kernel's frame leaves, less 1 KB. */
static void on_signal_deep(int sig)
{
	size_t bytes = alternate_bytes - (size_t)sysconf(_SC_MINSIGSTKSZ) -
		       1024;
	volatile char room[bytes];

	for (size_t i = 0; i < bytes; i++)
		room[i] = (char)sig;
	results[0] += stay() + room[0] + room[bytes - 1];
}

/* How many the mask has, 64 signals: more than libc lets a program name. */
static int blocked(const sigset_t *mask)
{
	unsigned long bits;

	memcpy(&bits, mask, sizeof(bits));
	return __builtin_popcountl(bits);
}

static void show_alternate(void)
{
	stack_t now;

	if (sigaltstack(NULL, &now) != 0)
		exit(1);
	printf("%d %d %zu\n", now.ss_sp == alternate, now.ss_flags,
	       now.ss_size);
}

static void signals(void)
{
	struct sigaction act = { .sa_handler = on_signal }, former;
	stack_t stack, was;

	show_alternate();
	cpu_ms();	/* the dynamic linker needs room for a first call */
	for (at = 0; at < 2; at++) {	/* on this stack */
		sigaction(SIGUSR1, &act, NULL);
		raise(SIGUSR1);
		printf("%d %ld\n", (int)inside, results[0]);
	}
	/* What libc says is enough for the frame, and 3 KB. */
	alternate_bytes = ((size_t)sysconf(_SC_MINSIGSTKSZ) + 3072 + PAGE - 1) &
			  ~(size_t)(PAGE - 1);
	alternate = new_stack(alternate_bytes);
	stack = (stack_t){ .ss_sp = alternate, .ss_size = alternate_bytes };
	printf("%d %d %p\n", sigaltstack(&stack, &was), was.ss_flags,
	       was.ss_sp);
	act.sa_flags = SA_ONSTACK;
	for (; at < 6; at++) {
		sigaction(SIGUSR1, &act, NULL);
		raise(SIGUSR1);
		printf("%d %ld\n", (int)inside, results[0]);
	}
	act.sa_handler = on_signal_deep;
	sigaction(SIGUSR1, &act, &former);
	raise(SIGUSR1);
	printf("%ld %d\n", results[0], blocked(&former.sa_mask));
	act.sa_handler = on_signal;
	sigaction(SIGUSR1, &act, NULL);
	show_alternate();
	stack.ss_flags = SS_DISABLE;
	sigaltstack(&stack, NULL);
	alternate = NULL;
	alternate_bytes = 0;
	show_alternate();
	raise(SIGUSR1);
	printf("%d %ld\n", (int)inside, results[0]);
}

/* -- Threads --------------------------------------------------------------- */

#define THREAD_BYTES 16384
#define DEEP 8000	/* natively left, with libc's part */

static char *thread_stack;
static pthread_key_t key;

static void at_end(void *p)
{
	printf("end %s\n", (char *)p);
}

static int reported(pthread_t thread)
{
	pthread_attr_t attr;
	size_t bytes;
	void *lo;
	int same;

	if (pthread_getattr_np(thread, &attr) != 0)
		return -1;
	pthread_attr_getstack(&attr, &lo, &bytes);
	same = lo == thread_stack && bytes == THREAD_BYTES;
	pthread_attr_destroy(&attr);
	return same;
}

__attribute__((noinline)) static int deep(int n)
{
	volatile char room[DEEP];

	memset((char *)room, n, sizeof(room));
	return room[0] + room[DEEP - 1] + (int)work[n & 7](n);
}

static void cleanup(void *p)
{
	printf("cleanup %s\n", (char *)p);
}

__attribute__((noinline)) static void leave(void)
{
	pthread_exit("left");
}

/* The creator asks while the thread is there, and cancels it when it waits. */
static sem_t seen, waits;

static void *thread(void *arg)
{
	char here;
	int n = (int)(long)arg;

	while (sem_wait(&seen) != 0)
		;
	pthread_setspecific(key, "key");
	printf("%d %d ", &here >= thread_stack &&
	       &here < thread_stack + THREAD_BYTES, deep(n));
	printf("%d %ld\n", reported(pthread_self()), stay());
	if (n & 1) {
		pthread_cleanup_push(cleanup, "it");
		leave();
		pthread_cleanup_pop(0);
	}
	if (n & 2) {
		sem_post(&waits);
		for (;;)
			pause();
	}
	return "returned";
}

static void threads(void)
{
	pthread_attr_t attr;
	pthread_t t;
	void *result;

	sem_init(&seen, 0, 0);
	sem_init(&waits, 0, 0);
	pthread_key_create(&key, at_end);
	thread_stack = new_stack(THREAD_BYTES);
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, thread_stack, THREAD_BYTES);
	for (long n = 0; n < 8; n++) {
		if (pthread_create(&t, &attr, thread, (void *)n) != 0)
			exit(1);
		printf("%d ", reported(t));
		sem_post(&seen);
		if ((n & 3) == 2) {
			while (sem_wait(&waits) != 0)
				;
			pthread_cancel(t);
		}
		pthread_join(t, &result);
		printf("%s\n", result == PTHREAD_CANCELED ? "cancelled" :
		       (char *)result);
	}
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOFBF, 65536);
	if (argc < 2)
		return 1;
	if (argc > 2)
		run_ms = strtol(argv[2], NULL, 10);
	if (strcmp(argv[1], "coroutines") == 0)
		coroutines();
	else if (strcmp(argv[1], "signals") == 0)
		signals();
	else
		threads();
	return 0;
}
