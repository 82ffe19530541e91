/*
 * derived.h - figures made of several counters
 *
 * The one place in cof-stats that knows counters by name. The file may be of
 * another build: a figure whose counters are missing is missing too.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reader.h"

struct derived_part {
	bool     known;
	uint64_t value;
};

struct derived_percent {
	bool   known;
	double value;
};

/* What the loop does, as far as the file tells. */
enum derived_loop {
	DERIVED_LOOP_ON,
	DERIVED_LOOP_PGO,	/* on in mode pgo, which samples nothing */
	DERIVED_LOOP_WAITS,	/* mode auto waits until the program has run
				 * for option auto_start_ms */
	DERIVED_LOOP_NO_GAIN,	/* mode auto expects none of this program */
	DERIVED_LOOP_OFF,	/* mode off */
	DERIVED_LOOP_STOPPED,	/* cof_stop() ended it */
	DERIVED_LOOP_COUNT
};

struct derived {
	enum derived_loop loop;
	struct derived_part phase;	/* the program is in; 0: between two */

	/* Methods counting now, builds waiting, versions on trial. */
	struct derived_part counting, queued, on_trial;

	/* Of the program's CPU time: what sampling and deciding cost, and what
	 * building cost. */
	struct derived_percent overhead, builds;

	/* Samples in versions that libcof had built, of all in versions. */
	struct derived_percent recompiled;

	/*
	 * CPU time that the versions in the table of hot methods saved, as far
	 * as a trial measured their speed-up, of the time all would have taken
	 * without them. By samples, since the start.
	 */
	struct derived_percent saved;

	/* Versions built; of these, with a profile. */
	struct derived_part built, profiled;
	struct derived_part first_patch_ns;	/* after the first sample */

	/* Trials that ended. */
	struct derived_part faster, slower, unclear;

	/* Code memory, bytes. */
	struct derived_part reserved, first, hot, retired, data;
};

/*
 * `before`: an earlier look at the same file, or NULL. With it overhead, builds
 * and recompiled are of the time between the two looks, not since the start.
 */
struct derived derived_of(const struct reader *r,
			  const struct reader *before);

#define DERIVED_USUAL 17	/* drops of which derived_is_usual() knows */

/* Is a drop of this name usual while nothing is wrong? */
bool derived_is_usual(const char *stage, const char *drop);

/* Are the stage's drops reasons why code is not improved? They are no work that
 * was given up. */
bool derived_is_reason(const char *stage);

/* "on", "waits", "off" ... for programs. */
const char *derived_loop_name(enum derived_loop loop);
