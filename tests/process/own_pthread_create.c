/*
 * own_pthread_create.c - a program that exports a pthread_create() of its own
 *
 * Libraries find it before libc's, and before libcof's.
 *
 * cc: -rdynamic
 * args: libc
 * args: none
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		      void *);

static create_fn *libcs;	/* NULL: there are no threads here */
static unsigned   calls;

int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
		   void *(*f)(void *), void *arg)
{
	calls++;
	return libcs != NULL ? libcs(thread, attr, f, arg) : EAGAIN;
}

static void *count(void *arg)
{
	unsigned s = 1;

	for (unsigned i = 0; i < 3000000; i++)
		s = s * 1664525 + (s >> 7) + *(unsigned *)arg;
	*(unsigned *)arg = s;
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned n[4] = { 1, 2, 3, 4 };
	pthread_t t[4];
	int err = 0;

	if (argc > 1 && strcmp(argv[1], "libc") == 0)
		libcs = (create_fn *)dlsym(RTLD_NEXT, "pthread_create");
	for (int i = 0; i < 4; i++) {
		err |= pthread_create(&t[i], NULL, count, &n[i]);
		if (err == 0)
			pthread_join(t[i], NULL);
		else
			count(&n[i]);
	}
	printf("%d %u: %u %u %u %u\n", err, calls, n[0], n[1], n[2], n[3]);
	return 6;
}
