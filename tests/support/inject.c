/*
 * inject.c - run a program in a kernel that refuses some system calls
 *
 *	inject CALL=ERROR... PROGRAM [ARG...]
 *
 * Each CALL fails with ERROR, a name such as ENOSYS, or with `kill` ends the
 * process, in PROGRAM and in all that it starts. A seccomp filter does it, so
 * no debugger is needed and no right.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 32

static const struct {
	const char *name;
	unsigned    number;
} calls[] = {
#define CALL(name) { #name, SYS_##name }
	CALL(clone), CALL(clone3), CALL(execve), CALL(fork), CALL(fsync),
	CALL(ftruncate),
	CALL(futex), CALL(getpid), CALL(madvise), CALL(membarrier),
	CALL(memfd_create), CALL(mmap), CALL(mprotect), CALL(mremap),
	CALL(openat), CALL(perf_event_open), CALL(process_vm_readv),
	CALL(rseq), CALL(rt_sigaction), CALL(sched_getaffinity),
	CALL(setpriority), CALL(timer_create), CALL(timer_settime),
	CALL(vfork),
#undef CALL
};

static const struct {
	const char *name;
	unsigned    action;
} actions[] = {
#define ERROR(name) { #name, SECCOMP_RET_ERRNO | name }
	ERROR(EACCES), ERROR(EAGAIN), ERROR(EINVAL), ERROR(EMFILE),
	ERROR(ENFILE), ERROR(ENOMEM), ERROR(ENOSPC), ERROR(ENOSYS),
	ERROR(EPERM),
#undef ERROR
	{ "kill", SECCOMP_RET_KILL_PROCESS },
};

#define N(array) (sizeof(array) / sizeof(*(array)))

/* "CALL=ERROR". False: it is not of that form. */
static int read_rule(const char *word, unsigned *call, unsigned *action)
{
	const char *equals = strchr(word, '=');
	size_t length = equals != NULL ? (size_t)(equals - word) : 0;
	int found = 0;

	for (size_t i = 0; i < N(calls) && equals != NULL; i++)
		if (strlen(calls[i].name) == length &&
		    memcmp(calls[i].name, word, length) == 0) {
			*call = calls[i].number;
			found = 1;
		}
	for (size_t i = 0; i < N(actions) && found; i++)
		if (strcmp(actions[i].name, equals + 1) == 0) {
			*action = actions[i].action;
			return 1;
		}
	return 0;
}

static int install(const struct sock_filter *filter, size_t n)
{
	struct sock_fprog program = { (unsigned short)n,
				      (struct sock_filter *)filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

int main(int argc, char **argv)
{
	struct sock_filter filter[2 * MOST + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
	};
	unsigned call = 0, action = 0;
	size_t n = 1;
	int i;

	for (i = 1; i < argc && i <= MOST && strchr(argv[i], '='); i++) {
		if (!read_rule(argv[i], &call, &action)) {
			fprintf(stderr, "inject: not known: %s\n", argv[i]);
			return 2;
		}
		filter[n++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
		filter[n++] = (struct sock_filter)BPF_STMT(
			BPF_RET | BPF_K, action);
	}
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
						   SECCOMP_RET_ALLOW);
	if (i >= argc) {
		fputs("usage: inject CALL=ERROR... PROGRAM [ARG...]\n", stderr);
		return 2;
	}
	if (!install(filter, n)) {
		perror("inject: seccomp");
		return 2;
	}
	execvp(argv[i], argv + i);
	perror(argv[i]);
	return 2;
}
