/*
 * stdio.c - getc(3), putc(3) and their kin without locks, in a program of one
 * thread
 *
 * Process-wide: cof-llvm defines these, and all libraries find them here
 * (libstdc++ reads std::cin by getc()). They are the functions in which libc
 * leaves out the stream's lock while a process has one thread. In libc's others
 * the lock costs little beside the rest. A program of several threads gets
 * libc's functions.
 */
#include <stdio.h>

#include "exe/rtld_next.h"
#include "support/single_threaded.h"

#define API __attribute__((visibility("default")))

/* -- libc's ---------------------------------------------------------------- */

enum name { GETC, PUTC, FEOF, FERROR, N_NAMES };

static const char *const names[N_NAMES] = { "getc", "putc", "feof", "ferror" };

static void *libcs(enum name name)
{
	static void *_Atomic known[N_NAMES];

	return next_of(&known[name], names[name]);
}

typedef int read_fn(FILE *);
typedef int write_fn(int, FILE *);

/* -- The family ------------------------------------------------------------ */

API int getc(FILE *stream)
{
	return single_threaded_is() ? getc_unlocked(stream) :
			     ((read_fn *)libcs(GETC))(stream);
}

API int putc(int c, FILE *stream)
{
	return single_threaded_is() ? putc_unlocked(c, stream) :
			     ((write_fn *)libcs(PUTC))(c, stream);
}

API int feof(FILE *stream)
{
	return single_threaded_is() ? feof_unlocked(stream) :
			     ((read_fn *)libcs(FEOF))(stream);
}

API int ferror(FILE *stream)
{
	return single_threaded_is() ? ferror_unlocked(stream) :
			     ((read_fn *)libcs(FERROR))(stream);
}

/* Their other names; macros of older headers use those with _IO_. */
int _IO_getc(FILE *stream);
int _IO_putc(int c, FILE *stream);
int _IO_feof(FILE *stream);
int _IO_ferror(FILE *stream);

API int fgetc(FILE *stream) { return getc(stream); }
API int getchar(void) { return getc(stdin); }
API int fputc(int c, FILE *stream) { return putc(c, stream); }
API int putchar(int c) { return putc(c, stdout); }
API int _IO_getc(FILE *stream) { return getc(stream); }
API int _IO_putc(int c, FILE *stream) { return putc(c, stream); }
API int _IO_feof(FILE *stream) { return feof(stream); }
API int _IO_ferror(FILE *stream) { return ferror(stream); }
