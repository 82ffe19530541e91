/*
 * record.h - the record of a run, and a program's past
 *
 *	run --collect.c--> record --save--> store
 *	store --load--> past --run_evidence.c, run_verdict.c--> verdict
 *
 * Plain data without pointers into an instance: a thread that outlives the
 * instance may hold it. A store checks what it hands out with the functions
 * below. A profile is data, and never trusted.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cof.h"

#define COF_HISTORY_ID_MIN   16u	/* bytes of a program's identity */
#define COF_HISTORY_ID_MAX   64u
#define COF_HISTORY_NAME     256u	/* of a name, with its NUL; cut */
#define COF_HISTORY_WORD     64u	/* of a version, a CPU, a host */
#define COF_HISTORY_METHODS  256u	/* of a run, the hottest */
#define COF_HISTORY_PHASES   64u	/* of a run, the latest */
#define COF_HISTORY_RUNS     1000u	/* of a program, at most */
#define COF_HISTORY_PROFILE  (1u << 20)	/* bytes of one method's profile */
#define COF_HISTORY_PROFILES (16u << 20)	/* of all of a run's */
#define COF_HISTORY_NS_MAX   (INT64_C(1) << 60)	/* 36 years */
#define COF_HISTORY_WHY      200u	/* bytes of a line on what is wrong */

struct cof_history_id {
	uint8_t  byte[COF_HISTORY_ID_MAX];
	uint32_t bytes;			/* 0: unknown */
};

/* How the audit of a version ended. */
enum cof_history_audit {
	COF_HISTORY_UNTRIED,	/* promised only: no audit that ended */
	COF_HISTORY_KEPT,
	COF_HISTORY_TAKEN_BACK,
	COF_HISTORY_UNCLEAR,	/* kept, since nothing spoke against it */
	COF_HISTORY_AUDITS,
};

/* What was decided for a run before it began; run_verdict.h says why. */
enum cof_history_verdict {
	COF_HISTORY_AS_TOLD,	/* mode was not auto */
	COF_HISTORY_FIRST,	/* nothing is known: full */
	COF_HISTORY_FULL,	/* not enough is known: full */
	COF_HISTORY_WARM,	/* full, with the known hot set at once */
	COF_HISTORY_RETRY,	/* off for long enough: as WARM */
	COF_HISTORY_NO_GAIN,	/* off */
	COF_HISTORY_SHORT,	/* off */
	COF_HISTORY_COMPARE,	/* off */
	COF_HISTORY_VERDICTS,
};

struct cof_history_run {
	/* Together they tell the run from all others of the program. */
	int64_t  began_ns;		/* CLOCK_REALTIME */
	int64_t  pid;

	char     libcof[COF_HISTORY_WORD];
	char     cpu[COF_HISTORY_WORD];
	uint32_t mode;			/* enum cof_mode, as the user said */
	enum cof_history_verdict verdict;
	bool     loop;			/* sampled or built: not off */
	bool     ended;			/* in order; else recorded before, or by
					 * a child of fork(2) */
	int64_t  wall_ns, cpu_ns;	/* of the process, since cof_start() */
	int64_t  own_ns;		/* of cpu_ns: libcof's, but no builds */
	int64_t  build_ns;		/* of cpu_ns: builds, with gathering and
					 * instrumenting */
	int64_t  paid_ns;		/* of both: what the program waited for;
					 * little where a core is idle */
	int64_t  once_ns;		/* of paid_ns: builds that the host
					 * caches for later runs */
	int64_t  period_ns;		/* guest CPU time a sample stood for, on
					 * average */
	int64_t  first_patch_ns;	/* since the first sample; 0: none */
	int64_t  samples;		/* taken */
	int64_t  counted;		/* of samples: in known versions */
	int64_t  recompiled;		/* of counted: in what libcof built */
	int64_t  builds, installed;
	int64_t  generations, phases;
	/* Saved by a run that has all of its versions from its start: */
	int64_t  promised_ns;		/* if all promises came true */
	int64_t  measured_ns;		/* by audits; below 0: lost */
	int64_t  checked_ns;		/* as was believed of those audited */
	int64_t  untried_ns;		/* as is believed of those not audited;
					 * measure/expected_gain.h */
	int64_t  open;			/* of counted: in hot methods for which
					 * nothing was built, nor refused */
};

struct cof_history_method {
	char     name[COF_HISTORY_NAME];
	uint64_t shape;			/* cof_host.shape(); 0: unknown */
	int64_t  samples;		/* in all its versions; in a past, of
					 * all runs that the hot set is from */
	uint32_t plan;			/* of the current version */
	uint32_t promised_permille;	/* speed over the first version, as
					 * measured for the version before, and
					 * promised over that; 1000: as fast;
					 * 0: nothing was promised */
	uint32_t measured_permille;	/* the same, measured; 0: it was not */
	uint32_t error_permille;	/* standard error of that; 0: unknown */
	enum cof_history_audit audit;	/* of the latest version */
	void    *profile;		/* cof_mem_alloc(); the record's; NULL:
					 * none */
	size_t   profile_bytes;
};

struct cof_history_phase {
	int64_t  generation;		/* at which it began */
	uint32_t similarity_permille;
	char     heaviest[COF_HISTORY_NAME];	/* method; may be empty */
};

struct cof_history_record {
	struct cof_history_id      id;
	char                       name[COF_HISTORY_NAME];	/* for people */
	char                       host[COF_HISTORY_WORD];
	struct cof_history_run     run;
	struct cof_history_method *method;	/* array, hottest first */
	uint32_t                   n_methods;
	struct cof_history_phase  *phase;	/* array, in time */
	uint32_t                   n_phases;
};

/* All that is remembered of one program. */
struct cof_history_past {
	struct cof_history_id      id;
	char                       name[COF_HISTORY_NAME];
	char                       host[COF_HISTORY_WORD];
	struct cof_history_run    *run;		/* array, newest first */
	uint32_t                   n_runs;
	/* The hot set of the latest runs with samples enough, and profiles. */
	struct cof_history_method *method;	/* array, hottest first */
	uint32_t                   n_methods;
	int64_t                    samples;	/* of those runs: counted */
};

/* Free what it refers to; not the struct itself. Zeroed is fine. */
void cof_history_record_free(struct cof_history_record *record);
void cof_history_past_free(struct cof_history_past *past);

/* Is it possible? Ranges, texts that end, sums that agree. */
bool cof_history_run_ok(const struct cof_history_run *run);

/* Did the run take so long that it carries something for later ones, or was
 * something built in it? Runs that only print a version do not. */
bool cof_history_run_carries(const struct cof_history_run *run,
			     int64_t short_ns);
bool cof_history_method_ok(const struct cof_history_method *method);
bool cof_history_id_ok(const struct cof_history_id *id);

/* Copy a text for people or a name, cut to `room` bytes with the NUL, at a
 * whole UTF-8 sequence. Control characters become '?'. */
void cof_history_text(char *to, size_t room, const char *from);
