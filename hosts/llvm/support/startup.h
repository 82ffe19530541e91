/*
 * startup.h - where the time to main() goes
 *
 *	begin | libraries | file | image | ... | end
 *
 * Time belongs to one part after the other: cofl_startup_part() says that what
 * comes from now on is another's. Costs a look at the clock, and so is always
 * done; it is printed when asked for.
 *
 * Thread: the one that begins, until it ends. Calls of others, and before and
 * after, do nothing: what is loaded later is no part of the start.
 */
#ifndef COFL_SUPPORT_STARTUP_H
#define COFL_SUPPORT_STARTUP_H

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
	X(HISTORY,   history)	/* waiting for what is known of the program */ \
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

/* Returns the part it was before. */
enum cofl_startup cofl_startup_part(enum cofl_startup part);

/* Of the time of `from`, `ns` were `to`'s. */
void cofl_startup_move(enum cofl_startup from, enum cofl_startup to,
		       uint64_t ns);

/* One line each: "startup_ns N", all of it; "startup_exec_cpu_ns N", the CPU time
 * before it began, for the kernel and the dynamic linker; and "startup_PART_ns N"
 * for each part that took any. `to` may be NULL. */
void cofl_startup_end(FILE *to);

#endif /* COFL_SUPPORT_STARTUP_H */
