/*
 * xcalloc.c - see xcalloc.h
 */
#include "support/xcalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fatal.h"
#include "support/memory_reserve.h"

/* Returns if it is worth a second try. */
static void refused(void)
{
	if (!cofl_memory_reserve_release())
		cofl_fatal("out of memory");
}

void *cofl_xcalloc(size_t n, size_t bytes)
{
	void *p;

	while ((p = calloc(n + 1, bytes)) == NULL)
		refused();
	return p;
}

void *cofl_xcalloc_grow(void *old, size_t n, size_t bytes)
{
	void *p;

	while ((p = reallocarray(old, n + 1, bytes)) == NULL)
		refused();
	return p;
}

char *cofl_xcalloc_ndup(const char *s, size_t n)
{
	char *p;

	n = strnlen(s, n);
	p = cofl_xcalloc(n, 1);
	memcpy(p, s, n);
	return p;
}

char *cofl_xcalloc_dup(const char *s)
{
	return cofl_xcalloc_ndup(s, strlen(s));
}

char *cofl_xcalloc_printf(const char *format, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, format);
	n = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	if (n < 0)
		cofl_fatal("a text that cannot be written: %s", format);
	s = cofl_xcalloc((size_t)n, 1);
	va_start(ap, format);
	vsnprintf(s, (size_t)n + 1, format, ap);
	va_end(ap);
	return s;
}
