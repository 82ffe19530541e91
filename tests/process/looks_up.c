/*
 * looks_up.c - a program of one thread that opens and looks up all the time,
 * while libcof opens LLVM
 */
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

#define RUN_S 2

int common = 3;

__attribute__((noinline)) static int look(int i)
{
	void *all = dlopen(NULL, RTLD_NOW);
	int *at = dlsym(all, "common");
	Dl_info info;

	if (i % 3 == 0 && dladdr((void *)puts, &info) == 0)
		return 0;
	dlclose(all);
	return at == NULL ? 1 : *at;
}

int main(void)
{
	unsigned long wrong = 0;

	for (int i = 0; clock() < RUN_S * CLOCKS_PER_SEC; i++)
		wrong += look(i) > 3;
	printf("%lu wrong\n", wrong);
	return 0;
}
