/*
 * program.h - the LLVM host: run a program that is LLVM bitcode
 *
 * One program a process. It has the process's libc, exit handlers and standard
 * streams, as a native program does.
 */
#pragma once

#include <stdbool.h>
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

	/* Set if the program cannot be opened and is an executable, which can
	 * run as it was compiled. */
	bool               *runs_natively;

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
 * Run constructors, then main(argc, argv, envp). Returns what main() returned,
 * for the caller to pass to exit(3), which runs the destructors.
 */
int  cofl_program_main(struct cofl *host, int argc, char **argv, char **envp);

struct cof *cofl_program_cof(struct cofl *host);

/* The calling thread, which is the program's, begins or ends. */
void cofl_thread_enter(struct cofl *host);
void cofl_thread_leave(struct cofl *host);
