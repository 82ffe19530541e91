/*
 * test_stack.c - return addresses are found, and no load leaves the stack
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>

#include "base/tsan.h"
#include "cof.h"
#include "eh_code.h"
#include "tests/support/patience.h"
#include "threads/threads.h"

static void a_chain_of_frame_pointers_is_followed_to_its_end(void **state)
{
	uint64_t s[8] = { 0 };
	struct cof_frame f = { .pc = 1, .sp = ADDRESS(s),
			       .fp = ADDRESS(s + 1) };

	(void)state;
	s[1] = ADDRESS(s + 4), s[2] = 0x1111;
	s[4] = 0, s[5] = 0x2222;
	assert_int_equal(cof_stack_step(&f, ADDRESS(s + 8)), 1);
	assert_int_equal(f.pc, 0x1111);
	assert_int_equal(f.sp, ADDRESS(s + 3));
	assert_int_equal(cof_stack_step(&f, ADDRESS(s + 8)), 1);
	assert_int_equal(f.pc, 0x2222);
	assert_int_equal(cof_stack_step(&f, ADDRESS(s + 8)), 0);
}

static void a_frame_pointer_that_leads_astray_is_not_followed(void **state)
{
	uint64_t s[8] = { 0 };
	const uint64_t astray[] = {
		0, 8, ADDRESS(s) - 8, ADDRESS(s + 1) + 4, ADDRESS(s + 7),
		ADDRESS(s + 8), ~0ull, ~7ull, ADDRESS(s + 1) /* no address */,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(astray) / sizeof(*astray); i++) {
		struct cof_frame f = { .sp = ADDRESS(s), .fp = astray[i] };

		assert_int_equal(cof_stack_step(&f, ADDRESS(s + 8)), 0);
	}
}

static void a_thread_on_another_stack_gets_no_frames(void **state)
{
	struct cof_thread t = { .stack_lo = 0x1000, .stack_hi = 0x2000 };
	ucontext_t uc = { 0 };
	uint64_t out[4];

	(void)state;
	uc.uc_mcontext.gregs[REG_RSP] = 0x2000;
	assert_int_equal(cof_stack_walk(&t, &uc, out, 4), 0);
	uc.uc_mcontext.gregs[REG_RSP] = 0xff8;
	assert_int_equal(cof_stack_walk(&t, &uc, out, 4), 0);
}

static struct cof_thread self;
static uint64_t walked[8];
static volatile sig_atomic_t n_walked;

static void on_alarm(int sig, siginfo_t *info, void *ucontext)
{
	const ucontext_t *uc = ucontext;
	uint64_t pc = (uint64_t)uc->uc_mcontext.gregs[REG_RIP];

	(void)sig, (void)info;
	if (n_walked == 0 && pc >= ADDRESS(range.exec) &&
	    pc < ADDRESS(range.exec) + 9)
		n_walked = (sig_atomic_t)cof_stack_walk(&self, uc, walked, 8);
}

static void bounds_of_this_thread(void)
{
	pthread_attr_t attr;
	size_t bytes;
	void *at;

	assert_int_equal(pthread_getattr_np(pthread_self(), &attr), 0);
	pthread_attr_getstack(&attr, &at, &bytes);
	pthread_attr_destroy(&attr);
	self.stack_lo = ADDRESS(at);
	self.stack_hi = ADDRESS(at) + bytes;
}

static void a_signal_in_jit_code_finds_its_callers(void **state)
{
	struct sigaction sa = { .sa_sigaction = on_alarm,
				.sa_flags = SA_SIGINFO | SA_RESTART }, old;
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct itimerval soon = { { 0, 2000 }, { 0, 2000 } }, off = { 0 };
	long (*outer)(long) = (long (*)(long))(uintptr_t)(range.exec + OUTER);
	struct patience p;

	(void)state;
	skip_without_libunwind();
#ifdef COF_TSAN
	skip();		/* TSan delays signals until no JIT code runs */
#endif
	assert_int_equal(add_code(), 0);
	bounds_of_this_thread();
	n_walked = 0;
	assert_int_equal(sigaction(SIGALRM, &sa, &old), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
	p = patience_begin();
	while (n_walked == 0 && !patience_is_over(&p))
		outer(1000000);
	setitimer(ITIMER_REAL, &off, NULL);
	sigaction(SIGALRM, &ignore, NULL);	/* discard pending signals */
	sigaction(SIGALRM, &old, NULL);
	assert_true(n_walked >= 2);
	assert_int_equal(walked[0], ADDRESS(range.exec) + AFTER_CALL);
	/* The next caller is this function, which is native. */
	assert_true(walked[1] < ADDRESS(range.exec) ||
		    walked[1] >= ADDRESS(range.exec) + range.bytes);
	assert_true(walked[1] - ADDRESS(a_signal_in_jit_code_finds_its_callers)
		    < 4096);
}

#define T(name) cmocka_unit_test(name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_chain_of_frame_pointers_is_followed_to_its_end),
		T(a_frame_pointer_that_leads_astray_is_not_followed),
		T(a_thread_on_another_stack_gets_no_frames),
		cmocka_unit_test_setup_teardown(
			a_signal_in_jit_code_finds_its_callers,
			make_code, drop_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
