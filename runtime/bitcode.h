/*
 * bitcode.h - a file of bitcode as an executable
 *
 *	FILE --hash--> KEY --cache--> KEY.exe, executed from then on
 *	                  `-- not there: bitcode_link.h, and into the cache
 *
 * It is linked once for each content and set of libraries. Where the cache
 * cannot be written it is linked each time, to a file that is gone before it
 * is executed.
 */
#pragma once

#include <stdbool.h>

/* Does it begin as bitcode? */
bool bitcode_is(const char *file);

/*
 * The executable, for the caller to execute by its descriptor, or to close.
 * `loads` are the libraries that the program needs, each with ':' before. -1: a
 * line on stderr said why. Thread: one; blocks.
 */
int bitcode_open(const char *file, const char *loads);
