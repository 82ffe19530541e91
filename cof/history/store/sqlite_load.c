/*
 * sqlite_load.c - rows to a program's past; every value is checked
 *
 * A row that sqlite_save.c could not have written makes the whole file damaged:
 * then nothing else in it can be believed either.
 */
#include "history/store/sqlite.h"

#include <string.h>

#include "memory/mem.h"
#include "options/tuning.h"

/* The hot set is from the latest runs with the loop on. A run that has less
 * than a part (known_hot_run_part) of the samples of the best-sampled one was
 * short, and is left out. A run that has all versions from its start has fewer
 * samples, too. In one run alone, chance would decide what is barely hot. */
#define HOT_RUNS_MAX 10		/* of known_hot_runs, and in the query */

static bool ok(struct cof_history_db *d, bool possible)
{
	return d->result == COF_HISTORY_OK &&
	       (possible || cof_history_sqlite_fail(d, COF_HISTORY_DAMAGED,
						    "a record that cannot be"));
}

/* Reads columns from where the query is, in the order of
 * COF_HISTORY_RUN_COLUMNS. */
static bool read_run(struct cof_history_query *q, struct cof_history_run *r)
{
	r->began_ns = cof_history_sqlite_int(q);
	r->pid = cof_history_sqlite_int(q);
	cof_history_sqlite_column(q, r->libcof, sizeof(r->libcof));
	cof_history_sqlite_column(q, r->cpu, sizeof(r->cpu));
	r->mode = cof_history_sqlite_u32(q);
	r->verdict = (enum cof_history_verdict)cof_history_sqlite_u32(q);
	r->loop = cof_history_sqlite_int(q) != 0;
	r->ended = cof_history_sqlite_int(q) != 0;
	r->wall_ns = cof_history_sqlite_int(q);
	r->cpu_ns = cof_history_sqlite_int(q);
	r->own_ns = cof_history_sqlite_int(q);
	r->build_ns = cof_history_sqlite_int(q);
	r->paid_ns = cof_history_sqlite_int(q);
	r->period_ns = cof_history_sqlite_int(q);
	r->first_patch_ns = cof_history_sqlite_int(q);
	r->samples = cof_history_sqlite_int(q);
	r->counted = cof_history_sqlite_int(q);
	r->recompiled = cof_history_sqlite_int(q);
	r->builds = cof_history_sqlite_int(q);
	r->installed = cof_history_sqlite_int(q);
	r->generations = cof_history_sqlite_int(q);
	r->phases = cof_history_sqlite_int(q);
	r->promised_ns = cof_history_sqlite_int(q);
	r->measured_ns = cof_history_sqlite_int(q);
	r->untried_ns = cof_history_sqlite_int(q);
	r->once_ns = cof_history_sqlite_int(q);
	r->checked_ns = cof_history_sqlite_int(q);
	r->open = cof_history_sqlite_int(q);
	return ok(q->db, cof_history_run_ok(r));
}

static bool read_method(struct cof_history_query *q,
			struct cof_history_method *m)
{
	memset(m, 0, sizeof(*m));
	cof_history_sqlite_column(q, m->name, sizeof(m->name));
	m->shape = (uint64_t)cof_history_sqlite_int(q);
	m->samples = cof_history_sqlite_int(q);
	m->plan = cof_history_sqlite_u32(q);
	m->promised_permille = cof_history_sqlite_u32(q);
	m->measured_permille = cof_history_sqlite_u32(q);
	m->error_permille = cof_history_sqlite_u32(q);
	m->audit = (enum cof_history_audit)cof_history_sqlite_u32(q);
	return ok(q->db, cof_history_method_ok(m));
}

static void *alloc_array(struct cof_history_db *d, size_t n, size_t size)
{
	void *p = cof_mem_alloc(n * size);

	if (!p)
		cof_history_sqlite_fail(d, COF_HISTORY_FAILED, "no memory");
	return p;
}

/* The number of the program's row; 0: it has none. */
static int64_t read_program(struct cof_history_db *d,
			    struct cof_history_past *p)
{
	struct cof_history_query q = cof_history_sqlite_query(d,
		"SELECT id,name,host FROM program WHERE identity=?");
	int64_t id = 0;

	cof_history_sqlite_bind_blob(&q, p->id.byte, p->id.bytes);
	if (cof_history_sqlite_step(&q)) {
		id = cof_history_sqlite_int(&q);
		cof_history_sqlite_column(&q, p->name, sizeof(p->name));
		cof_history_sqlite_column(&q, p->host, sizeof(p->host));
	}
	cof_history_sqlite_query_end(&q);
	return d->result == COF_HISTORY_OK ? id : 0;
}

struct hot_runs {
	/* The latest first. */
	int64_t run[HOT_RUNS_MAX], counted[HOT_RUNS_MAX];
	uint32_t n;
	int64_t most;
	bool    carry;		/* they do */
};

/* Runs that carry nothing count only if no other does. */
static void add_hot_run(struct hot_runs *s, int64_t id, bool carries,
			const struct cof_history_run *r)
{
	if (r->loop && carries && !s->carry)
		*s = (struct hot_runs){ .carry = true };
	if (!r->loop || s->n == COF_TUNE(known_hot_runs) || carries != s->carry)
		return;
	s->run[s->n] = id;
	s->counted[s->n++] = r->counted;
	if (r->counted > s->most)
		s->most = r->counted;
}

/* Sets the numbers of runs that are left out to 0. */
static void select_hot_runs(struct hot_runs *s, struct cof_history_past *p)
{
	for (uint32_t i = 0; i < s->n; i++) {
		if (s->most == 0 ||
		    (double)s->counted[i] <
			    COF_TUNE(known_hot_run_part) * (double)s->most)
			s->run[i] = 0;
		else
			p->samples += s->counted[i];
	}
}

static void read_runs(struct cof_history_db *d, int64_t program,
		      const struct cof_history_limits *limits,
		      struct cof_history_past *p, struct hot_runs *hot)
{
	struct cof_history_query q = cof_history_sqlite_query(d,
		"SELECT id," COF_HISTORY_RUN_COLUMNS " FROM run "
		"WHERE program=? ORDER BY id DESC LIMIT ?");
	uint32_t max = limits->runs < COF_HISTORY_RUNS ? limits->runs :
							 COF_HISTORY_RUNS;
	uint32_t n[2] = { 0, 0 };	/* by whether they carry something */

	p->run = alloc_array(d, max ? 2 * max : 1, sizeof(*p->run));
	cof_history_sqlite_bind(&q, program);
	cof_history_sqlite_bind(&q, 2 * COF_HISTORY_RUNS);
	while (p->n_runs < 2 * max && cof_history_sqlite_step(&q)) {
		struct cof_history_run *r = &p->run[p->n_runs];
		int64_t id = cof_history_sqlite_int(&q);
		bool carries;

		if (!read_run(&q, r))
			break;
		carries = cof_history_run_carries(r, limits->short_ns);
		if (n[carries]++ >= max)
			continue;
		p->n_runs++;
		add_hot_run(hot, id, carries, r);
	}
	cof_history_sqlite_query_end(&q);
	select_hot_runs(hot, p);
}

/* A method that several runs know gets the sum of their samples, and all else
 * from the latest run: with one max() SQLite takes the bare columns from that
 * row (lang_select, "Bare columns in an aggregate query"). */
static void read_methods(struct cof_history_db *d, const struct hot_runs *hot,
			 struct cof_history_past *p)
{
	struct cof_history_query q = cof_history_sqlite_query(d,
		"SELECT " COF_HISTORY_METHOD_SUMS " FROM method "
		"WHERE run IN (?,?,?,?,?,?,?,?,?,?) GROUP BY name "
		"ORDER BY 3 DESC,name LIMIT ?");

	_Static_assert(HOT_RUNS_MAX == 10, "so many in the query");
	p->method = alloc_array(d, COF_HISTORY_METHODS, sizeof(*p->method));
	for (uint32_t i = 0; i < HOT_RUNS_MAX; i++)
		cof_history_sqlite_bind(&q, hot->run[i]);
	cof_history_sqlite_bind(&q, COF_HISTORY_METHODS);
	while (p->n_methods < COF_HISTORY_METHODS &&
	       cof_history_sqlite_step(&q)) {
		if (!read_method(&q, &p->method[p->n_methods]))
			break;
		p->n_methods++;
	}
	cof_history_sqlite_query_end(&q);
}

static void read_profiles(struct cof_history_db *d, int64_t program,
			  struct cof_history_past *p)
{
	struct cof_history_query q = cof_history_sqlite_query(d,
		"SELECT data FROM profile WHERE program=? AND name=? AND "
		"shape=? LIMIT 1");
	size_t all = 0, bytes;

	for (uint32_t i = 0; i < p->n_methods; i++) {
		struct cof_history_method *m = &p->method[i];
		const void *data;

		cof_history_sqlite_bind(&q, program);
		cof_history_sqlite_bind_text(&q, m->name);
		cof_history_sqlite_bind(&q, (int64_t)m->shape);
		if (cof_history_sqlite_step(&q)) {
			data = cof_history_sqlite_blob(&q, COF_HISTORY_PROFILE,
						       &bytes);
			if (data && all + bytes <= COF_HISTORY_PROFILES)
				m->profile = alloc_array(d, 1, bytes);
			if (data && m->profile) {
				memcpy(m->profile, data, bytes);
				m->profile_bytes = bytes;
				all += bytes;
			}
		}
		cof_history_sqlite_step_all(&q);
	}
	cof_history_sqlite_query_end(&q);
}

enum cof_history_result
cof_history_sqlite_load(struct cof_history_store *store,
			const struct cof_history_id *id,
			const struct cof_history_limits *limits,
			struct cof_history_past *past,
			char why[COF_HISTORY_WHY])
{
	struct cof_history_db *d = (struct cof_history_db *)store;
	struct hot_runs hot = { .n = 0 };
	int64_t program;
	enum cof_history_result r;

	d->why = why;
	memset(past, 0, sizeof(*past));
	past->id = *id;
	/* In one transaction, all rows are of one moment. */
	cof_history_sqlite_run(d, "BEGIN");
	program = read_program(d, past);
	if (program)
		read_runs(d, program, limits, past, &hot);
	if (past->samples > 0) {
		read_methods(d, &hot, past);
		read_profiles(d, program, past);
	}
	cof_history_sqlite_run(d, "COMMIT");
	r = cof_history_sqlite_end(d);
	if (r == COF_HISTORY_OK && past->n_runs > 0)
		return r;
	cof_history_past_free(past);
	memset(past, 0, sizeof(*past));
	return r == COF_HISTORY_OK ? COF_HISTORY_NOTHING : r;
}

enum cof_history_result
cof_history_sqlite_find(struct cof_history_store *store, const char *name,
			struct cof_history_id *id, uint32_t room, uint32_t *n,
			char why[COF_HISTORY_WHY])
{
	struct cof_history_db *d = (struct cof_history_db *)store;
	struct cof_history_query q;

	d->why = why;
	*n = 0;
	q = cof_history_sqlite_query(d,
		"SELECT identity FROM program WHERE name=?1 OR "
		"substr(name,-length(?1)-1)='/'||?1 "
		"ORDER BY used DESC LIMIT ?2");
	cof_history_sqlite_bind_text(&q, name);
	cof_history_sqlite_bind(&q, room);
	while (*n < room && cof_history_sqlite_step(&q)) {
		struct cof_history_id *to = &id[*n];
		size_t bytes;
		const void *data = cof_history_sqlite_blob(&q, sizeof(to->byte),
							   &bytes);

		memset(to, 0, sizeof(*to));
		to->bytes = (uint32_t)bytes;
		if (data)
			memcpy(to->byte, data, bytes);
		if (!ok(d, cof_history_id_ok(to)))
			break;
		++*n;
	}
	cof_history_sqlite_query_end(&q);
	if (cof_history_sqlite_end(d) != COF_HISTORY_OK)
		return d->result;
	return *n > 0 ? COF_HISTORY_OK : COF_HISTORY_NOTHING;
}
