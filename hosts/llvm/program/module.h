/*
 * module.h - what needs LLVM, in a module of its own
 *
 * LLVM is 150 MB and takes longer to load than most programs need to start, so
 * cof-llvm itself is not linked with it. libcof-llvm.so is loaded when the
 * program has no image, or when something in it is to be built.
 *
 *	cof-llvm (loader, symbols, images, stand-ins)  <--calls--  libcof-llvm.so
 *	                                               --struct cofl_module-->
 */
#ifndef COFL_PROGRAM_MODULE_H
#define COFL_PROGRAM_MODULE_H

#include <stdbool.h>
#include <stddef.h>

#include "image/image_stream.h"
#include "program/host.h"

/* The module's side; its one symbol is cofl_module. */
struct cofl_module {
	/* Open host->copy on host->bytes, and set host->guest_lock. False: why says
	 * what is wrong. */
	bool (*open)(struct cofl *host, char *why, size_t why_bytes);

	/* libcof's callbacks of an open host. */
	void (*callbacks)(struct cofl *host, struct cof_host *out);

	/* Give names addresses, place the data: a program without an image; then
	 * find what it refers to. Thread: the one that opens the program. */
	bool (*link)(struct cofl *host, char *why, size_t why_bytes);
	bool (*bind)(struct cofl *host, char *why, size_t why_bytes);

	/* cofl_callbacks_first_calls() of module/callbacks.h. */
	void (*first_calls)(struct cofl_method *method);

	/*
	 * Compile bitcode to an image with this key: a file's bytes, from
	 * malloc(3). NULL: why says what is wrong. Needs no host. Its pieces go
	 * `to` a program that waits for them; NULL: nobody does.
	 */
	void *(*image)(const void *bytes, size_t n_bytes,
		       const uint8_t key[COFL_HASH_BYTES],
		       struct cofl_image_stream *to, size_t *n_image, char *why,
		       size_t why_bytes);

	/*
	 * Link several bitcode files, one behind the other, to one: bytes from
	 * malloc(3). NULL: why.
	 */
	void *(*join)(const void *bytes, size_t n_bytes, size_t *n_joined,
		      char *why, size_t why_bytes);
};

/* Load the module. NULL: why. Thread: any; once loaded it stays. */
const struct cofl_module *cofl_module_load(char *why, size_t why_bytes);

/*
 * The module, open for this host: loaded if it was not, which takes a while.
 * NULL: it cannot be; the host goes on without. Thread: any, no lock held.
 */
const struct cofl_module *cofl_module(struct cofl *host);

/* For a host without an image, before cof_start(). False: why. */
bool cofl_module_open(struct cofl *host, char *why, size_t why_bytes);

/* Build first versions of a method and of all it calls by name, if the module can be
 * loaded. Thread: any, no lock held. */
void cofl_module_first_calls(struct cofl_method *method);

/* libcof's callbacks: those of the module, which is loaded when the first of them
 * needs it. */
void cofl_module_forward(struct cofl *host, struct cof_host *out);

#endif /* COFL_PROGRAM_MODULE_H */
