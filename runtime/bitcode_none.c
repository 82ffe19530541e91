/*
 * bitcode_none.c - bitcode.h where libcof is built without LLVM
 */
#include "bitcode.h"

#include <stdio.h>

bool bitcode_is(const char *file)
{
	(void)file;
	return false;
}

int bitcode_open(const char *file, const char *loads)
{
	(void)loads;
	fprintf(stderr, "runtime: %s: libcof was built without the host for "
		"LLVM bitcode\n", file);
	return -1;
}
