/*
 * annotate.h - tell LLVM how a clone ran, by !prof metadata
 *
 * A clone gets branch weights, its entry count, and the values that its sites
 * saw. A module gets the summary that says what is hot.
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cofl.h"
#include "ir/body.h"

/* Counts in modules are per so many ns. */
#define COFL_PER_NS 1000000000.0

/* What is hot and cold, over all methods that have a profile. */
struct cofl_summary {
	uint64_t *count;	/* per COFL_PER_NS, the largest first */
	uint32_t  n;
	uint32_t  n_methods;
	uint64_t  max_entry;
	uint64_t  hot;		/* the least count among those that make up
				 * 99 % */
};

/* Takes the profiles' lock. */
void cofl_annotate_summary_make(struct cofl_summary *summary,
				struct cofl *host);
void cofl_annotate_summary_free(struct cofl_summary *summary);

/* Add it as a flag of the module. */
void cofl_annotate_summary_add(const struct cofl_summary *summary,
			       LLVMModuleRef module);

/* How often blocks of a method ran, per COFL_PER_NS; what its sites saw. */
struct cofl_heat {
	uint64_t        *node;	/* of body->graph; NULL: it has no profile */
	struct cofl_top *site;
};

void cofl_annotate_heat_free(struct cofl_heat *heat);

/*
 * Put the method's profile on `f`, an unchanged clone whose body is `body`.
 * False: the method has no profile that fits. Takes the profiles' lock.
 */
bool cofl_annotate(struct cofl_method *method, LLVMValueRef f,
		   const struct cofl_body *body, struct cofl_heat *heat);

/* Set how often `f` was entered, per COFL_PER_NS. */
void cofl_annotate_entries(LLVMValueRef f, uint64_t entries);
