/*
 * history_run.h - an instance with a history of its own
 */
#pragma once

#include <string.h>
#include <unistd.h>

#include "history/cpu.h"
#include "history/history.h"
#include "history_store.h"
#include "hosts/toy/toy.h"
#include "instance.h"

static struct toy toy;
static struct cof_host host;
static struct cof_history_id id;
static char options[400];
static char logged[8192];

static inline void keep_log(void *ctx, const char *line)
{
	(void)ctx;
	strncat(logged, line, sizeof(logged) - strlen(logged) - 1);
	strncat(logged, "\n", sizeof(logged) - strlen(logged) - 1);
}

static inline int setup_run(void **state)
{
	unsetenv("COF_OPTIONS");
	toy = (struct toy){ 0 };
	host = toy_host(&toy);
	id = history_id(1);
	host.identity = id.byte;
	host.identity_bytes = id.bytes;
	host.log = keep_log;
	logged[0] = '\0';
	return setup(state);
}

/* The waits are long: these tests are not about running out of time. */
static inline void start(const char *more)
{
	char why[COF_WHY_BYTES] = "";

	snprintf(options, sizeof(options), "stats=none,verbose,"
		 "history_wait_ms=10000,history=%s,%s", history_path, more);
	if (cof_start(&host, options, why, &toy.cof) != 0)
		fail_msg("%s", why);
}

static inline void end_run(void)
{
	cof_free(toy.cof);
	toy.cof = NULL;
}

static inline void stop(void)
{
	cof_stop(toy.cof);
	end_run();
}

static inline int teardown_run(void **state)
{
	if (toy.cof)		/* the test failed */
		cof_thread_detach(toy.cof);
	end_run();
	return teardown(state);
}

/* A record of this libcof on this CPU. */
static inline struct cof_history_record record_here(int64_t number,
						    uint32_t methods)
{
	struct cof_history_record r = history_record(1, number, methods);

	memset(r.run.libcof, 0, sizeof(r.run.libcof));
	strcpy(r.run.libcof, COF_VERSION_STRING);
	memset(r.run.cpu, 0, sizeof(r.run.cpu));
	cof_history_cpu(r.run.cpu);
	return r;
}

static inline void remember(struct cof_history_record r)
{
	assert_int_equal(history_save(history_path, r, &history_limits),
			 COF_HISTORY_OK);
}

static inline void remember_no_gain(void)
{
	for (int i = 1; i < 3; i++) {
		struct cof_history_record r = record_here(i, 0);

		r.run.measured_ns = 0;
		remember(r);
	}
}

static inline uint64_t shape(void *ctx, void *method)
{
	(void)ctx;
	return ((const struct toy_method *)method)->turns;
}
