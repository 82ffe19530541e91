/*
 * test_stack.c - return addresses are found, and nothing else is touched
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>

#include "cof.h"
#include "process.h"
#include "sampler/ehframe.h"
#include "sampler/stack.h"
#include "sampler/threads.h"
#include "sampler/unwind.h"
#include "tsan.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

/* -- Frame pointers -------------------------------------------------------- */

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

/* -- A piece of JIT code, and its .eh_frame -------------------------------- */

/*
 * inner counts rdi down; outer calls it with a frame pointer of 0, so that
 * frame pointers lead nowhere.
 */
#define OUTER 16
static const uint8_t code[] = {
	0x48, 0x89, 0xf8,		/*  0 inner: mov rax, rdi */
	0x48, 0xff, 0xc8,		/*  3 1: dec rax */
	0x75, 0xfb,			/*  6 jnz 1b */
	0xc3,				/*  8 ret */
	0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
	0x55,				/* 16 outer: push rbp */
	0x31, 0xed,			/* 17 xor ebp, ebp */
	0x48, 0x83, 0xec, 0x20,		/* 19 sub rsp, 32 */
	0xe8, 0xe4, 0xff, 0xff, 0xff,	/* 23 call inner */
	0x48, 0x83, 0xc4, 0x20,		/* 28 add rsp, 32 */
	0x5d,				/* 32 pop rbp */
	0xc3,				/* 33 ret */
};
#define AFTER_CALL 28

static struct cof_range range;
static uint8_t *frames;
static size_t frames_bytes;

static void put(const void *bytes, size_t n)
{
	memcpy(frames + frames_bytes, bytes, n);
	frames_bytes += n;
}

static void put32(uint32_t v)
{
	put(&v, sizeof(v));
}

/* One FDE for [from, to) of the code. */
static void put_fde(uint32_t from, uint32_t to, const uint8_t *cfi,
		    uint32_t cfi_bytes)
{
	uint64_t here;

	put32(4 + 8 + 1 + cfi_bytes);
	put32((uint32_t)frames_bytes);		/* back to the CIE at 0 */
	here = ADDRESS(frames) + frames_bytes;
	put32((uint32_t)(ADDRESS(range.exec) + from - here));
	put32(to - from);
	put("", 1);
	put(cfi, cfi_bytes);
}

static void put_frames(void)
{
	static const uint8_t cie[] = {
		1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b,	/* pcrel, sdata4 */
		0x0c, 7, 8,		/* CFA is rsp + 8 */
		0x90, 1,		/* return address at CFA - 8 */
		0, 0,
	};
	static const uint8_t leaf[] = { 0, 0, 0 };
	static const uint8_t outer[] = {
		0x41, 0x0e, 16, 0x86, 2,	/* 17: CFA + 8, rbp saved */
		0x46, 0x0e, 48,			/* 23: 32 more */
		0x49, 0x0e, 16,			/* 32: back */
		0x41, 0x0e, 8,			/* 33: and rbp off */
		0xc6, 0,			/* rbp is the caller's */
	};

	frames = (uint8_t *)range.data + 64;
	frames_bytes = 0;
	put32(4 + sizeof(cie));
	put32(0);
	put(cie, sizeof(cie));
	put_fde(0, 9, leaf, sizeof(leaf));
	put_fde(OUTER, sizeof(code), outer, sizeof(outer));
	put32(0);
}

static int make_code(void **state)
{
	(void)state;
	if (cof_range_map(&range, 1 << 16, 1 << 16) != 0)
		return -1;
	memcpy(range.write, code, sizeof(code));
	put_frames();
	return 0;
}

static int drop_code(void **state)
{
	(void)state;
	cof_unwind_remove(range.exec);
	cof_range_unmap(&range);
	return 0;
}

static int add_code(void)
{
	return cof_unwind_add(range.exec, range.exec + sizeof(code), frames,
			      frames_bytes);
}

struct fdes {
	struct cof_fde fde[4];
	int n;
};

static int collect(void *arg, const struct cof_fde *fde)
{
	struct fdes *fdes = arg;

	fdes->fde[fdes->n++] = *fde;
	return 0;
}

static void an_eh_frame_gives_its_functions(void **state)
{
	struct fdes fdes = { .n = 0 };

	(void)state;
	assert_int_equal(cof_ehframe_read(frames, frames_bytes, collect, &fdes),
			 2);
	assert_int_equal(fdes.fde[0].start, ADDRESS(range.exec));
	assert_int_equal(fdes.fde[0].end, ADDRESS(range.exec) + 9);
	assert_int_equal(fdes.fde[1].start, ADDRESS(range.exec) + OUTER);
	assert_int_equal(fdes.fde[1].end, ADDRESS(range.exec) + sizeof(code));
}

static void an_eh_frame_cut_anywhere_is_read_no_further(void **state)
{
	struct fdes fdes;
	long n;

	(void)state;
	for (size_t bytes = 0; bytes < frames_bytes; bytes++) {
		/* At the very end of memory: one byte further is a fault. */
		uint8_t *end = (uint8_t *)range.data + range.data_bytes;

		memcpy(end - bytes, frames, bytes);
		fdes.n = 0;
		n = cof_ehframe_read(end - bytes, bytes, collect, &fdes);
		assert_true(n <= 2);
		assert_int_equal(n < 0 ? fdes.n <= 2 : fdes.n == n, 1);
	}
}

static void an_eh_frame_with_any_byte_wrong_is_survived(void **state)
{
	struct fdes fdes;

	(void)state;
	for (size_t at = 0; at < frames_bytes; at++) {
		for (int bit = 0; bit < 8; bit++) {
			frames[at] ^= (uint8_t)(1 << bit);
			fdes.n = 0;
			assert_true(cof_ehframe_read(frames, frames_bytes,
						     collect, &fdes) <= 2);
			frames[at] ^= (uint8_t)(1 << bit);
		}
	}
}

/* -- CFI steps ------------------------------------------------------------- */

static void skip_without_libunwind(void)
{
	if (!cof_unwind_open())
		skip();
}

/* The stack of a thread that stands at `pc`: words of it below the return
 * address, and whether rbp is among them. */
static const struct {
	uint32_t pc, below;
	bool     saved;
} stand[] = {
	{ 0, 0, false }, { 3, 0, false }, { 8, 0, false },
	{ OUTER, 0, false }, { 17, 1, true }, { 19, 1, true }, { 23, 5, true },
	{ 28, 5, true }, { 32, 1, true }, { 33, 0, false },
};

static void the_caller_is_found_from_every_instruction(void **state)
{
	(void)state;
	skip_without_libunwind();
	assert_int_equal(add_code(), 0);
	for (size_t i = 0; i < sizeof(stand) / sizeof(*stand); i++) {
		uint64_t s[16] = { 0 };
		struct cof_frame f = { .pc = ADDRESS(range.exec) + stand[i].pc,
				       .sp = ADDRESS(s), .fp = 0x77 };

		s[stand[i].below] = 0x1234;
		if (stand[i].saved)
			s[stand[i].below - 1] = 0x55;
		assert_int_equal(cof_unwind_step(&f, false, ADDRESS(s + 16)),
				 1);
		assert_int_equal(f.pc, 0x1234);
		assert_int_equal(f.sp, ADDRESS(s + stand[i].below + 1));
		assert_int_equal(f.fp, stand[i].saved ? 0x55 : 0x77);
	}
}

static void no_load_goes_beyond_the_stack(void **state)
{
	uint64_t s[16] = { 0 };
	struct cof_frame f = { .pc = ADDRESS(range.exec) + AFTER_CALL,
			       .sp = ADDRESS(s) };

	(void)state;
	skip_without_libunwind();
	assert_int_equal(add_code(), 0);
	s[5] = 0x1234;
	/* The stack ends right below the return address. */
	assert_int_equal(cof_unwind_step(&f, true, ADDRESS(s + 5)), -1);
	f.sp = 16;	/* and here there is none */
	assert_int_equal(cof_unwind_step(&f, true, 32), -1);
	f.sp = ~0ull - 15;	/* and here it would wrap */
	assert_int_equal(cof_unwind_step(&f, true, ~0ull), -1);
}

static void the_eh_frame_may_go_once_it_was_added(void **state)
{
	uint64_t s[4] = { 0x1234 };
	struct cof_frame f = { .pc = ADDRESS(range.exec) + 3,
			       .sp = ADDRESS(s) };

	(void)state;
	skip_without_libunwind();
	assert_int_equal(add_code(), 0);
	memset(frames, 0xff, frames_bytes);
	assert_int_equal(cof_unwind_step(&f, false, ADDRESS(s + 4)), 1);
	assert_int_equal(f.pc, 0x1234);
}

static void code_without_tables_is_left_to_frame_pointers(void **state)
{
	uint64_t s[4] = { 0 };
	struct cof_frame f = { .pc = ADDRESS(range.exec), .sp = ADDRESS(s) };

	(void)state;
	skip_without_libunwind();
	assert_int_equal(cof_unwind_step(&f, false, ADDRESS(s + 4)), 0);
	assert_int_equal(add_code(), 0);
	s[0] = 0x1234;
	assert_int_equal(cof_unwind_step(&f, false, ADDRESS(s + 4)), 1);
	cof_unwind_remove(range.exec);
	f = (struct cof_frame){ .pc = ADDRESS(range.exec), .sp = ADDRESS(s) };
	assert_int_equal(cof_unwind_step(&f, false, ADDRESS(s + 4)), 0);
}

static void tables_are_refused_that_cannot_be_used(void **state)
{
	static uint8_t far[256];
	const uint8_t *exec = (uint8_t *)range.exec;

	(void)state;
	skip_without_libunwind();
	assert_int_equal(add_code(), 0);
	assert_int_equal(add_code(), -COF_E_INVAL);		/* overlaps */
	assert_int_equal(cof_unwind_add(exec + 4, exec + 8, frames,
					frames_bytes), -COF_E_INVAL);
	assert_int_equal(cof_unwind_add(exec + 99, exec + 99, frames,
					frames_bytes), -COF_E_INVAL);
	assert_int_equal(cof_unwind_add(exec + 100, exec + 120, frames, 10),
			 -COF_E_INVAL);				/* malformed */
	memcpy(far, frames, frames_bytes);
	assert_int_equal(cof_unwind_add(exec + 100, exec + 120, far,
					frames_bytes), -COF_E_INVAL);
}

/* -- A real signal --------------------------------------------------------- */

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
	struct itimerval soon = { { 0, 2000 }, { 0, 2000 } }, off = { 0 };
	long (*outer)(long) = (long (*)(long))(uintptr_t)(range.exec + OUTER);

	(void)state;
	skip_without_libunwind();
#ifdef COF_TSAN
	skip();		/* puts signals off to where no JIT code runs */
#endif
	assert_int_equal(add_code(), 0);
	bounds_of_this_thread();
	n_walked = 0;
	assert_int_equal(sigaction(SIGALRM, &sa, &old), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
	for (int i = 0; i < 10000 && n_walked == 0; i++)
		outer(1000000);
	setitimer(ITIMER_REAL, &off, NULL);
	sigaction(SIGALRM, &old, NULL);
	assert_true(n_walked >= 2);
	assert_int_equal(walked[0], ADDRESS(range.exec) + AFTER_CALL);
	/* Then this function, which is native. */
	assert_true(walked[1] < ADDRESS(range.exec) ||
		    walked[1] >= ADDRESS(range.exec) + range.bytes);
	assert_true(walked[1] - ADDRESS(a_signal_in_jit_code_finds_its_callers)
		    < 4096);
}

/* -- Tables that come and go ----------------------------------------------- */

static _Atomic bool done;
static _Atomic uint64_t steps;

static void *step_on_and_on(void *arg)
{
	while (!atomic_load(&done)) {
		uint64_t s[4] = { 0x1234 };
		struct cof_frame f = { .pc = ADDRESS(range.exec) + 3,
				       .sp = ADDRESS(s) };

		if (cof_unwind_step(&f, false, ADDRESS(s + 4)) == 1 &&
		    f.pc == 0x1234)
			atomic_fetch_add(&steps, 1);
	}
	return arg;
}

static void steps_go_on_while_tables_come_and_go(void **state)
{
	pthread_t thread;

	(void)state;
	skip_without_libunwind();
	assert_int_equal(add_code(), 0);
	atomic_store(&done, false);
	assert_int_equal(pthread_create(&thread, NULL, step_on_and_on, NULL),
			 0);
	/* The same tables for ranges that have nothing to do with them. */
	for (int i = 0; i < 3000 || atomic_load(&steps) < 1000; i++) {
		const char *at = range.exec + 4096 + i % 7 * 64;

		assert_int_equal(cof_unwind_add(at, at + 64, frames,
						frames_bytes), 0);
		cof_unwind_remove(at);
	}
	atomic_store(&done, true);
	pthread_join(thread, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_of_frame_pointers_is_followed_to_its_end),
		cmocka_unit_test(a_frame_pointer_that_leads_astray_is_not_followed),
		cmocka_unit_test(a_thread_on_another_stack_gets_no_frames),
		cmocka_unit_test_setup_teardown(an_eh_frame_gives_its_functions, make_code, drop_code),
		cmocka_unit_test_setup_teardown(an_eh_frame_cut_anywhere_is_read_no_further, make_code, drop_code),
		cmocka_unit_test_setup_teardown(an_eh_frame_with_any_byte_wrong_is_survived, make_code, drop_code),
		cmocka_unit_test_setup_teardown(the_caller_is_found_from_every_instruction, make_code, drop_code),
		cmocka_unit_test_setup_teardown(no_load_goes_beyond_the_stack, make_code, drop_code),
		cmocka_unit_test_setup_teardown(the_eh_frame_may_go_once_it_was_added, make_code, drop_code),
		cmocka_unit_test_setup_teardown(code_without_tables_is_left_to_frame_pointers, make_code, drop_code),
		cmocka_unit_test_setup_teardown(tables_are_refused_that_cannot_be_used, make_code, drop_code),
		cmocka_unit_test_setup_teardown(a_signal_in_jit_code_finds_its_callers, make_code, drop_code),
		cmocka_unit_test_setup_teardown(steps_go_on_while_tables_come_and_go, make_code, drop_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
