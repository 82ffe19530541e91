/*
 * test_process.c - signals are shared, code memory is ours, fork splits both
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bare.h"
#include "cof.h"
#include "patcher/codemem.h"
#include "tsan.h"

/* -- Signals --------------------------------------------------------------- */

static volatile sig_atomic_t ours, theirs, over;
static siginfo_t seen;

static void on_ours(int sig, siginfo_t *info, void *ucontext)
{
	(void)sig, (void)ucontext;
	seen = *info;
	ours++;
	errno = EDOM;
}

static void on_theirs(int sig)
{
	(void)sig;
	theirs++;
}

static void on_theirs_info(int sig, siginfo_t *info, void *ucontext)
{
	(void)sig, (void)info;
	theirs += ucontext != NULL;
}

static void set_handler(int sig, void (*handler)(int), int flags)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = flags };

	assert_int_equal(sigaction(sig, &sa, NULL), 0);
}

/* A signal as one of our timers raises it, to this thread. */
static void raise_ours(int sig)
{
	siginfo_t info = { .si_signo = sig, .si_code = SI_TIMER };

	info.si_value.sival_ptr = &cof_process_signal_cookie[COF_COOKIE_SAMPLE];
	assert_int_equal(syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(),
				 sig, &info), 0);
}

/* TSan puts signals off to the next call it knows; here they come at once. */
static void skip_under_tsan(void)
{
#ifdef COF_TSAN
	skip();
#endif
}

static int clean(void **state)
{
	(void)state;
	ours = theirs = over = 0;
	set_handler(SIGPROF, SIG_DFL, 0);
	return 0;
}

static void our_signals_come_to_us_and_keep_errno(void **state)
{
	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	errno = 0;
	raise_ours(SIGPROF);
	assert_int_equal(errno, 0);
	assert_int_equal(ours, 1);
	assert_int_equal(seen.si_code, SI_TIMER);
	cof_process_signal_remove(SIGPROF);
}

static void others_go_to_the_handler_that_was_there(void **state)
{
	uint64_t chained = cof_process_signal_chained();
	struct sigaction sa = { .sa_sigaction = on_theirs_info,
				.sa_flags = SA_SIGINFO };

	(void)state;
	skip_under_tsan();
	set_handler(SIGPROF, on_theirs, 0);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	raise(SIGPROF);
	assert_int_equal(theirs, 1);
	cof_process_signal_remove(SIGPROF);

	assert_int_equal(sigaction(SIGPROF, &sa, NULL), 0);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	raise(SIGPROF);
	assert_int_equal(theirs, 2);
	cof_process_signal_remove(SIGPROF);
	/* And it is in place again. */
	raise(SIGPROF);
	assert_int_equal(theirs, 3);
	assert_int_equal(ours, 0);
	assert_int_equal(cof_process_signal_chained() - chained, 2);
}

static void an_ignored_signal_stays_ignored(void **state)
{
	(void)state;
	skip_under_tsan();
	set_handler(SIGPROF, SIG_IGN, 0);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	raise(SIGPROF);
	cof_process_signal_remove(SIGPROF);
	assert_int_equal(ours + theirs, 0);
}

/* How a child that runs `body` ends, as wait(2) has it. */
static int end_of_child(void (*body)(void))
{
	int status = -1;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		struct rlimit none = { 0, 0 };

		setrlimit(RLIMIT_CORE, &none);
		alarm(30);
		body();
		_exit(99);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void die_by_default(void)
{
	cof_process_signal_install(SIGPROF, on_ours);
	raise(SIGPROF);
}

static void survive_by_default(void)
{
	/* SIGURG is ignored by default: our handler must be back after it. */
	if (cof_process_signal_install(SIGURG, on_ours) != 0)
		_exit(1);
	raise(SIGURG);
	raise_ours(SIGURG);
	_exit(ours == 1 ? 42 : 2);
}

static void the_default_action_is_the_kernels(void **state)
{
	int status = end_of_child(die_by_default);

	(void)state;
	skip_under_tsan();
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGPROF);
	status = end_of_child(survive_by_default);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 42);
}

static void look_at_mask(int sig)
{
	sigset_t now;

	pthread_sigmask(SIG_SETMASK, NULL, &now);
	theirs += sigismember(&now, SIGUSR1) && !sigismember(&now, sig);
}

static void a_chained_handler_has_its_own_mask_and_flags(void **state)
{
	struct sigaction sa = { .sa_handler = look_at_mask,
				.sa_flags = SA_NODEFER | (int)SA_RESETHAND };
	struct sigaction now;
	sigset_t after;

	(void)state;
	skip_under_tsan();
	sigaddset(&sa.sa_mask, SIGUSR1);
	assert_int_equal(sigaction(SIGPROF, &sa, NULL), 0);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	raise(SIGPROF);
	assert_int_equal(theirs, 1);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	assert_false(sigismember(&after, SIGUSR1));
	/* SA_RESETHAND: once. */
	assert_int_equal(cof_sigaction(SIGPROF, NULL, &now), 0);
	assert_ptr_equal(now.sa_handler, SIG_DFL);
	cof_process_signal_remove(SIGPROF);
}

static void the_programs_sigaction_does_not_take_the_signal_from_us(void **state)
{
	struct sigaction sa = { .sa_handler = on_theirs }, old;

	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	assert_int_equal(cof_sigaction(SIGPROF, &sa, &old), 0);
	assert_ptr_equal(old.sa_handler, SIG_DFL);
	raise(SIGPROF);
	raise_ours(SIGPROF);
	assert_int_equal(theirs, 1);
	assert_int_equal(ours, 1);
	assert_int_equal(cof_sigaction(SIGPROF, NULL, &old), 0);
	assert_ptr_equal(old.sa_handler, on_theirs);
	cof_process_signal_remove(SIGPROF);
	/* What the program set is what stays. */
	assert_int_equal(sigaction(SIGPROF, NULL, &old), 0);
	assert_ptr_equal(old.sa_handler, on_theirs);
}

static void other_signals_are_sigactions_business(void **state)
{
	struct sigaction sa = { .sa_handler = on_theirs }, old;

	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_sigaction(SIGUSR2, &sa, NULL), 0);
	assert_int_equal(sigaction(SIGUSR2, NULL, &old), 0);
	assert_ptr_equal(old.sa_handler, on_theirs);
	set_handler(SIGUSR2, SIG_DFL, 0);
	errno = 0;
	assert_int_equal(cof_sigaction(SIGKILL, &sa, NULL), -1);
	assert_int_equal(errno, EINVAL);
}

static struct sigaction before_over;

/* A handler put over ours that passes on what it knows nothing of. */
static void on_over(int sig, siginfo_t *info, void *ucontext)
{
	over++;
	if (before_over.sa_flags & SA_SIGINFO)
		before_over.sa_sigaction(sig, info, ucontext);
	else if (before_over.sa_handler != SIG_DFL)
		before_over.sa_handler(sig);
}

static void a_stolen_signal_is_taken_back_and_chains_without_a_circle(void **state)
{
	struct sigaction sa = { .sa_sigaction = on_over,
				.sa_flags = SA_SIGINFO };

	(void)state;
	skip_under_tsan();
	set_handler(SIGPROF, on_theirs, 0);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	assert_int_equal(cof_process_signal_check(SIGPROF), 0);
	assert_int_equal(sigaction(SIGPROF, &sa, &before_over), 0);
	assert_int_equal(cof_process_signal_check(SIGPROF), 1);
	assert_int_equal(cof_process_signal_check(SIGPROF), 0);
	raise_ours(SIGPROF);
	assert_int_equal(ours, 1);
	assert_int_equal(over, 0);
	/* Not ours: theirs above, then through us to what was there first. */
	raise(SIGPROF);
	assert_int_equal(over, 1);
	assert_int_equal(theirs, 1);
	cof_process_signal_remove(SIGPROF);
}

static void who_insists_on_the_signal_gets_it(void **state)
{
	int back = 0;

	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	for (int i = 0; i < 10; i++) {
		set_handler(SIGPROF, on_theirs, 0);
		back += cof_process_signal_check(SIGPROF);
	}
	assert_int_equal(back, COF_SIGNAL_LEVELS - 1);
	cof_process_signal_remove(SIGPROF);
	raise(SIGPROF);
	assert_int_equal(theirs, 1);
}

static void one_signal_serves_all_users(void **state)
{
	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	assert_int_equal(cof_process_signal_install(SIGUSR2, on_ours),
			 -COF_E_STATE);
	cof_process_signal_remove(SIGPROF);
	raise_ours(SIGPROF);
	assert_int_equal(ours, 1);
	cof_process_signal_remove(SIGPROF);
	assert_int_equal(cof_process_signal_install(SIGKILL, on_ours),
			 -COF_E_PERM);
	assert_int_equal(cof_process_signal_install(SIGUSR2, on_ours), 0);
	cof_process_signal_remove(SIGUSR2);
}

static void a_signal_still_pending_at_the_end_does_not_kill(void **state)
{
	sigset_t set, before;

	(void)state;
	skip_under_tsan();
	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	assert_int_equal(cof_process_signal_install(SIGPROF, on_ours), 0);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	raise_ours(SIGPROF);
	cof_process_signal_remove(SIGPROF);
	pthread_sigmask(SIG_SETMASK, &before, NULL);	/* or die here */
	assert_int_equal(ours, 0);
}

/* -- The barrier ----------------------------------------------------------- */

static void the_barrier_works_and_works_again(void **state)
{
	(void)state;
	if (cof_process_sync_core() != 0)
		skip();		/* a kernel without it */
	assert_int_equal(cof_process_sync_core(), 0);
}

/* -- Address space --------------------------------------------------------- */

static void code_is_written_here_and_runs_there(void **state)
{
	static const unsigned char ret7[] = { 0xb8, 7, 0, 0, 0, 0xc3 };
	struct cof_range r;
	int (*fn)(void);

	(void)state;
	assert_int_equal(cof_range_map(&r, 1 << 20, 1 << 16), 0);
	memcpy(r.write + 4096, ret7, sizeof(ret7));
	fn = (int (*)(void))(uintptr_t)(r.exec + 4096);
	assert_int_equal(fn(), 7);
	assert_true(r.data >= r.exec && r.data - r.exec < 1l << 31);
	r.data[r.data_bytes - 1] = 1;
	cof_range_forget(&r, 4096, 4096);
	assert_int_equal(r.exec[4096], 0);
	cof_range_unmap(&r);
	assert_null(r.exec);
}

static void no_page_is_writable_and_executable(void **state)
{
	struct cof_range r;
	char line[512], perms[8];
	unsigned long lo, hi;
	int parts = 0;
	FILE *maps;

	(void)state;
	assert_int_equal(cof_range_map(&r, 1 << 20, 1 << 16), 0);
	maps = fopen("/proc/self/maps", "r");
	if (!maps)
		skip();
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %7s", &lo, &hi, perms) != 3)
			continue;
		if (lo == (uintptr_t)r.exec)
			parts += strcmp(perms, "r-xs") == 0;
		if (lo == (uintptr_t)r.write)
			parts += strcmp(perms, "rw-s") == 0;
	}
	fclose(maps);
	assert_int_equal(parts, 2);
	cof_range_unmap(&r);
}

static void a_range_no_rel32_can_span_is_refused(void **state)
{
	struct cof_range r;

	(void)state;
	assert_int_equal(cof_range_map(&r, (size_t)3 << 30, 0), -COF_E_NOMEM);
	assert_int_equal(cof_range_map(&r, (size_t)1 << 30, (size_t)1 << 30),
			 -COF_E_NOMEM);
	assert_int_equal(cof_range_map(&r, 0, 0), -COF_E_NOMEM);
}

static void without_files_a_range_is_refused_and_leaves_nothing(void **state)
{
	struct rlimit all, few;
	struct cof_range r;
	int err;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &all), 0);
	few = all;
	few.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	err = cof_range_map(&r, 1 << 20, 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &all), 0);
	assert_int_equal(err, -COF_E_NOMEM);
}

/* -- Fork ------------------------------------------------------------------ */

static struct cof *start(const char *options)
{
	struct cof_host host = { .size = sizeof(host), .name = "test" };
	struct cof *cof = NULL;
	char why[COF_WHY_BYTES] = "";

	if (cof_start(&host, options, why, &cof) != 0)
		fail_msg("%s", why);
	return cof;
}

/* A function that returns `v`. */
static void write_ret(const struct cof_code *code, unsigned char v)
{
	unsigned char text[] = { 0xb8, v, 0, 0, 0, 0xc3 };

	memcpy(code->write, text, sizeof(text));
}

static int run_code(const struct cof_code *code)
{
	return ((int (*)(void))(uintptr_t)code->exec)();
}

/* The other side has written. */
static void wait_for_byte(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		_exit(98);
}

static void parent_and_child_have_code_of_their_own(void **state)
{
	struct cof *cof = start("mode=off,stats=none");
	struct cof_code code;
	int to_child[2], to_parent[2], status;
	pid_t pid;

	(void)state;
	assert_int_equal(cof_code_alloc(cof, 64, COF_CODE_FIRST, &code), 0);
	write_ret(&code, 1);
	assert_int_equal(pipe(to_child), 0);
	assert_int_equal(pipe(to_parent), 0);
	assert_int_equal(cof_process_is_child(cof), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct cof_code more;

		alarm(30);
		wait_for_byte(to_child[0]);
		if (run_code(&code) != 1)
			_exit(1);	/* the parent's change came through */
		write_ret(&code, 3);
		if (run_code(&code) != 3)
			_exit(2);
		if (!cof_process_is_child(cof))
			_exit(3);
		/* Code memory goes on working, as does another fork. */
		if (cof_code_alloc(cof, 4096, COF_CODE_HOT, &more) != 0)
			_exit(4);
		write_ret(&more, 9);
		pid = fork();
		if (pid == 0)
			_exit(run_code(&more) + run_code(&code));
		if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
		    WEXITSTATUS(status) != 12)
			_exit(5);
		if (write(to_parent[1], "", 1) != 1)
			_exit(6);
		cof_free(cof);
		_exit(0);
	}
	write_ret(&code, 2);
	assert_int_equal(write(to_child[1], "", 1), 1);
	wait_for_byte(to_parent[0]);
	assert_int_equal(run_code(&code), 2);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	close(to_child[0]), close(to_child[1]);
	close(to_parent[0]), close(to_parent[1]);
	cof_free(cof);
}

static void a_child_has_no_loop_and_one_thread(void **state)
{
	struct cof *cof = start("stats=none,signal=27");
	int status;
	pid_t pid;

	(void)state;
	skip_under_tsan();
	assert_int_equal(cof_thread_attach(cof, NULL, NULL), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(30);
		if (cof_count_get(&cof->flow->threads.now) != 1)
			_exit(1);
		if (cof_thread_attach(cof, NULL, NULL) != -COF_E_STATE)
			_exit(2);
		/* A sampling signal that comes from anywhere is harmless. */
		raise_ours(SIGPROF);
		cof_thread_detach(cof);
		if (cof_count_get(&cof->flow->threads.now) != 0 ||
		    cof->threads->list)
			_exit(3);
		cof_stop(cof);
		cof_free(cof);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(cof_count_get(&cof->flow->threads.now), 1);
	cof_thread_detach(cof);
	cof_free(cof);
}

static _Atomic int stop_coming;

static void *come_and_go(void *arg)
{
	while (!atomic_load(&stop_coming)) {
		struct cof_code code;

		if (cof_thread_attach(arg, NULL, NULL) != 0)
			continue;
		if (cof_code_alloc(arg, 64, COF_CODE_HOT, &code) == 0)
			cof_code_free(arg, &code);
		cof_thread_detach(arg);
	}
	return NULL;
}

static void a_fork_amid_other_threads_finds_every_lock_free(void **state)
{
	struct cof *cof = start("stats=none");
	pthread_t thread;
	int status;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, come_and_go, cof), 0);
	for (int i = 0; i < 50; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			struct cof_code code;

			alarm(30);
			if (cof_thread_attach(cof, NULL, NULL) != 0 ||
			    cof_code_alloc(cof, 64, COF_CODE_HOT, &code) != 0)
				_exit(1);
			cof_code_free(cof, &code);
			cof_thread_detach(cof);
			_exit(cof->threads->list ? 2 : 0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
	atomic_store(&stop_coming, 1);
	pthread_join(thread, NULL);
	cof_free(cof);
}

static void skip_under_sanitizers(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip();		/* they need memory where there is none */
#endif
}

/* Fork as a process that can map nothing any more, or open no file. */
static pid_t fork_without(__rlimit_resource_t what)
{
	struct rlimit before, none;
	pid_t pid;

	assert_int_equal(getrlimit(what, &before), 0);
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(what, &none), 0);
	pid = fork();
	setrlimit(what, &before);
	assert_true(pid >= 0);
	return pid;
}

static void end_at_fault(int sig)
{
	(void)sig;
	_exit(42);
}

static void the_child_cannot_write_to(struct cof *cof, __rlimit_resource_t what)
{
	struct cof_code code;
	int status;
	pid_t pid;

	assert_int_equal(cof_code_alloc(cof, 64, COF_CODE_FIRST, &code), 0);
	write_ret(&code, 1);
	pid = fork_without(what);
	if (pid == 0) {
		alarm(30);
		if (run_code(&code) != 1 ||
		    !cof_codemem_range(cof->codemem)->closed)
			_exit(1);
		cof_range_forget((struct cof_range *)
				 cof_codemem_range(cof->codemem), 0, 1 << 20);
		if (run_code(&code) != 1)
			_exit(2);
		set_handler(SIGSEGV, end_at_fault, 0);
		write_ret(&code, 2);
		_exit(3);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 42);
	assert_int_equal(run_code(&code), 1);
	cof_code_free(cof, &code);
}

static void a_child_without_a_copy_cannot_write_to_its_parent(void **state)
{
	struct cof *cof = start("mode=off,stats=none");

	(void)state;
	the_child_cannot_write_to(cof, RLIMIT_NOFILE);
	assert_int_equal(cof_count_get(&cof->flow->reclaim.disabled), 1);
	assert_int_equal(cof_process_child_shares(), 0);
	cof_free(cof);
}

/* The last of all: the process remembers. */
static void a_child_that_cannot_map_its_copy_says_so(void **state)
{
	struct cof *cof;

	(void)state;
	skip_under_sanitizers();
	cof = start("stats=none,source=none");
	the_child_cannot_write_to(cof, RLIMIT_AS);
	assert_int_equal(cof_process_child_shares(), 1);
	for (int i = 0; i < 60000 &&
	     !cof_count_get(&cof->flow->reclaim.disabled); i++)
		usleep(1000);
	assert_int_equal(cof_count_get(&cof->flow->reclaim.disabled), 1);
	cof_free(cof);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(our_signals_come_to_us_and_keep_errno, clean),
		cmocka_unit_test_setup(others_go_to_the_handler_that_was_there, clean),
		cmocka_unit_test_setup(an_ignored_signal_stays_ignored, clean),
		cmocka_unit_test_setup(the_default_action_is_the_kernels, clean),
		cmocka_unit_test_setup(a_chained_handler_has_its_own_mask_and_flags, clean),
		cmocka_unit_test_setup(the_programs_sigaction_does_not_take_the_signal_from_us, clean),
		cmocka_unit_test_setup(other_signals_are_sigactions_business, clean),
		cmocka_unit_test_setup(a_stolen_signal_is_taken_back_and_chains_without_a_circle, clean),
		cmocka_unit_test_setup(who_insists_on_the_signal_gets_it, clean),
		cmocka_unit_test_setup(one_signal_serves_all_users, clean),
		cmocka_unit_test_setup(a_signal_still_pending_at_the_end_does_not_kill, clean),
		cmocka_unit_test(the_barrier_works_and_works_again),
		cmocka_unit_test(code_is_written_here_and_runs_there),
		cmocka_unit_test(no_page_is_writable_and_executable),
		cmocka_unit_test(a_range_no_rel32_can_span_is_refused),
		cmocka_unit_test(without_files_a_range_is_refused_and_leaves_nothing),
		cmocka_unit_test_setup(parent_and_child_have_code_of_their_own, clean),
		cmocka_unit_test_setup(a_child_has_no_loop_and_one_thread, clean),
		cmocka_unit_test_setup(a_fork_amid_other_threads_finds_every_lock_free, clean),
		cmocka_unit_test_setup(a_child_without_a_copy_cannot_write_to_its_parent, clean),
		cmocka_unit_test_setup(a_child_that_cannot_map_its_copy_says_so, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
