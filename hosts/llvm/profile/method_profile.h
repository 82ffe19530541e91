/*
 * method_profile.h - how a method was seen to run
 *
 *	counters of threads --> solve --> profile --> merge --> the method's
 *	                                   ^                       |
 *	                       load <-- bytes <-- save <-----------+
 *
 * Counts of edges, and for some instructions, the sites, the values seen most:
 * where an indirect call went, how long a copy was. Counts of two methods are
 * comparable after division by .ns, for how long each was counted.
 *
 * Pure: no LLVM in here. Thread: whoever holds what guards the profile.
 */
#ifndef COFL_PROFILE_METHOD_PROFILE_H
#define COFL_PROFILE_METHOD_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "ir/graph.h"

/* Values kept per site. */
#define COFL_TOP 4u

struct cofl_seen {
	uint64_t value;
	uint64_t count;		/* 0: no value */
};

/*
 * The most frequent values, as counting code keeps them: it looks at seen[0]
 * itself and calls cofl_profile_top_miss() when that is another.
 */
struct cofl_top {
	struct cofl_seen seen[COFL_TOP];
};

/*
 * `value` is not that of seen[0]. A value that is new takes the place of the
 * rarest one once that was worn down to nothing (Misra and Gries 1982), so what
 * makes up more than a fifth gets and keeps a place.
 */
void cofl_profile_top_miss(struct cofl_top *top, uint64_t value);

/* Add up the values of two, and keep the most frequent, the first one first. */
void cofl_profile_top_merge(struct cofl_top *to, const struct cofl_top *from);

/* What is not a method's number, as target of a call. */
#define COFL_NO_METHOD UINT64_MAX

enum cofl_site_kind { COFL_SITE_CALL, COFL_SITE_SIZE };

/* What a profile must fit. */
struct cofl_outline {
	uint64_t hash;		/* of the graph, and of the kinds of sites */
	uint32_t n_edges, n_sites;
};

struct cofl_profile {
	struct cofl_outline outline;
	uint64_t          ns;	/* counted for so long */
	uint64_t         *edge;	/* by number; [0] is entries */
	struct cofl_top  *site;	/* of calls: values are methods' numbers */
	uint8_t          *kind;	/* enum cofl_site_kind, by site */
};

/* Never NULL; all counts 0. */
struct cofl_profile *cofl_profile_new(const struct cofl_outline *outline,
				      const uint8_t *kind);
void cofl_profile_free(struct cofl_profile *profile);

/* Entries plus everything else that was counted: 0 says nothing ran. */
uint64_t cofl_profile_total(const struct cofl_profile *profile);

/*
 * Make `old` part of `fresh`, which is of the same shape: with half the weight
 * it had, or half of what was counted now if that is less. So that a method that
 * changed is soon seen as it is now.
 */
void cofl_profile_age(struct cofl_profile *fresh,
		      const struct cofl_profile *old);

/*
 * As bytes, to be kept for the next run of the same program. Returns how many
 * there are; nothing is written unless `room` is enough.
 */
size_t cofl_profile_save(const struct cofl_profile *profile, void *bytes,
			 size_t room);

/*
 * From bytes that anyone may have written. They must be of `outline`, and name
 * no method from n_methods on. 0 and *out, the caller's; -COF_E_INVAL: they are not
 * what save() made of such a profile. `kind` as for cofl_profile_new().
 */
int  cofl_profile_load(const struct cofl_outline *outline, const uint8_t *kind,
		       uint32_t n_methods, const void *bytes, size_t n,
		       struct cofl_profile **out);

/*
 * Of two saved ones, how much of what they counted on edges is not in common, by
 * shares of their totals, permille (overlap: Feller, 1998). 1000: they are not of
 * the same body, or not sound.
 */
unsigned cofl_profile_drift(const void *a, size_t a_bytes, const void *b,
			    size_t b_bytes);

#endif /* COFL_PROFILE_METHOD_PROFILE_H */
