/*
 * module.h - all that needs LLVM, in a module of its own
 *
 * LLVM is 150 MB and takes longer to load than most programs need to start. So
 * cof-llvm is not linked with it. libcof-llvm.so is loaded when the program has
 * no image, or when something is to be built.
 *
 *	cof-llvm                  <------------ calls  libcof-llvm.so
 *	loader, symbols, images,  struct cofl_module -->
 *	stand-ins
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "image/image_stream.h"
#include "program/host.h"
#include "resolve/resolution.h"

/* What the module exports, as its only symbol cofl_module_llvm. If a function
 * fails, `why` has the reason. */
struct cofl_module {
	/* Open host->copy on host->bytes, and set host->guest_lock. */
	bool (*open)(struct cofl *host, char *why, size_t why_bytes);

	/* libcof's callbacks for an open host. */
	void (*callbacks)(struct cofl *host, struct cof_host *out);

	/* For a program without an image: enter its names and place its data;
	 * then bind it. Thread: the one that opens the program. */
	bool (*link)(struct cofl *host, char *why, size_t why_bytes);
	bool (*bind)(struct cofl *host, char *why, size_t why_bytes);

	/* cofl_first_call_ahead() of module/first_call.h. */
	void (*first_calls)(struct cofl_method *method);

	/* cofl_callbacks_rebuild(). */
	void (*rebuild)(struct cofl_method *method);

	/*
	 * Compile bitcode to an image with this key: the bytes of a file, for
	 * the caller to free(3). NULL: it failed. Needs no host. The pieces
	 * also go `to` a program that waits for them; NULL: none does.
	 */
	void *(*image)(const void *bytes, size_t n_bytes,
		       const uint8_t key[COFL_HASH_BYTES],
		       struct cofl_image_stream *to, size_t *n_image, char *why,
		       size_t why_bytes);

	/* Read all of the bitcode. False: it is damaged. Needs no host. */
	bool (*check)(const void *bytes, size_t n_bytes, char *why,
		      size_t why_bytes);

	/* Link a program's pieces of bitcode to one (module/join.h). */
	void *(*join)(const struct cofl_resolution *resolution,
		      size_t *n_joined, struct cofl_join_addresses *addresses,
		      char *why, size_t why_bytes);
};

/* Where the module is; NULL: by where this executable is. Before the first
 * load. */
void cofl_module_is_at(const char *path);

/* Load the module, which stays loaded. NULL: `why` has the reason. Thread:
 * any. */
const struct cofl_module *cofl_module_load(char *why, size_t why_bytes);

/*
 * The module, open for this host. Loads it if need be, which takes a while.
 * NULL: it cannot be loaded or opened, and the host goes on without it. Thread:
 * any, no lock held.
 */
const struct cofl_module *cofl_module(struct cofl *host);

/* Load and open the module for a host without an image, before cof_start().
 * False: `why` has the reason. */
bool cofl_module_open(struct cofl *host, char *why, size_t why_bytes);

/* Build first versions of a method and of all that it calls by name, if the
 * module can be loaded. Thread: any, no lock held. */
void cofl_module_first_calls(struct cofl_method *method);

/* The same for each method that has no version so far. */
void cofl_module_first_calls_all(struct cofl *host);

/* The program is about to write to [from, from + bytes), which may be addresses
 * of functions (cof_leave_alone() of cof.h). Thread: any, no lock held. */
void cofl_module_leave_alone(struct cofl *host, const void *from, size_t bytes);

/* libcof's callbacks for this host. They forward to the module's, and load the
 * module when it is first needed. */
void cofl_module_forward(struct cofl *host, struct cof_host *out);
