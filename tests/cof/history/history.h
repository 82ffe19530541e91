/*
 * history.h - records, and a directory of its own, for tests of the history
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "history/store/store.h"
#include "memory/mem.h"
#include "options/opts.h"

#define SECOND INT64_C(1000000000)

static char history_dir[64], history_path[128];

static inline void history_dir_make(void)
{
	snprintf(history_dir, sizeof(history_dir), "/tmp/cof-history-XXXXXX");
	if (!mkdtemp(history_dir))
		abort();
	snprintf(history_path, sizeof(history_path), "%s/cof/history.db",
		 history_dir);
}

static inline void history_dir_remove(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", history_dir);
	if (system(command) != 0)
		abort();
}

static inline struct cof_history_id history_id(unsigned n)
{
	struct cof_history_id id = { .bytes = 16 };

	memcpy(id.byte, &n, sizeof(n));
	return id;
}

/* A run that gained: 10 s of CPU time, 1 s saved, 20 ms paid. */
static inline struct cof_history_run history_run(int64_t number)
{
	return (struct cof_history_run){
		.began_ns = 1700000000 * SECOND + number, .pid = 7,
		.libcof = "0.1.0", .cpu = "some CPU", .mode = COF_MODE_AUTO,
		.verdict = COF_HISTORY_FULL, .loop = true, .ended = true,
		.wall_ns = 10 * SECOND, .cpu_ns = 10 * SECOND,
		.own_ns = SECOND / 200, .build_ns = SECOND / 100,
		.paid_ns = SECOND / 50, .period_ns = 4000000,
		.first_patch_ns = SECOND, .samples = 2500, .counted = 2400,
		.recompiled = 2000, .builds = 20, .installed = 20,
		.generations = 50, .phases = 2, .promised_ns = 2 * SECOND,
		.measured_ns = SECOND,
	};
}

/* A record with n methods. m0 is the hottest, and has a profile. */
static inline struct cof_history_record history_record(unsigned program,
						       int64_t number,
						       uint32_t n)
{
	struct cof_history_record r = {
		.id = history_id(program), .name = "/usr/bin/guest",
		.host = "toy", .run = history_run(number), .n_methods = n,
		.method = cof_mem_alloc((n ? n : 1) * sizeof(*r.method)),
		.phase = cof_mem_alloc(2 * sizeof(*r.phase)), .n_phases = 2,
	};

	for (uint32_t i = 0; i < n; i++) {
		struct cof_history_method *m = &r.method[i];

		snprintf(m->name, sizeof(m->name), "m%u", i);
		m->shape = UINT64_MAX - i;
		m->samples = 1000 / (i + 1);
		m->plan = COF_PLAN_SPEED;
		m->promised_permille = 1300;
		m->measured_permille = 1200;
		m->error_permille = 10;
		m->audit = COF_HISTORY_KEPT;
	}
	if (n > 0) {
		r.method[0].plan = COF_PLAN_PROFILE;
		r.method[0].profile = cof_mem_strdup("seen to run");
		r.method[0].profile_bytes = 11;
	}
	r.phase[1].generation = 20;
	snprintf(r.phase[1].heaviest, sizeof(r.phase[1].heaviest), "m0");
	return r;
}

/* A run that only printed a version, with the loop on. */
static inline struct cof_history_record history_empty_record(unsigned program,
							     int64_t number)
{
	struct cof_history_record r = history_record(program, number, 0);

	r.run.cpu_ns = r.run.wall_ns = SECOND / 1000;
	r.run.own_ns = r.run.build_ns = r.run.paid_ns = 0;
	r.run.samples = r.run.counted = r.run.recompiled = 0;
	r.run.builds = r.run.installed = r.run.first_patch_ns = 0;
	r.run.promised_ns = r.run.measured_ns = 0;
	return r;
}

static const struct cof_history_limits history_limits = {
	.runs = 40, .short_ns = SECOND, .programs = 200, .bytes = 64 << 20,
};

static inline uint64_t history_deadline(void)
{
	return cof_clock_ns() + 60 * (uint64_t)SECOND;
}

static inline enum cof_history_result
history_save(const char *path, struct cof_history_record record,
	     const struct cof_history_limits *limits)
{
	char why[COF_HISTORY_WHY] = "";
	struct cof_history_store *store;
	enum cof_history_result r;

	r = cof_history_store_open(path, COF_HISTORY_WRITE, history_deadline(),
				   &store, why);
	if (r == COF_HISTORY_OK) {
		r = store->ops->save(store, &record, limits, why);
		store->ops->close(store);
	}
	if (r != COF_HISTORY_OK && getenv("V"))
		fprintf(stderr, "save: %d %s\n", r, why);
	cof_history_record_free(&record);
	return r;
}

static inline enum cof_history_result
history_load(const char *path, unsigned program, struct cof_history_past *past)
{
	struct cof_history_id id = history_id(program);
	char why[COF_HISTORY_WHY] = "";
	struct cof_history_store *store;
	enum cof_history_result r;

	memset(past, 0, sizeof(*past));
	r = cof_history_store_open(path, COF_HISTORY_READ, history_deadline(),
				   &store, why);
	if (r == COF_HISTORY_OK) {
		r = store->ops->load(store, &id, &history_limits, past, why);
		store->ops->close(store);
	}
	if (r > COF_HISTORY_NOTHING && getenv("V"))
		fprintf(stderr, "load: %d %s\n", r, why);
	return r;
}
