/*
 * aligned_functions.c - functions that ask for an alignment have it
 */
#include <stdint.h>
#include <stdio.h>

#define FUNCTION(name, bytes) \
	__attribute__((noinline, aligned(bytes))) int name(int x) \
	{ \
		return x + bytes; \
	}

FUNCTION(of_16, 16)
FUNCTION(of_64, 64)
FUNCTION(of_4096, 4096)
FUNCTION(of_256, 256)

int (*volatile function[])(int) = { of_16, of_64, of_4096, of_256 };

int main(void)
{
	static const unsigned asked[] = { 16, 64, 4096, 256 };

	for (int i = 0; i < 4; i++)
		printf("%d %u\n", function[i](i),
		       (unsigned)((uintptr_t)function[i] % asked[i]));
	return 0;
}
