/*
 * reclaim.h - an instance whose P/O is the test, which runs rounds one by one
 */
#pragma once

#include "base/role.h"
#include "instance.h"
#include "kick.h"
#include "reclaim/reclaim.h"
#include "tests/support/balance.h"
#include "tests/support/piece.h"

#define LONG_MS 3600000	/* a quarantine that does not end in a test */

static struct cof        *cof;
static struct cof_method *method;
static unsigned           discarded;
static void              *last_discarded;
static unsigned char      first_byte;	/* *watched, during discard() */
static const unsigned char *watched;

static inline void discard(void *ctx, void *version)
{
	(void)ctx;
	discarded++;
	last_discarded = version;
	if (watched)
		first_byte = *watched;
}

static inline int start(const char *options)
{
	struct cof_host host = { .size = sizeof(host), .name = "test",
				 .discard = discard };

	discarded = 0;
	last_discarded = NULL;
	watched = NULL;
	if (cof_start(&host, options, NULL, &cof) != 0)
		return -1;
	return cof_method_add(cof, "m", NULL, &method);
}

static inline int setup(void **state)
{
	(void)state;
	cof_role = COF_ROLE_PICKER;
	return start("mode=off,stats=none,code_mb=16,reclaim_ms=1");
}

static inline int teardown(void **state)
{
	(void)state;
	cof_stop(cof);
	assert_null(unbalanced(cof->flow));
	cof_free(cof);
	return 0;
}

static inline uint64_t count(const cof_count *c)
{
	return cof_count_get(c);
}

#define reclaimed (&cof->flow->reclaim)

static inline uint32_t round_of(void)
{
	return cof_reclaim_round(cof, PATIENT);
}

/* Run rounds until no version waits. */
static inline void until_free(void)
{
	wait_until(round_of() == 0, cof->flow);
}

/* Run rounds until one has searched, or has given up after wait_ns. */
static inline void one_search_of(uint64_t wait_ns)
{
	uint64_t before = count(&reclaimed->rounds);

	wait_until((cof_reclaim_round(cof, wait_ns),
		    count(&reclaimed->rounds) > before), cof->flow);
}

static inline void one_search(void)
{
	one_search_of(PATIENT);
}
