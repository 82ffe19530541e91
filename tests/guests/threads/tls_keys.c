/*
 * tls_keys.c - destructors of keys see the thread's variables as they were left
 */
#include <pthread.h>

#include "guest.h"

static __thread int x = 5;
static __thread const char *name;
static pthread_key_t key;

static void on_leave(void *p)
{
	printf("%d %s\n", x, name ? name : "none");
	if (x++ < 9)
		pthread_setspecific(key, p);
}

static void *run(void *arg)
{
	x = 7;
	name = arg;
	pthread_setspecific(key, arg);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_key_create(&key, on_leave);
	for (int i = 0; i < 3; i++) {
		pthread_create(&t, NULL, run, "thread");
		pthread_join(t, NULL);
	}
	printf("%d\n", x);
	return 0;
}
