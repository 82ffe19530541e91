/*
 * why.c - find a program's past, decide, print
 */
#include "why.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cof.h"
#include "history/cpu.h"
#include "history/store/store.h"
#include "../identity.h"
#include "options/opts.h"
#include "why_view.h"

#define WAIT_NS     UINT64_C(5000000000)

/* -- Find ------------------------------------------------------------------ */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * By content. Else by name, since the file may have changed since it ran: of
 * several programs of that name the one that ran last.
 */
static enum cof_history_result
find(struct why_view *v, struct cof_history_store *store, const char *program,
     const struct cof_history_limits *limits, char *why)
{
	enum cof_history_result r = COF_HISTORY_NOTHING;
	struct cof_history_id id[8];
	bool file = identity_of(program, &id[0]);
	uint32_t n;

	if (file)
		r = store->ops->load(store, &id[0], limits, &v->past, why);
	if (r != COF_HISTORY_NOTHING)
		return r;
	r = store->ops->find(store, last_part(program), id, 8, &n, why);
	if (r != COF_HISTORY_OK)
		return r;
	v->by_name = file;
	v->others = n - 1;
	return store->ops->load(store, &id[0], limits, &v->past, why);
}

static int fail(char why[WHY_TEXT], const char *what, const char *detail)
{
	snprintf(why, WHY_TEXT, "%s%s%.200s", what, detail[0] ? ": " : "",
		 detail);
	return -1;
}

static int read_opts(struct cof_opts *opts, const char *options,
		     char why[WHY_TEXT])
{
	const char *env = getenv("COF_OPTIONS");
	char said[COF_WHY_BYTES] = "";

	cof_opts_init(opts);
	if ((env && cof_opts_parse(opts, env, said, sizeof(said)) != 0) ||
	    (options &&
	     cof_opts_parse(opts, options, said, sizeof(said)) != 0))
		return fail(why, "options", said);
	return 0;
}

static int look(struct why_view *v, const char *program,
		const struct cof_opts *opts, char why[WHY_TEXT])
{
	const struct cof_history_limits limits = {
		.runs = opts->history_runs,
		.short_ns = opts->auto_short_ms * INT64_C(1000000),
	};
	char said[COF_HISTORY_WHY] = "";
	struct cof_history_store *store;
	enum cof_history_result r;

	if (strcmp(opts->history, "none") == 0)
		return fail(why, "option history is none", "");
	if (!cof_history_db_path(opts->history, v->path, said))
		return fail(why, "no history", said);
	r = cof_history_store_open(v->path, COF_HISTORY_LOOK,
				   cof_clock_ns() + WAIT_NS, &store, said);
	if (r == COF_HISTORY_OK) {
		r = find(v, store, program, &limits, said);
		store->ops->close(store);
	} else if (r == COF_HISTORY_NOTHING) {
		return fail(why, "there is no history yet", v->path);
	}
	if (r == COF_HISTORY_NOTHING)
		return fail(why, "no run of this program is remembered; it "
			    "would run as in mode full", "");
	if (r != COF_HISTORY_OK)
		return fail(why, "the history cannot be read", said);
	return 0;
}

static void decide(struct why_view *v, const struct cof_opts *opts)
{
	cof_history_text(v->libcof, sizeof(v->libcof), COF_VERSION_STRING);
	cof_history_cpu(v->cpu);
	/* That host has built what runs leave, and no other. */
	cof_history_rules(&v->rules, opts,
			  strcmp(v->past.host, "llvm") == 0);
	cof_history_run_evidence(&v->past, v->libcof, v->cpu, &v->rules,
			  &v->evidence);
	v->verdict = cof_history_run_verdict(&v->evidence, &v->rules);
	cof_history_explain(v->verdict, &v->evidence, &v->rules, v->sentence,
			    sizeof(v->sentence));
}

/* -- Print ----------------------------------------------------------------- */

int why_print(FILE *to, const char *program, const char *options, bool json,
	      char why[WHY_TEXT])
{
	struct why_view *v = calloc(1, sizeof(*v));
	struct cof_opts opts;
	int err;

	if (v == NULL)
		return fail(why, "no memory", "");
	err = read_opts(&opts, options, why);
	if (err == 0)
		err = look(v, program, &opts, why);
	if (err == 0) {
		decide(v, &opts);
		(json ? why_json_print : why_text_print)(to, v);
	}
	cof_history_past_free(&v->past);
	free(v);
	return err;
}
