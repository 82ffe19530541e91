/*
 * pool.c - a library whose constructor starts a thread, and the program whose
 * functions that runs (-DMAIN)
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

typedef void *work_fn(void *);

/* In the library's thread. */
void *pool_run(work_fn *f, void *arg);

/* What a thread by thrd_create() left. */
int   pool_c11(void);

/* The library's thread ends the process. */
void  pool_last(void);

#ifdef MAIN
static _Thread_local int calls;

static void *text(void *arg)
{
	char *s = malloc(200);

	calls++;
	snprintf(s, 200, "%s, call %d", (const char *)arg, calls);
	return s;
}

static void *sum(void *arg)
{
	long rounds = *(long *)arg, sum = 0;

	for (long i = 0; i < rounds; i++)
		for (long k = 0; k < 1000; k++)
			sum += k ^ i;
	return (void *)sum;
}

int main(void)
{
	const char *ms = getenv("GUEST_ROUNDS");
	long rounds = ms ? atol(ms) : 2000;

	for (int i = 0; i < 3; i++) {
		char *s = pool_run(text, "in the pool");

		puts(s);
		free(s);
	}
	printf("%ld\n", (long)pool_run(sum, &rounds));
	printf("c11 %d\n", pool_c11());
	fflush(stdout);
	pool_last();
	pthread_exit(NULL);	/* the library's thread is still there */
}
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  changed = PTHREAD_COND_INITIALIZER;
static work_fn        *to_do;
static void           *its, *result;
static int             c11;

static void *serve(void *arg)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		while (!to_do)
			pthread_cond_wait(&changed, &lock);
		result = to_do(its);
		to_do = NULL;
		pthread_cond_broadcast(&changed);
	}
	return arg;
}

static int once(void *arg)
{
	*(int *)arg = 11;
	return 0;
}

__attribute__((constructor)) static void begin(void)
{
	pthread_t thread;
	thrd_t other;

	pthread_create(&thread, NULL, serve, NULL);
	if (thrd_create(&other, once, &c11) == thrd_success)
		thrd_join(other, NULL);
}

static void *leave(void *arg)
{
	struct timespec some = { .tv_nsec = 50000000 };

	nanosleep(&some, NULL);		/* main() is left first */
	puts("the pool is left");
	exit(arg != NULL);
}

int pool_c11(void)
{
	return c11;
}

void pool_last(void)
{
	pthread_mutex_lock(&lock);
	to_do = leave;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

void *pool_run(work_fn *f, void *arg)
{
	void *is;

	pthread_mutex_lock(&lock);
	to_do = f;
	its = arg;
	pthread_cond_broadcast(&changed);
	while (to_do)
		pthread_cond_wait(&changed, &lock);
	is = result;
	pthread_mutex_unlock(&lock);
	return is;
}
#endif
