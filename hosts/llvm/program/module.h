/*
 * module.h - all that needs LLVM, in a module of its own
 *
 * LLVM is 150 MB, and takes 16 ms to load. So libcof-native.so is not linked
 * with it. libcof-llvm.so is loaded when something is to be built.
 *
 *	libcof-native.so          <------------ calls  libcof-llvm.so
 *	loader, symbols,          struct cofl_module -->
 *	cache of versions
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cofl.h"

/* What the module exports, as its only symbol cofl_module_llvm. If a function
 * fails, `why` has the reason. */
struct cofl_module {
	/* Open a copy on host->bytes. */
	bool (*open)(struct cofl *host, char *why, size_t why_bytes);

	/* libcof's callbacks for an open host. */
	void (*callbacks)(struct cofl *host, struct cof_host *out);
};

/* Load the module, which stays loaded. NULL: `why` has the reason. Thread:
 * any. */
const struct cofl_module *cofl_module_load(char *why, size_t why_bytes);

/*
 * The module, open for this host. Loads it if need be, which takes a while.
 * NULL: it cannot be loaded or opened, and the host goes on without it. Thread:
 * any, no lock held.
 */
const struct cofl_module *cofl_module(struct cofl *host);

/* libcof's callbacks for this host. They forward to the module's, and load the
 * module when it is first needed. */
void cofl_module_forward(struct cofl *host, struct cof_host *out);
