/*
 * strings.c - functions that string(3) lists, for this library alone
 *
 * They are hidden, so all calls in the library are of these. An executable may
 * have functions of these names that do something else, and natively only
 * libraries that link with it see them; this one is not to.
 */
#include <stddef.h>

/* Else the compiler sees what a loop does, and calls the function around it. */
#ifndef __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN void *memcpy(void *restrict to, const void *restrict from, size_t n);
HIDDEN void *memmove(void *to, const void *from, size_t n);
HIDDEN void *memchr(const void *s, int c, size_t n);
HIDDEN void *memset(void *to, int byte, size_t n);
HIDDEN int memcmp(const void *a, const void *b, size_t n);
HIDDEN size_t strlen(const char *s);
HIDDEN int strncmp(const char *a, const char *b, size_t n);
HIDDEN int strcmp(const char *a, const char *b);
HIDDEN char *strchr(const char *s, int c);
HIDDEN char *strrchr(const char *s, int c);
HIDDEN char *strstr(const char *s, const char *part);
HIDDEN char *stpcpy(char *restrict to, const char *restrict from);

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	char *t = to;
	const char *f = from;

	while (n-- > 0)
		*t++ = *f++;
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *f = from;

	for (size_t i = 0; t <= f && i < n; i++)
		t[i] = f[i];
	for (size_t i = n; t > f && i > 0; i--)
		t[i - 1] = f[i - 1];
	return to;
}

void *memchr(const void *s, int c, size_t n)
{
	const unsigned char *at = s;

	for (; n > 0; n--, at++)
		if (*at == (unsigned char)c)
			return (void *)(size_t)at;
	return NULL;
}

void *memset(void *to, int byte, size_t n)
{
	char *t = to;

	while (n-- > 0)
		*t++ = (char)byte;
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	for (; n > 0; n--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}

size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n] != '\0')
		n++;
	return n;
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (; n > 0 && *a == *b && *a != '\0'; n--, a++, b++)
		;
	return n == 0 ? 0 : (unsigned char)*a - (unsigned char)*b;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, (size_t)-1);
}

char *strchr(const char *s, int c)
{
	for (; *s != (char)c; s++)
		if (*s == '\0')
			return NULL;
	return (char *)(size_t)s;
}

char *strrchr(const char *s, int c)
{
	const char *last = NULL;

	for (;; s++) {
		if (*s == (char)c)
			last = s;
		if (*s == '\0')
			return (char *)(size_t)last;
	}
}

char *strstr(const char *s, const char *part)
{
	size_t n = strlen(part);

	for (;; s++) {
		if (strncmp(s, part, n) == 0)
			return (char *)(size_t)s;
		if (*s == '\0')
			return NULL;
	}
}

char *stpcpy(char *restrict to, const char *restrict from)
{
	while ((*to = *from++) != '\0')
		to++;
	return to;
}
