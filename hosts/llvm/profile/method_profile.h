/*
 * method_profile.h - what was counted in a method's runs
 *
 *	counters of threads --> solve --> profile --> merge --> the method's
 *	                                   ^                       |
 *	                       load <-- bytes <-- save <-----------+
 *
 * A profile has counts of edges. For some instructions, the sites, it has the
 * most frequent values: the targets of an indirect call, the lengths of a copy.
 * Divided by .ns, the time counted, counts of different methods are comparable.
 *
 * Pure, without LLVM. Thread: the holder of what guards the profile.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Values a site: hierarchies of classes rarely have more that are hot. */
#define COFL_TOP 8u

struct cofl_seen {
	uint64_t value;
	uint64_t count;		/* 0: no value */
};

/*
 * The most frequent values of a site. Counting code compares with seen[0]
 * itself, and calls cofl_profile_top_miss() if the value is another.
 */
struct cofl_top {
	struct cofl_seen seen[COFL_TOP];
};

/*
 * Count `value`, which is not that of seen[0]. A value without a place lowers
 * the rarest count, and takes that place once the count is 0 (Misra and Gries
 * 1982). So a value that makes up more than a ninth gets and keeps a place.
 */
void cofl_profile_top_miss(struct cofl_top *top, uint64_t value);

/* Add `from` to `to`, and keep the most frequent values, the most frequent
 * first. */
void cofl_profile_top_merge(struct cofl_top *to, const struct cofl_top *from);

/* The target of a call that is no method of the program. */
#define COFL_NO_METHOD UINT64_MAX

enum cofl_site_kind { COFL_SITE_CALL, COFL_SITE_SIZE };

/* The shape of a method's profile. */
struct cofl_outline {
	uint64_t hash;		/* of the graph, and of the kinds of sites */
	uint32_t n_edges, n_sites;
};

struct cofl_profile {
	struct cofl_outline outline;
	uint64_t          ns;	/* time counted */
	uint64_t         *edge;	/* by number; [0] counts entries */
	struct cofl_top  *site;	/* of calls: values are methods' numbers */
	uint8_t          *kind;	/* enum cofl_site_kind, by site */
};

/* All counts 0. `kind` is copied. Never NULL. */
struct cofl_profile *cofl_profile_new(const struct cofl_outline *outline,
				      const uint8_t *kind);
void cofl_profile_free(struct cofl_profile *profile);

/* The sum of all edge counts. 0: nothing ran. */
uint64_t cofl_profile_total(const struct cofl_profile *profile);

/*
 * Add `old` to `newer`, which has the same shape. Counts of `old` have half
 * their weight, or less: at most half the weight of the new counts. So a
 * profile soon follows a method that behaves differently now.
 */
void cofl_profile_age(struct cofl_profile *newer,
		      const struct cofl_profile *old);

/*
 * Save as bytes, for the next run of the same program. Returns their number;
 * writes nothing if that is more than `room`.
 */
size_t cofl_profile_save(const struct cofl_profile *profile, void *bytes,
			 size_t room);

/*
 * Load from untrusted bytes. They must fit `outline`, and all methods in them
 * have numbers below n_methods. `kind` as for cofl_profile_new(). 0 and *out,
 * the caller's; -COF_E_INVAL: save() did not make these bytes of such a
 * profile.
 */
int  cofl_profile_load(const struct cofl_outline *outline, const uint8_t *kind,
		       uint32_t n_methods, const void *bytes, size_t n,
		       struct cofl_profile **out);

/*
 * The drift between two saved profiles, in permille: the share of edge counts
 * not in common, each profile's total being 1000 (overlap: Feller, 1998). 1000:
 * they are not of the same body, or damaged.
 */
unsigned cofl_profile_drift(const void *a, size_t a_bytes, const void *b,
			    size_t b_bytes);
