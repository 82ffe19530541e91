/*
 * seccomp_kills.c - a filter that ends the process for what it does not list
 *
 * args: seccomp 0
 * args: seccomp 1
 * args: prctl 0
 * args: strict 0
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALLOW(name) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter filter[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	ALLOW(write), ALLOW(exit_group), ALLOW(rt_sigreturn),
	ALLOW(clock_gettime), ALLOW(futex), ALLOW(mmap), ALLOW(munmap),
	ALLOW(madvise), ALLOW(brk),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

static struct sock_fprog program = {
	sizeof(filter) / sizeof(*filter), filter
};

static volatile unsigned long x;

__attribute__((noinline)) static void work(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		x += i;
}

/* Called for the first time under the filter. */
__attribute__((noinline)) static void later(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		x ^= i << 3;
}

static int restrict_calls(const char *how, int flags)
{
	if (strcmp(how, "strict") == 0)
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	if (strcmp(how, "prctl") == 0)
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			    flags ? SECCOMP_FILTER_FLAG_TSYNC : 0, &program);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 1;
	work(100000000);
	if (restrict_calls(argv[1], atoi(argv[2])) != 0)
		return 2;
	work(100000000);
	later(100000000);
	if (write(1, "done\n", 5) != 5)
		return 3;
	if (strcmp(argv[1], "strict") == 0)
		syscall(SYS_exit, 5);	/* the only way out */
	return 6;
}
