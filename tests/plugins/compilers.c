/*
 * compilers.c - a program that exports names of libraries the compiler uses
 *
 * Its plug-in finds these, and the compiler its own.
 *
 *	compilers [ROUNDS] PLUG-IN
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define NAMES(X) \
	X(deflate) X(inflate) X(crc32) X(compress2) X(ffi_call) X(xmlFree) \
	X(xmlInitParser) X(ZSTD_isError) X(LLVMContextCreate) \
	X(LLVMCreateMemoryBufferWithMemoryRange) X(LLVMParseBitcodeInContext2) \
	X(el_init) X(Z3_mk_config) X(_ZN4llvm11LLVMContextC1Ev) X(setupterm)

static int calls;
static volatile long seed = 1;

#define DEFINE(name) int name(int x) { calls++; return x + sizeof(#name); }
#ifndef PLUG
NAMES(DEFINE)

__attribute__((noinline)) static long spin(long n)
{
	long sum = seed;

	for (long i = 0; i < n; i++)
		sum = sum * 3 + (i ^ sum >> 7);
	return sum;
}

int main(int argc, char **argv)
{
	void *handle = dlopen(argv[argc - 1], RTLD_NOW);
	int rounds = argc > 2 ? atoi(argv[1]) : 600;
	int (*all)(int) = handle ? (int (*)(int))dlsym(handle, "all") : NULL;
	long sum = 0;

	if (all == NULL) {
		puts(dlerror());
		return 1;
	}
	for (int i = 0; i < rounds; i++)
		sum += spin(1000000) + all(i);
	printf("%ld, %d\n", sum, calls);
	return 0;
}
#else
#define DECLARE(name) int name(int x);
#define ADD(name) + name(x)
NAMES(DECLARE)

int all(int x)
{
	return NAMES(ADD);
}
#endif
