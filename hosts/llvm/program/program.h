/*
 * program.h - the LLVM host: run a program that is LLVM bitcode
 *
 * One program a process. It has the process's libc, exit handlers and standard
 * streams, as a native program does.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cof.h"

struct cofl;

#define COFL_WHY_BYTES 512

enum cofl_image_use {
	COFL_IMAGE_USE,		/* start from the image, or make it */
	COFL_IMAGE_NO,		/* neither */
};

struct cofl_settings {
	const char         *path;	/* of the program; stays valid */
	const char         *options;	/* for cof_start() */
	void              (*log)(const char *line);	/* lines of option
							 * verbose, or NULL */
	enum cofl_image_use image;
	uint64_t            image_mb;	/* limit of the cache directory */

	/* Called when the program is bound and the calling thread is attached,
	 * before any code of the program or its libraries runs; may be NULL.
	 * During the call, find(ctx, name) is the address of the program's
	 * function that libraries find by that name, or 0. */
	void (*bound)(struct cofl *host,
		      uintptr_t (*find)(void *ctx, const char *name),
		      void *ctx);

	/* cof_host.left_alone; may be NULL. */
	void (*left_alone)(void *ctx, int status);
};

/*
 * Open the program and start libcof. The calling thread is attached as the
 * program's main thread. NULL: `why` has the reason, in one line.
 *
 * The bitcode has been read as a whole, or has a checksum. If LLVM cannot
 * compile a function when it first runs, the process ends with one line on
 * stderr and status 1.
 */
struct cofl *cofl_program_open(const struct cofl_settings *settings,
			       char why[COFL_WHY_BYTES]);

/*
 * Make the program's image, unless it is in the cache, without running the
 * program. `fd`: of a program that waits for its pieces (image/image_stream.h);
 * -1: none does. 0: it is in the cache; 1: it cannot be stored; negative: it
 * cannot be made. Except for 0, `why` has the reason.
 */
int cofl_program_make_image(const char *path, uint64_t max_mb, int fd,
			    char why[COFL_WHY_BYTES]);

/* Write a new section .cof.bc to a file: the program's bitcode, joined to one.
 * 0, or -1 and `why`. */
int cofl_program_write_bitcode(const char *path, const char *to,
			       char why[COFL_WHY_BYTES]);

/*
 * Run constructors, then main(argc, argv, envp). Returns what main() returned,
 * for the caller to pass to exit(3), which runs the destructors.
 */
int  cofl_program_main(struct cofl *host, int argc, char **argv, char **envp);

struct cof *cofl_program_cof(struct cofl *host);

/* The calling thread, which is the program's, begins or ends. */
void cofl_thread_enter(struct cofl *host);
void cofl_thread_leave(struct cofl *host);
