/*
 * plugin_memory.cpp - support/xcalloc.h, where there is no host: what refuses
 * memory ends clang, as LLVM does
 */
#include <cstdlib>

#include <llvm/Support/ErrorHandling.h>

extern "C" {
#include "hosts/llvm/support/xcalloc.h"
}

using namespace llvm;

static void *not_null(void *p)
{
	if (p == nullptr)
		report_bad_alloc_error("cof-cc's plug-in");
	return p;
}

void *cofl_xcalloc(size_t n, size_t bytes)
{
	return not_null(calloc(n + 1, bytes));
}

void *cofl_xcalloc_grow(void *old, size_t n, size_t bytes)
{
	return not_null(reallocarray(old, n + 1, bytes));
}
