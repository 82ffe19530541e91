/*
 * version_cache_host.h - store versions for the next run, and load those of
 * earlier runs
 *
 *	build with a profile --> put ------> the file (version_cache_write.h)
 *	verdict of a trial ----------------> '  |
 *	the next run's start <-- take <---------+
 *
 * Needs no LLVM: a program whose hot methods are all in the cache runs without
 * it. The profile that a version was built from is kept (cached_profile.h).
 *
 * A cached object contains no address of this process: it refers to everything
 * by name, and an instrumented version to the rest by its process words
 * (link/process_words.h). Continuations on trial contain addresses of slots, so
 * they are not cached (points/osr_turns.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cof.h"
#include "version_cache/version_cache.h"

struct cofl;
struct cofl_method;

/* Cache this program's versions under `key` (code_key.h); the cache directory
 * may take max_bytes. If this is not called, nothing is cached. Before any of
 * the callbacks. */
void cofl_version_cache_host_init(struct cofl *host, const uint8_t *key,
				  uint64_t max_bytes);

/* In a fork's child: begin anew, with nothing read and no lock held. */
void cofl_version_cache_host_in_child(struct cofl *host);

/* Is there no file of cached versions? True also without init(). */
bool cofl_version_cache_host_none(const struct cofl *host);

/* Cache the version desc->data of `method`, which was just built. Thread: a
 * worker; blocks on file I/O. */
struct cofl_built {
	enum cofl_version_cache_kind kind;
	uint32_t    n_loops;	/* as in the header */
	const void *profile;
	size_t      profile_bytes;
	const void *object;
	size_t      object_bytes;
	bool        moves_stack;
};
void cofl_version_cache_host_put(struct cofl_method *method,
				 const struct cof_version_desc *desc,
				 const struct cofl_built *built);

/*
 * Load the method's instrumented version, whose code is the symbol `body`. Then
 * *what, the caller's to free(3), is what it counts, in `bytes`, and *n_loops
 * is as put. Nonzero: there is none, as cached_counting().
 */
int cofl_version_cache_host_counting(struct cofl_method *method,
				     const char *body,
				     struct cof_version_desc *out, void **what,
				     size_t *bytes, uint32_t *n_loops);

/* host.cached_version(), host.cached_continuations(), host.trial_result() */
int cofl_version_cache_host_take(void *ctx, void *method, const void *profile,
				 size_t bytes, struct cof_version_desc *out);
int cofl_version_cache_host_continuations(void *ctx, void *method,
					  void *version, void *newer,
					  struct cof_version_desc *out);
void cofl_version_cache_host_trial_result(void *ctx, void *method,
				    void *version, int stays,
				    unsigned permille, enum cof_plan over);

/* host.trial_progress() */
void cofl_version_cache_host_trial_progress(void *ctx, void *method,
				  void *version, unsigned permille,
				  unsigned error_permille, enum cof_plan over);

/* host.release_idle(): frees the file's bytes. */
void cofl_version_cache_host_idle_release(struct cofl *host);
