/*
 * object.c - a library with an object that says when it is destroyed
 */
#include <string.h>
#include <unistd.h>

int __cxa_atexit(void (*destroy)(void *), void *arg, void *library);
extern void *__dso_handle;

const char *where = "";

static void destroy(void *arg)
{
	(void)arg;
	if (write(STDOUT_FILENO, where, strlen(where)) < 0)
		_exit(1);
}

__attribute__((constructor)) static void make(void)
{
	__cxa_atexit(destroy, NULL, &__dso_handle);
}
