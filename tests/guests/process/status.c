/*
 * status.c - every way to end has the wait status it has natively
 *
 * guest-args: return
 * guest-args: exit
 * guest-args: big
 * guest-args: _exit
 * guest-args: _Exit
 * guest-args: abort
 * guest-args: term
 * guest-args: kill
 * guest-args: prof
 * guest-args: segv
 * guest-args: fpe
 * guest-args: ill
 * guest-args: trap
 * guest-args: pipe
 * guest-args: alarm
 * guest-args: assert
 * guest-args: last-thread
 * guest-args: thread-exit
 * guest-args: thread-segv
 * guest-args: syscall
 */
#undef NDEBUG
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"

static const char *how;

NOINLINE static uint64_t work(uint64_t x)
{
	for (int i = 0; i < 2000; i++)
		x = mix(x, (uint64_t)i);
	return x;
}

static uint64_t round_(void) { return work(MIX0); }

NOINLINE static int divide(volatile int a, volatile int b)
{
	return a / b;
}

static void *thread(void *arg)
{
	usleep(20000);
	puts("the other thread");
	fflush(stdout);
	if (!strcmp(how, "thread-exit"))
		exit(31);
	if (!strcmp(how, "thread-segv"))
		*(volatile int *)8 = 1;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;
	int fd[2];

	how = argc > 1 ? argv[1] : "";
	guest_run("status", round_);
	fprintf(stderr, "ends by %s\n", how);
	fflush(stdout);
	printf("buffered\n");

#define WAY(name) if (!strcmp(how, name))
	WAY("return") return 42;
	WAY("exit") exit(43);
	WAY("big") exit(0x1234);
	WAY("_exit") _exit(44);
	WAY("_Exit") _Exit(45);
	WAY("abort") abort();
	WAY("term") kill(getpid(), SIGTERM);
	WAY("kill") kill(getpid(), SIGKILL);
	WAY("prof") {
		raise(SIGPROF);
		pause();
	}
	WAY("segv") *(volatile int *)16 = 1;
	WAY("fpe") return divide(argc, argc - 2);
	WAY("ill") __asm__ volatile("ud2");
	WAY("trap") __builtin_trap();
	WAY("pipe") {
		if (pipe(fd) == 0) {
			close(fd[0]);
			return (int)write(fd[1], "x", 1);
		}
	}
	WAY("alarm") {
		ualarm(20000, 0);
		for (;;)
			pause();
	}
	WAY("assert") assert(argc == 17);
	WAY("syscall") syscall(SYS_exit_group, 46);
	pthread_create(&t, NULL, thread, NULL);
	WAY("last-thread") pthread_exit(NULL);
	pthread_join(t, NULL);
	return 0;
}
