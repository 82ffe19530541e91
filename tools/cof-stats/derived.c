/*
 * derived.c - figures made of several counters
 */
#include "derived.h"

#include <string.h>

#include "code/version.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

struct name {
	const char *stage, *name;
};

/* The samples that show where the program was: in code of libcof's and its
 * host's, or in none that they know. */
static const struct name sampled[] = {
	{ "sampler", "counted" }, { "sampler", "NATIVE" },
};

/* The counter, or how much it grew since `before`. */
static bool value_of(const struct reader *r, const struct reader *before,
		     struct name n, uint64_t *v)
{
	uint64_t was;

	if (!reader_find(r, n.stage, n.name, v))
		return false;
	if (before && reader_find(before, n.stage, n.name, &was))
		*v -= was <= *v ? was : *v;
	return true;
}

/* False: one of the counters is not there. */
static bool sum_since(const struct reader *r, const struct reader *before,
		      const struct name *names, size_t n, double *sum)
{
	uint64_t v;

	for (size_t i = 0; i < n; i++) {
		if (!value_of(r, before, names[i], &v))
			return false;
		*sum += (double)v;
	}
	return true;
}

/* The sum of counters; known if all of them are. */
static struct derived_part sum_of(const struct reader *r,
				  const struct name *names, size_t n)
{
	struct derived_part p = { .known = true };
	uint64_t v;

	for (size_t i = 0; i < n; i++) {
		p.known = p.known &&
			  reader_find(r, names[i].stage, names[i].name, &v);
		p.value += p.known ? v : 0;
	}
	return p;
}

/* The sum of some counters, as they grew since `before`, as a share of the sum
 * of others. */
static struct derived_percent
percent(const struct reader *r, const struct reader *before,
	const struct name *part, size_t n_part, const struct name *whole,
	size_t n_whole)
{
	struct derived_percent p = { .known = false };
	double parts = 0, all = 0;

	if (!sum_since(r, before, part, n_part, &parts) ||
	    !sum_since(r, before, whole, n_whole, &all) || !(all > 0))
		return p;
	p.value = 100.0 * parts / all;
	p.known = true;
	return p;
}

static struct derived_part part(const struct reader *r, const char *stage,
				const char *name)
{
	return sum_of(r, &(struct name){ stage, name }, 1);
}

static struct derived_percent saved_of(const struct reader *r)
{
	struct derived_percent p = { .known = false };
	double saved = 0, all = 0;

	if (!sum_since(r, NULL, sampled, N(sampled), &all) || !(all > 0))
		return p;
	for (uint32_t i = 0; i < r->n_hot; i++) {
		const struct cof_stats_file_hot *h = &r->hot[i];

		if (h->speed_permille == 0)
			continue;
		saved += (double)h->samples *
			 ((double)h->speed_permille / 1000.0 - 1);
		p.known = true;
	}
	/* A hostile file may say that more was lost than there was. */
	p.known = p.known && all + saved > 0;
	p.value = p.known ? 100.0 * saved / (all + saved) : 0;
	return p;
}

static enum derived_loop loop_of(const struct reader *r)
{
	const char *mode = r->head.mode;
	uint64_t taken = 0, generations = 0;

	if (r->head.stopped)
		return DERIVED_LOOP_STOPPED;
	if (strcmp(mode, "off") == 0)
		return DERIVED_LOOP_OFF;
	if (strcmp(mode, "auto: off") == 0)
		return DERIVED_LOOP_NO_GAIN;
	if (strcmp(mode, "pgo") == 0)
		return DERIVED_LOOP_PGO;
	if (strcmp(mode, "auto") == 0 &&
	    reader_find(r, "sampler", "taken", &taken) && taken == 0 &&
	    reader_find(r, "predictor", "generations", &generations) &&
	    generations == 0)
		return DERIVED_LOOP_WAITS;
	return DERIVED_LOOP_ON;
}

bool derived_is_usual(const char *stage, const char *drop)
{
	static const struct name usual[DERIVED_USUAL] = {
		{ "sampler", "DEAD" },
		{ "predictor", "NOT_CHOSEN" }, { "predictor", "SETTLED" },
		{ "predictor", "DEAD" },
		{ "optimizer", "STALE" }, { "optimizer", "BUSY" },
		{ "optimizer", "BACKED_OFF" }, { "optimizer", "NO_ESTIMATE" },
		{ "optimizer", "NOT_WORTH" }, { "optimizer", "STOPPED" },
		{ "profile", "STALE" }, { "profile", "STOPPED" },
		{ "osr", "STOPPED" },
		{ "audit", "REPLACED" }, { "audit", "STOPPED" },
		{ "patcher", "SUPERSEDED" }, { "patcher", "DRY_RUN" },
	};

	for (size_t i = 0; i < DERIVED_USUAL; i++)
		if (strcmp(usual[i].stage, stage) == 0 &&
		    strcmp(usual[i].name, drop) == 0)
			return true;
	return false;
}

bool derived_is_reason(const char *stage)
{
	return strcmp(stage, "improved") == 0;
}

const char *derived_loop_name(enum derived_loop loop)
{
	static const char *const name[DERIVED_LOOP_COUNT] = {
		[DERIVED_LOOP_ON] = "on", [DERIVED_LOOP_PGO] = "pgo",
		[DERIVED_LOOP_WAITS] = "waits",
		[DERIVED_LOOP_NO_GAIN] = "no gain",
		[DERIVED_LOOP_OFF] = "off", [DERIVED_LOOP_STOPPED] = "stopped",
	};

	return name[loop];
}

struct derived derived_of(const struct reader *r,
			  const struct reader *before)
{
	static const struct name own[] = {
		{ "sampler", "handler_ns" }, { "sampler", "delivery_ns" },
		{ "sampler", "sam_ns" }, { "predictor", "pre_ns" },
		{ "optimizer", "picker_ns" },
		{ "optimizer", "files_ns" },
	};
	static const struct name builds[] = {
		{ "optimizer", "gather_ns" }, { "optimizer", "build_ns" },
		{ "profile", "instrument_ns" }, { "profile", "collect_ns" },
		{ "profile", "build_ns" }, { "osr", "osr_ns" },
	};
	static const struct name recompiled[] = { { "sampler", "recompiled" } };
	static const struct name built[] = {
		{ "optimizer", "built" }, { "profile", "built" },
	};
	static const struct name unclear[] = {
		{ "audit", "unclear_kept" }, { "audit", "unclear_back" },
	};
	static const struct name guest[] = { { "sampler", "guest_ns" } };

	return (struct derived){
		.loop = loop_of(r),
		.phase = part(r, "phase", "now"),
		.counting = part(r, "profile", "counting"),
		.queued = part(r, "optimizer", "queued"),
		.on_trial = part(r, "audit", "now"),
		.overhead = percent(r, before, own, N(own), guest,
				    N(guest)),
		.builds = percent(r, before, builds, N(builds), guest,
				  N(guest)),
		.recompiled = percent(r, before, recompiled, N(recompiled),
				      sampled, N(sampled)),
		.saved = saved_of(r),
		.built = sum_of(r, built, N(built)),
		.profiled = part(r, "profile", "built"),
		.first_patch_ns = part(r, "optimizer", "first_patch_ns"),
		.faster = part(r, "audit", "kept"),
		.slower = part(r, "audit", "rolled_back"),
		.unclear = sum_of(r, unclear, N(unclear)),
		.reserved = part(r, "patcher", "code_reserved"),
		.first = part(r, "patcher", "code_first"),
		.hot = part(r, "patcher", "code_hot"),
		.retired = part(r, "patcher", "code_retired"),
		.data = part(r, "patcher", "data_bytes"),
	};
}
