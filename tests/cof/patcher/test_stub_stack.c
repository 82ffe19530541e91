/*
 * test_stub_stack.c - a first call runs on a stack of libcof's
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "first_call.h"
#include "patcher/stub_stack.h"

static int one(void)
{
	return 1;
}

#define LITTLE 400u	/* bytes: what a first call may take of it */

static bool blocked;

/* A host that uses much of what it was promised; its frames have pieces. */
static void use_the_stack(void)
{
	volatile char much[COF_STUB_STACK_BYTES / 4 * 3];
	sigset_t now;

	for (size_t i = 0; i < sizeof(much); i += 1024)
		much[i] = 1;
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	blocked = sigismember(&now, SIGUSR1) == 1;
}

static char *new_page(void)
{
	char *p = mmap(NULL, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	assert_ptr_not_equal(p, MAP_FAILED);
	assert_int_equal(mprotect(p + 4096, 4096, PROT_READ | PROT_WRITE), 0);
	return p + 4096;
}

/* Call with `bytes` left until a page that faults. */
static long call_on(char *page, size_t bytes, const void *stub)
{
	long got;

	__asm__ volatile("mov %%rsp, %%rbx; mov %1, %%rsp; call *%2;"
			 "mov %%rbx, %%rsp"
			 : "=a"(got) : "r"(page + bytes), "r"(stub)
			 : "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",
			   "r11", "cc", "memory", "xmm0", "xmm1", "xmm2",
			   "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");
	return got;
}

static void a_first_call_needs_little_of_the_callers_stack(void **state)
{
	char *page = new_page();
	sigset_t before, after;

	(void)state;
	target = one;
	in_first_call = use_the_stack;
	blocked = false;
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	assert_int_equal(call_on(page, LITTLE, cof_method_stub(method)), 1);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	assert_true(blocked);
	assert_memory_equal(&before, &after, sizeof(uint64_t));
	assert_int_equal(asked, 1);
	munmap(page - 4096, 3 * 4096);
}

static struct cof_method *inner;
static uintptr_t          inner_stack;

static void add_inner(void *ctx, void *data)
{
	struct piece p = { .n = 0 };

	(void)ctx;
	(void)data;
	inner_stack = (uintptr_t)__builtin_frame_address(0);
	piece_jump_c(&p, one);
	piece_add(cof, inner, &p, NULL);
}

static uintptr_t outer_stack;

static void call_inner(void)
{
	outer_stack = (uintptr_t)__builtin_frame_address(0);
	cof->host.first_call = add_inner;
	assert_int_equal(piece_run(cof_method_stub(inner)), 1);
}

static void a_first_call_within_one_has_a_stack_of_its_own(void **state)
{
	(void)state;
	inner = piece_method(cof, NULL);
	target = one;
	in_first_call = call_inner;
	assert_int_equal(piece_run(cof_method_stub(method)), 1);
	assert_int_equal(asked, 1);
	assert_true(inner_stack > outer_stack ||
		    outer_stack - inner_stack > COF_STUB_STACK_BYTES / 2);
}

static void stacks_are_used_again_and_not_two_at_a_time(void **state)
{
	enum { MANY = 40 };	/* more than the pool keeps */
	uintptr_t end[MANY], again;
	uint64_t mask[MANY];

	(void)state;
	for (int i = 0; i < MANY; i++) {
		end[i] = cof_stub_stack_take(&mask[i]);
		assert_int_not_equal(end[i], 0);
		assert_int_equal(end[i] % 64, 0);
		for (int j = 0; j < i; j++)
			assert_int_not_equal(end[i], end[j]);
	}
	for (int i = MANY; i-- > 0;)
		cof_stub_stack_give(end[i], &mask[i]);
	again = cof_stub_stack_take(&mask[0]);
	cof_stub_stack_give(again, &mask[0]);
	for (int i = 0; i < MANY && again != 0; i++)
		if (end[i] == again)
			again = 0;
	assert_int_equal(again, 0);
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, first_call_setup,		\
					first_call_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_first_call_needs_little_of_the_callers_stack),
		T(a_first_call_within_one_has_a_stack_of_its_own),
		T(stacks_are_used_again_and_not_two_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
