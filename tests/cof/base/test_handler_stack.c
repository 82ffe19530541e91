/*
 * test_handler_stack.c - a signal comes while a handler is on another stack
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/handler_stack.h"

#define STACK_BYTES ((size_t)64 << 10)
#define USED_BYTES  4096
#define PATTERN     0x5a

static unsigned char *alternate;
static volatile unsigned inner, outer, kept;
static stack_t within, after;

static void fill(unsigned char *at, int with)
{
	memset(at, with, USED_BYTES);
	__asm__ volatile("" : : "r"(at) : "memory");
}

static void on_inner(int sig)
{
	unsigned char used[USED_BYTES];

	fill(used, sig);
	inner++;
}

static void raise_inner(void *arg)
{
	sigaltstack(NULL, &within);
	raise(*(int *)arg);
}

static void on_outer(int sig)
{
	unsigned char used[USED_BYTES];
	int other = SIGUSR2;

	(void)sig;
	fill(used, PATTERN);
	outer += cof_handler_stack_run(STACK_BYTES, raise_inner, &other);
	for (size_t i = 0; i < sizeof(used); i++)
		kept += used[i] == PATTERN;
	sigaltstack(NULL, &after);
}

static void handle(int sig, void (*handler)(int))
{
	struct sigaction act = { .sa_handler = handler,
				 .sa_flags = SA_ONSTACK };

	assert_int_equal(sigaction(sig, &act, NULL), 0);
}

static void the_handlers_frame_stays(void **state)
{
	stack_t stack = { .ss_size = STACK_BYTES };

	(void)state;
	alternate = malloc(STACK_BYTES);
	stack.ss_sp = alternate;
	assert_int_equal(sigaltstack(&stack, NULL), 0);
	handle(SIGUSR1, on_outer);
	handle(SIGUSR2, on_inner);
	raise(SIGUSR1);
	assert_int_equal(outer, 1);
	assert_int_equal(inner, 1);
	assert_int_equal(kept, USED_BYTES);
	assert_true(within.ss_flags & SS_DISABLE);
	assert_ptr_equal(after.ss_sp, alternate);
	assert_true(after.ss_flags & SS_ONSTACK);
	stack.ss_flags = SS_DISABLE;
	sigaltstack(&stack, NULL);
	free(alternate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_handlers_frame_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
