/*
 * main.c - a program whose names its libraries use: one it is linked with, and
 * one that it opens
 *
 *	main PLUG
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

int host_var = 4;
const char *host_names[] = { "one", "two", host_word };
const char host_word[] = "three";
int (*host_hook)(int);
int both_var = 1;
_Thread_local int host_zero, host_own = 7;

int host_add(int x) { return x + host_var; }
int host_twice(int x) { return 2 * x; }
int host_alias(int x) __attribute__((alias("host_twice")));
int both(int x) { return -x; }
int unneeded(int x) { return x; }
__attribute__((visibility("hidden"))) int hidden(int x) { return x + 1; }
static int kept(int x) { return x + 2; }

static void resolves_to(void) { puts("the ifunc"); }
static void (*resolve(void))(void) { return resolves_to; }
void host_ifunc(void) __attribute__((ifunc("resolve")));

static int hook(int x) { return x ^ 5; }

static int has(void *in, const char *name)
{
	return dlsym(in, name) != NULL;
}

static void look(const char *where, void *in)
{
	printf("%s: %d%d%d%d %d%d%d\n", where,
	       dlsym(in, "host_add") == (void *)host_add,
	       dlsym(in, "host_var") == (void *)&host_var,
	       dlsym(in, "both") == (void *)both,
	       dlsym(in, "linked_sum") == (void *)linked_sum,
	       has(in, "hidden"), has(in, "kept"), has(in, "resolve"));
	printf("%s: %d %d\n", where, has(in, "unneeded"), has(in, "main"));
}

/* Long enough for versions to come and go. */
static void whose(const void *address)
{
	Dl_info info = { 0 };
	const char *slash;

	if (dladdr(address, &info) == 0) {
		puts("dladdr: nobody's");
		return;
	}
	slash = strrchr(info.dli_fname, '/');
	printf("dladdr: %s %s %d %d\n", slash ? slash + 1 : info.dli_fname,
	       info.dli_sname ? info.dli_sname : "no name",
	       info.dli_saddr == address,
	       memcmp(info.dli_fbase, "\177ELF", 4) == 0);
}

static long work(int (*f)(int))
{
	const char *ms = getenv("GUEST_ROUNDS");
	long sum = 0, n = ms ? atol(ms) : 2000;

	for (long i = 0; i < n; i++)
		for (int k = 0; k < 1000; k++)
			sum += f(k) & 15;
	return sum != 0;
}

/* Each thread has its own, and library and program the same. */
static void *threads_own(void *arg)
{
	const struct plug *plug = arg;

	printf("own: %d %d, %d%d%d%d\n", host_own, host_zero,
	       linked_own() == &host_own, plug->own() == &host_own,
	       plug->zero() == &host_zero,
	       dlsym(RTLD_DEFAULT, "host_own") == (void *)&host_own);
	*plug->own() += 1;
	*plug->zero() = 3;
	printf("changed: %d %d\n", host_own, host_zero);
	return NULL;
}

int main(int argc, char **argv)
{
	int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "both");
	const struct plug *plug;
	pthread_t thread;
	void *handle;

	printf("begins with %d\n", host_var);
	printf("linked: %d %d %d\n", linked_sum(3), linked_both(7),
	       linked_address() == host_add);
	printf("both: %d, the next %d, %d\n", both(7), next ? next(7) : -1,
	       linked_both_var());
	host_ifunc();
	look("default", RTLD_DEFAULT);
	look("program", dlopen(NULL, RTLD_LAZY));
	if (argc < 2)
		return 0;
	handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	if (handle == NULL) {
		puts(dlerror());
		return 1;
	}
	plug = dlsym(handle, "plug");
	printf("plug-in: began with %d, %d %d %s\n", plug->began, plug->read(),
	       plug->call(1), plug->word());
	plug->write(11);
	printf("written: %d\n", host_var);
	host_hook = hook;
	printf("hook: %d\n", plug->hooked(6));
	printf("same: %d%d%d %d\n", plug->function == host_add,
	       plug->variable == &host_var, plug->alias == host_twice,
	       plug->function(2));
	printf("not there: %d\n", plug->missing());
	threads_own((void *)plug);
	pthread_create(&thread, NULL, threads_own, (void *)plug);
	pthread_join(thread, NULL);
	plug->ifunc();
	printf("long: %ld %ld\n", work(plug->call), work(linked_sum));
	whose((const void *)host_add);
	whose((const void *)puts);
	whose(&argc);
	printf("same: %d%d\n", plug->function == host_add,
	       dlsym(RTLD_DEFAULT, "host_add") == (void *)host_add);
	printf("close %d, %d\n", dlclose(handle), host_add(kept(hidden(0))));
	return 0;
}
