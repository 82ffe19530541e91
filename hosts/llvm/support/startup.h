/*
 * startup.h - where the time from exec(2) to main() goes
 *
 *	begin | libraries | file | image | ... | end
 *
 * Each stretch of time belongs to one part. cofl_startup_part() begins the next
 * one. It costs one clock read, so it is always done; the result is printed on
 * request.
 *
 * Thread: the one that calls begin(), until end(). On other threads, and before
 * and after, all calls do nothing.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

/* X(name, what it is) */
#define COFL_STARTUP_PARTS(X) \
	X(REST,      rest)	/* none of these */ \
	X(LIBRARIES, libraries)	/* the program's shared libraries */ \
	X(FILE,      file)	/* its bitcode: read and hashed */ \
	X(IMAGE,     image)	/* its image: found, read, checked */ \
	X(LLVM,      llvm)	/* libLLVM: loaded */ \
	X(MODULE,    module)	/* bitcode opened by LLVM */ \
	X(CORE,      core)	/* libcof started, but for */ \
	X(HISTORY,   history)	/* waiting for the program's history */ \
	X(NAMES,     names)	/* methods, symbols */ \
	X(DATA,      data)	/* variables compiled */ \
	X(PLACE,     place)	/* mapped, relocated */ \
	X(VERSIONS,  versions)	/* one for each method of an image */ \
	X(KEPT,      kept)	/* versions of earlier runs: found, put in */ \
	X(LAUNCH,    launch)	/* another process makes an image */

#define COFL_STARTUP_ENUM(name, text) COFL_STARTUP_##name,
enum cofl_startup { COFL_STARTUP_PARTS(COFL_STARTUP_ENUM) COFL_STARTUP_COUNT };
#undef COFL_STARTUP_ENUM

void cofl_startup_begin(void);

/* Time belongs to `part` from now on. Returns the part before. */
enum cofl_startup cofl_startup_part(enum cofl_startup part);

/* Move `ns` from one part to another, at most what `from` has. */
void cofl_startup_move(enum cofl_startup from, enum cofl_startup to,
		       uint64_t ns);

/*
 * Stop, and print one line each to `to`, if it is not NULL:
 *
 *	startup_ns N		all of it
 *	startup_exec_cpu_ns N	the CPU time before begin(), in the kernel and
 *				the dynamic linker
 *	startup_PART_ns N	each part that took any time
 */
void cofl_startup_end(FILE *to);
