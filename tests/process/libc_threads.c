/*
 * libc_threads.c - threads that libc makes by itself, or that it is asked for
 * past the program's own names, and locks that count on it
 *
 * args: aio
 * args: timer
 * args: dlsym
 * args: left
 */
#include <aio.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RUN_MS    1500
#define REQUESTS  8
#define ROOM      4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long counted;
static _Atomic unsigned long ticks, wrong;
static void *block[64];	/* lock */

static int more(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000 < RUN_MS;
}

__attribute__((noinline)) static void work(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		void *p = malloc(16 + i * 37 % 900);

		memset(p, (int)i, 16);
		pthread_mutex_lock(&lock);
		counted++;
		free(block[i % 64]);
		block[i % 64] = p;
		pthread_mutex_unlock(&lock);
	}
}

static unsigned long works(void)
{
	unsigned long n = 0;

	for (; more(); n += 100)
		work(100);
	return n;
}

static void writes(int fd, char *room)
{
	static struct aiocb all[REQUESTS];

	memset(all, 0, sizeof(all));
	for (int i = 0; i < REQUESTS; i++) {
		all[i].aio_fildes = fd;
		all[i].aio_buf = room;
		all[i].aio_nbytes = ROOM;
		all[i].aio_offset = i * ROOM;
		wrong += aio_write(&all[i]) != 0;
	}
	work(500);
	for (int i = 0; i < REQUESTS; i++) {
		const struct aiocb *one[] = { &all[i] };

		while (aio_error(&all[i]) != 0)
			aio_suspend(one, 1, NULL);
		wrong += aio_return(&all[i]) != ROOM;
	}
}

static void aio(void)
{
	char name[] = "/tmp/libc_threads.XXXXXX";
	static char room[ROOM];
	int fd = mkstemp(name);

	unlink(name);
	do
		writes(fd, room);
	while (more());
}

static void on_timer(union sigval unused)
{
	(void)unused;
	work(10);
	ticks++;
}

static void timer(void)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD,
		.sigev_notify_function = on_timer,
	};
	const struct itimerspec every = { { 0, 2000000 }, { 0, 2000000 } };
	timer_t t;

	timer_create(CLOCK_MONOTONIC, &event, &t);
	timer_settime(t, 0, &every, NULL);
	while (more() || ticks < 5)
		work(100);
	timer_delete(t);
}

static void on_last(union sigval unused)
{
	(void)unused;
	work(100);
	if (++ticks == 20) {
		puts("ended by a timer");
		exit(3);
	}
}

/* The program's only thread ends; libc's go on, and so does the process. */
static void left(void)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD,
		.sigev_notify_function = on_last,
	};
	const struct itimerspec every = { { 0, 20000000 }, { 0, 20000000 } };
	timer_t t;

	works();
	timer_create(CLOCK_MONOTONIC, &event, &t);
	timer_settime(t, 0, &every, NULL);
	pthread_exit(NULL);
}

static void *in_thread(void *unused)
{
	(void)unused;
	return (void *)works();
}

static void by_dlsym(void)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		      void *) =
		(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
			 void *))dlsym(dlopen("libc.so.6", RTLD_LAZY),
				       "pthread_create");
	unsigned long n;
	pthread_t t;
	void *its;

	create(&t, NULL, in_thread, NULL);
	n = works();
	pthread_join(t, &its);
	wrong += counted != n + (unsigned long)its;
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "aio") == 0)
		aio();
	else if (argc > 1 && strcmp(argv[1], "timer") == 0)
		timer();
	else if (argc > 1 && strcmp(argv[1], "left") == 0)
		left();
	else
		by_dlsym();
	printf("%lu wrong\n", (unsigned long)wrong);
	return 0;
}
