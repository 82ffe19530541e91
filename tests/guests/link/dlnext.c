/*
 * dlnext.c - dlsym(3) with RTLD_NEXT, from the program: the libraries'
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "guest.h"

size_t strlen(const char *s)	/* stands before the library's */
{
	static size_t (*next)(const char *);

	if (!next)
		next = dlsym(RTLD_NEXT, "strlen");
	return next ? next(s) + 1000 : 0;
}

static void *run(void *arg)
{
	return arg;
}

int main(int argc, char **argv)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		      void *) = dlsym(RTLD_NEXT, "pthread_create");
	size_t (*volatile length)(const char *) = strlen;
	pthread_t t;
	void *result = NULL;

	(void)argc;
	printf("%zu\n", length("four"));
	if (create && create(&t, NULL, run, argv) == 0)
		pthread_join(t, &result);
	printf("%d\n", result == argv);
	printf("%d\n", dlvsym(RTLD_NEXT, "memcpy", "GLIBC_2.2.5") != NULL);
	printf("%d\n", dlsym(RTLD_NEXT, "no_such_name") == NULL &&
		       dlerror() != NULL);
	return 0;
}
