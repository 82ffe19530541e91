/*
 * quick_exits.c - _exit(2) in a handler, with libcof there
 *
 * fake: exits_async_safe begins=2
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *run(void *unused)
{
	return unused;
}

static void on_signal(int sig)
{
	_exit(sig);
}

int main(void)
{
	pthread_t thread;

	signal(SIGTERM, on_signal);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	raise(SIGTERM);
	return 0;
}
