/*
 * hitlist.h - the versions whose weight passed the threshold
 *
 * An unordered array. A member has COF_WORD_HIT set in its word, so it is in
 * the list once. weight.h says when a version joins and leaves; generation.c
 * adds and removes it.
 *
 * Thread: PRE only. The list holds plain pointers; code/version.h says how long
 * they are valid.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cof_version;

struct cof_hitlist {
	struct cof_version **at;
	uint32_t n, capacity;
};

void cof_hitlist_free(struct cof_hitlist *hits);

/*
 * Make space for the next cof_hitlist_add(). False: no memory. Then the version
 * must not join now; it may when it is sampled again.
 */
bool cof_hitlist_reserve(struct cof_hitlist *hits);

/* Call cof_hitlist_reserve() first. */
void cof_hitlist_add(struct cof_hitlist *hits, struct cof_version *version);

/* Remove member i; the last member takes its place. */
void cof_hitlist_remove(struct cof_hitlist *hits, uint32_t i);
