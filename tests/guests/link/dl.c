/*
 * dl.c - libraries opened at run time; callbacks both ways
 *
 * guest-hot:
 * guest-libs: -ldl
 */
#include <dlfcn.h>
#include <string.h>

#include "guest.h"

static double (*cosine)(double);
static unsigned long (*length)(const char *);
static void (*sort)(void *, size_t, size_t,
		    int (*)(const void *, const void *));
static int compares;

NOINLINE static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	compares++;
	return x < y ? -1 : x > y;
}

static uint64_t round_(void)
{
	double v[300];
	uint64_t h = MIX0;

	for (int i = 0; i < 300; i++)
		v[i] = cosine(i);
	sort(v, 300, sizeof(*v), compare);
	for (int i = 0; i < 300; i++)
		h = mix(h, bits(v[i]));
	return h + length("seven..");
}

int main(void)
{
	void *m = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
	Dl_info info;

	if (!m) {
		puts(dlerror());
		return 1;
	}
	cosine = (double (*)(double))dlsym(m, "cos");
	length = (unsigned long (*)(const char *))dlsym(RTLD_DEFAULT, "strlen");
	sort = (void (*)(void *, size_t, size_t,
		int (*)(const void *, const void *)))dlsym(RTLD_DEFAULT,
							   "qsort");
	guest_run("dl", round_);
	puts(compares ? "called back" : "never called back");
	puts(dlsym(m, "no_such_symbol_here") ? "found" : dlerror() ?
	     "not found, with a reason" : "not found");
	puts(dlopen("/nonexistent/lib.so", RTLD_NOW) ? "opened" : dlerror());
	puts(dladdr((void *)cosine, &info) && strstr(info.dli_fname, "libm") ?
	     "in libm" : "nowhere");
	printf("close %d\n", dlclose(m));
	return 0;
}
