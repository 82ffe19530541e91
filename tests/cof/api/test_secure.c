/*
 * test_secure.c - a program with more rights than its user reads nothing from
 * the environment
 *
 *	test_secure		the test
 *	test_secure --inner	start libcof; status 0: COF_OPTIONS was not
 *				read, 1: it was refused
 *
 * The test runs copies of this program: one as it is, one set-user-ID.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/started.h"

#define NOBODY 65534u

enum { NOT_READ, REFUSED, NOT_STARTED = 9 };

/* LeakSanitizer calls it. It cannot look into a process with more rights, which
 * reads no ASAN_OPTIONS either. */
int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void)
{
	return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 1;
}

static int inner(void)
{
	struct cof *cof = NULL;
	int err;

	memset(&toy, 0, sizeof(toy));
	host = toy_host(&toy);
	err = cof_start(&host, "mode=off,stats=none", why, &cof);
	if (err == -COF_E_INVAL)
		return REFUSED;
	if (err != 0)
		return NOT_STARTED;
	cof_stop(cof);
	return NOT_READ;
}

static void copy_self(const char *to)
{
	int in = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	char buffer[1 << 16];
	ssize_t n;

	assert_true(in >= 0 && out >= 0);
	while ((n = read(in, buffer, sizeof(buffer))) > 0)
		assert_int_equal(write(out, buffer, (size_t)n), n);
	assert_int_equal(n, 0);
	close(in);
	close(out);
}

static int status_of(const char *program)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		execl(program, program, "--inner", (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static bool can_gain_rights(void)
{
	struct statvfs fs;

	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 &&
	       statvfs(".", &fs) == 0 && !(fs.f_flag & ST_NOSUID);
}

static void set_user_id_ignores_the_environment(void **state)
{
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "secure.%ld.tmp", (long)getpid());
	copy_self(path);
	setenv("COF_OPTIONS", "no_such_option=1", 1);
	assert_int_equal(status_of(path), REFUSED);
	/* Only root can give a file away. */
	if (!can_gain_rights() || chown(path, NOBODY, NOBODY) != 0) {
		unlink(path);
		skip();
	}
	assert_int_equal(chmod(path, 04755), 0);
	assert_int_equal(status_of(path), NOT_READ);
	unlink(path);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(set_user_id_ignores_the_environment),
	};

	if (argc > 1 && strcmp(argv[1], "--inner") == 0)
		return inner();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
