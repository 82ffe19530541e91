/*
 * own_coroutines.c - stacks that the program switches itself, past libc: code
 * stays while one of them, which waits, has a frame of it
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define COROUTINES  100
#define STACK_BYTES 65536

static void *thread, *at[COROUTINES];
static int   now, left = COROUTINES;
static uint64_t sum;

/* Save what a call leaves as it is, and go on where *to was left. */
__attribute__((naked, noinline)) static void go(void **from, void *to)
{
	__asm__("push %rbp\n push %rbx\n"
		"push %r12\n push %r13\n push %r14\n push %r15\n"
		"mov %rsp, (%rdi)\n mov %rsi, %rsp\n"
		"pop %r15\n pop %r14\n pop %r13\n pop %r12\n"
		"pop %rbx\n pop %rbp\n ret\n");
}

static void wait_here(void)
{
	go(&at[now], thread);
}

__attribute__((noinline)) static uint64_t leaf(uint64_t a, int n)
{
	for (int i = 0; i < n; i++)
		a = a * 6364136223846793005u + (uint64_t)i;
	return a;
}

__attribute__((noinline)) static uint64_t middle(uint64_t a, int n)
{
	a = leaf(a, n);
	if ((a & 7) == 0)
		wait_here();
	return leaf(a + 1, n / 2);
}

__attribute__((noinline)) static uint64_t deep(uint64_t a, int depth)
{
	if (depth == 0)
		return middle(a, 300);
	a = middle(a, 50);
	a = deep(a, depth - 1);
	return leaf(a, 20) + (uint64_t)depth;
}

static void coroutine(void)
{
	uint64_t a = (uint64_t)now;

	for (int i = 0; i < 3000; i++)
		a = deep(a, 6);
	sum += a;
	left--;
	at[now] = NULL;
	go(&(void *){ NULL }, thread);
}

/* As go() would have left it: six registers, then where it returns to. */
static void *begin(void)
{
	char *stack = malloc(STACK_BYTES);
	uintptr_t top = ((uintptr_t)stack + STACK_BYTES) & ~(uintptr_t)15;
	void **sp = (void **)(top - 16);

	*sp = (void *)coroutine;
	for (int i = 0; i < 6; i++)
		*--sp = NULL;
	return sp;
}

int main(void)
{
	for (int i = 0; i < COROUTINES; i++)
		at[i] = begin();
	while (left > 0)
		for (now = 0; now < COROUTINES; now++)
			if (at[now] != NULL)
				go(&thread, at[now]);
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
