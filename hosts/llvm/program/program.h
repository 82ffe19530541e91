/*
 * program.h - the LLVM host: run a program that is LLVM bitcode
 *
 * One program per process: it gets the process's libc, its exit handlers and its
 * standard streams, as a native one would.
 */
#ifndef COFL_PROGRAM_PROGRAM_H
#define COFL_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cof.h"

struct cofl;

#define COFL_WHY_BYTES 512

enum cofl_image_use {
	COFL_IMAGE_USE,		/* start from the image; make it if there is none */
	COFL_IMAGE_NO,		/* neither */
};

struct cofl_settings {
	const char         *path;	/* of the program; stays valid */
	const char         *options;	/* for cof_start() */
	void              (*log)(const char *line);	/* lines of option
							 * verbose; may be NULL */
	enum cofl_image_use image;
	uint64_t            image_mb;	/* most that all images may take */

	/* May be NULL. The program's names have addresses and lead where they should,
	 * the calling thread is attached, and nothing of the program or its libraries
	 * ran. find(ctx, name): what it defines and libraries find by that name, or
	 * 0; during the call. */
	void (*bound)(struct cofl *host,
		      uintptr_t (*find)(void *ctx, const char *name), void *ctx);
};

/*
 * Open the program and start libcof. The calling thread is attached: it is the
 * program's main thread. NULL: why says in one line what is wrong.
 *
 * Damage that shows only in a function's body is met when that function first
 * runs; then, as for whatever LLVM cannot compile, the process ends with one
 * line on stderr and status 1.
 */
struct cofl *cofl_program_open(const struct cofl_settings *settings,
		       char why[COFL_WHY_BYTES]);

/*
 * Put the program's image into the cache, without running it, unless it is there.
 * 0: it is there now; 1: it cannot be kept; negative: it cannot be made. But for
 * 0, why says so. `fd`: a program waits for its pieces (image/image_stream.h); -1: none does.
 */
int  cofl_program_make_image(const char *path, uint64_t max_mb, int fd,
		     char why[COFL_WHY_BYTES]);

/* Write the program's bitcode, all of it as one, to a file. 0, or why. */
int  cofl_program_write_bitcode(const char *path, const char *to,
			char why[COFL_WHY_BYTES]);

/*
 * Run constructors, then main(argc, argv, environ). Returns what main returned,
 * to be passed to exit(3), which runs the destructors.
 */
int  cofl_program_main(struct cofl *host, int argc, char **argv, char **envp);

struct cof *cofl_program_cof(struct cofl *host);

/* A thread of the program begins or ends; the calling one. */
void cofl_thread_enter(struct cofl *host);
void cofl_thread_leave(struct cofl *host);

#endif /* COFL_PROGRAM_PROGRAM_H */
