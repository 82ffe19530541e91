/*
 * sqlite_save.c - write a record as rows, and trim the file to its limits
 */
#include "history/store/sqlite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

#define PROFILES_MAX  512	/* of a program */
#define TRIMS_MAX     10000	/* programs dropped in one transaction */
#define DROPS_MAX     20	/* programs dropped by one record: each takes a
				 * look at all of them */
#define VACUUM_PAGES  256	/* given back to the system at a time */

/* Runs SQL that has one parameter. */
static void run_with(struct cof_history_db *d, const char *sql, int64_t v)
{
	struct cof_history_query q = cof_history_sqlite_query(d, sql);

	cof_history_sqlite_bind(&q, v);
	cof_history_sqlite_step_all(&q);
	cof_history_sqlite_query_end(&q);
}

static void drop_run(struct cof_history_db *d, int64_t run)
{
	run_with(d, "DELETE FROM method WHERE run=?", run);
	run_with(d, "DELETE FROM phase WHERE run=?", run);
	run_with(d, "DELETE FROM run WHERE id=?", run);
}

/* -- Limits ---------------------------------------------------------------- */

/* Drops all but the newest `keep` of the program's runs that carry something,
 * or of those that do not: cof_history_run_carries(). */
static void trim_kind(struct cof_history_db *d, int64_t program, uint32_t keep,
		      int64_t short_ns, bool carries)
{
	for (int i = 0; i < TRIMS_MAX && d->result == COF_HISTORY_OK; i++) {
		struct cof_history_query q = cof_history_sqlite_query(d,
			"SELECT id FROM run WHERE program=? "
			"AND (cpu_ns>=? OR builds>0)=? "
			"ORDER BY id DESC LIMIT 1 OFFSET ?");
		int64_t id = 0;
		bool more;

		cof_history_sqlite_bind(&q, program);
		cof_history_sqlite_bind(&q, short_ns);
		cof_history_sqlite_bind(&q, carries);
		cof_history_sqlite_bind(&q, keep);
		more = cof_history_sqlite_step(&q);
		if (more)
			id = cof_history_sqlite_int(&q);
		cof_history_sqlite_query_end(&q);
		if (!more)
			return;
		drop_run(d, id);
	}
}

/* In two kinds: any number of runs that only print a version push out nothing
 * that was learned. */
static void trim_runs(struct cof_history_db *d, int64_t program, uint32_t keep,
		      int64_t short_ns)
{
	trim_kind(d, program, keep, short_ns, true);
	trim_kind(d, program, keep, short_ns, false);
}

static void trim_profiles(struct cof_history_db *d, int64_t program)
{
	struct cof_history_query q = cof_history_sqlite_query(d,
		"DELETE FROM profile WHERE program=?1 AND rowid<="
		"(SELECT rowid FROM profile WHERE program=?1 "
		"ORDER BY rowid DESC LIMIT 1 OFFSET ?2)");

	cof_history_sqlite_bind(&q, program);
	cof_history_sqlite_bind(&q, PROFILES_MAX);
	cof_history_sqlite_step_all(&q);
	cof_history_sqlite_query_end(&q);
}

static void drop_program(struct cof_history_db *d, int64_t program)
{
	trim_runs(d, program, 0, 0);
	run_with(d, "DELETE FROM profile WHERE program=?", program);
	run_with(d, "DELETE FROM program WHERE id=?", program);
}

/*
 * Drops the program that was not run for longest, but one whose runs carry
 * something only if there is no other, and `latest` last of its kind. False:
 * only that one is left, or a failure.
 */
static bool drop_oldest(struct cof_history_db *d, int64_t latest,
			int64_t short_ns)
{
	struct cof_history_query q = cof_history_sqlite_query(d,
		"SELECT id FROM program WHERE "
		"(SELECT count(*) FROM program)>1 ORDER BY EXISTS("
		"SELECT 1 FROM run WHERE run.program=program.id AND "
		"(cpu_ns>=? OR builds>0)),id=?,used LIMIT 1");
	int64_t id = 0;
	bool any;

	cof_history_sqlite_bind(&q, short_ns);
	cof_history_sqlite_bind(&q, latest);
	any = cof_history_sqlite_step(&q);
	if (any)
		id = cof_history_sqlite_int(&q);
	cof_history_sqlite_query_end(&q);
	if (any)
		drop_program(d, id);
	return any && d->result == COF_HISTORY_OK;
}

static uint64_t used_bytes(struct cof_history_db *d)
{
	int64_t pages = cof_history_sqlite_number(d, "PRAGMA page_count", 0);
	int64_t unused = cof_history_sqlite_number(d, "PRAGMA freelist_count",
						   0);
	int64_t bytes = cof_history_sqlite_number(d, "PRAGMA page_size", 0);

	return pages > unused && bytes > 0 ?
	       (uint64_t)(pages - unused) * (uint64_t)bytes : 0;
}

static void trim(struct cof_history_db *d, int64_t program,
		 const struct cof_history_limits *limits)
{
	int64_t n = cof_history_sqlite_number(d, "SELECT count(*) FROM program",
					      0);
	int left = DROPS_MAX;

	trim_runs(d, program, limits->runs, limits->short_ns);
	trim_profiles(d, program);
	for (; left > 0 && n > (int64_t)limits->programs &&
	       drop_oldest(d, program, limits->short_ns); n--)
		left--;
	/* Some space is left, so that the next record fits. */
	while (left > 0 && used_bytes(d) > limits->bytes / 4 * 3 &&
	       drop_oldest(d, program, limits->short_ns))
		left--;
	if (used_bytes(d) > limits->bytes / 4 * 3) {
		trim_runs(d, program, 1, limits->short_ns);
		run_with(d, "DELETE FROM profile WHERE program=?", program);
	}
}

/* -- Rows ------------------------------------------------------------------ */

/* The number of the program's row, which is made if it is missing. */
static int64_t program_row(struct cof_history_db *d,
			   const struct cof_history_record *r)
{
	struct cof_history_query q = cof_history_sqlite_query(d,
		"SELECT id FROM program WHERE identity=?");
	int64_t id = 0;

	cof_history_sqlite_bind_blob(&q, r->id.byte, r->id.bytes);
	if (cof_history_sqlite_step(&q))
		id = cof_history_sqlite_int(&q);
	cof_history_sqlite_query_end(&q);

	q = cof_history_sqlite_query(d, id ?
		"UPDATE program SET name=iif(?1='',name,?1),host=?2,used=?3 "
		"WHERE id=?5" :
		"INSERT INTO program(name,host,used,identity) "
		"VALUES(?1,?2,?3,?4)");
	cof_history_sqlite_bind_text(&q, r->name);
	cof_history_sqlite_bind_text(&q, r->host);
	cof_history_sqlite_bind(&q, (int64_t)cof_clock_read(CLOCK_REALTIME));
	if (id) {
		q.at++;
		cof_history_sqlite_bind(&q, id);
	} else {
		cof_history_sqlite_bind_blob(&q, r->id.byte, r->id.bytes);
	}
	cof_history_sqlite_step_all(&q);
	cof_history_sqlite_query_end(&q);
	return id ? id : sqlite3_last_insert_rowid(d->db);
}

/* The number of the run's row if it was saved before, else 0. */
static int64_t run_row(struct cof_history_db *d, int64_t program,
		       const struct cof_history_run *r)
{
	struct cof_history_query q = cof_history_sqlite_query(d,
		"SELECT id FROM run WHERE program=? AND began=? AND pid=?");
	int64_t id = 0;

	cof_history_sqlite_bind(&q, program);
	cof_history_sqlite_bind(&q, r->began_ns);
	cof_history_sqlite_bind(&q, r->pid);
	if (cof_history_sqlite_step(&q))
		id = cof_history_sqlite_int(&q);
	cof_history_sqlite_query_end(&q);
	return id;
}

static int64_t write_run(struct cof_history_db *d, int64_t program,
			 const struct cof_history_run *r)
{
	const int64_t number[] = {
		r->mode, r->verdict, r->loop, r->ended, r->wall_ns, r->cpu_ns,
		r->own_ns, r->build_ns, r->paid_ns, r->period_ns,
		r->first_patch_ns, r->samples, r->counted, r->recompiled,
		r->builds, r->installed, r->generations, r->phases,
		r->promised_ns, r->measured_ns, r->untried_ns,
		r->once_ns, r->checked_ns, r->open,
	};
	int64_t id = run_row(d, program, r);
	struct cof_history_query q;

	if (id)
		drop_run(d, id);
	q = cof_history_sqlite_query(d,
		"INSERT INTO run(id,program," COF_HISTORY_RUN_COLUMNS ") VALUES"
		"(nullif(?,0),?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,"
		"?,?,?,?,?)");
	cof_history_sqlite_bind(&q, id);
	cof_history_sqlite_bind(&q, program);
	cof_history_sqlite_bind(&q, r->began_ns);
	cof_history_sqlite_bind(&q, r->pid);
	cof_history_sqlite_bind_text(&q, r->libcof);
	cof_history_sqlite_bind_text(&q, r->cpu);
	for (size_t i = 0; i < sizeof(number) / sizeof(number[0]); i++)
		cof_history_sqlite_bind(&q, number[i]);
	cof_history_sqlite_step_all(&q);
	cof_history_sqlite_query_end(&q);
	return id ? id : sqlite3_last_insert_rowid(d->db);
}

static void write_methods(struct cof_history_db *d, int64_t run,
			  const struct cof_history_record *r)
{
	struct cof_history_query q = cof_history_sqlite_query(d,
		"INSERT INTO method(run," COF_HISTORY_METHOD_COLUMNS
		") VALUES(?,?,?,?,?,?,?,?,?)");

	for (uint32_t i = 0; i < r->n_methods; i++) {
		const struct cof_history_method *m = &r->method[i];

		cof_history_sqlite_bind(&q, run);
		cof_history_sqlite_bind_text(&q, m->name);
		cof_history_sqlite_bind(&q, (int64_t)m->shape);
		cof_history_sqlite_bind(&q, m->samples);
		cof_history_sqlite_bind(&q, m->plan);
		cof_history_sqlite_bind(&q, m->promised_permille);
		cof_history_sqlite_bind(&q, m->measured_permille);
		cof_history_sqlite_bind(&q, m->error_permille);
		cof_history_sqlite_bind(&q, m->audit);
		cof_history_sqlite_step_all(&q);
	}
	cof_history_sqlite_query_end(&q);
}

static void write_phases(struct cof_history_db *d, int64_t run,
			 const struct cof_history_record *r)
{
	struct cof_history_query q = cof_history_sqlite_query(d,
		"INSERT INTO phase(run,generation,similarity,heaviest) "
		"VALUES(?,?,?,?)");

	for (uint32_t i = 0; i < r->n_phases; i++) {
		cof_history_sqlite_bind(&q, run);
		cof_history_sqlite_bind(&q, r->phase[i].generation);
		cof_history_sqlite_bind(&q, r->phase[i].similarity_permille);
		cof_history_sqlite_bind_text(&q, r->phase[i].heaviest);
		cof_history_sqlite_step_all(&q);
	}
	cof_history_sqlite_query_end(&q);
}

/* A method's new profile replaces the one before. */
static void write_profiles(struct cof_history_db *d, int64_t program,
			   const struct cof_history_record *r)
{
	struct cof_history_query drop = cof_history_sqlite_query(d,
		"DELETE FROM profile WHERE program=? AND name=? AND shape=?");
	struct cof_history_query add = cof_history_sqlite_query(d,
		"INSERT INTO profile(program,name,shape,data) VALUES(?,?,?,?)");

	for (uint32_t i = 0; i < r->n_methods; i++) {
		const struct cof_history_method *m = &r->method[i];

		if (!m->profile)
			continue;
		cof_history_sqlite_bind(&drop, program);
		cof_history_sqlite_bind_text(&drop, m->name);
		cof_history_sqlite_bind(&drop, (int64_t)m->shape);
		cof_history_sqlite_step_all(&drop);
		cof_history_sqlite_bind(&add, program);
		cof_history_sqlite_bind_text(&add, m->name);
		cof_history_sqlite_bind(&add, (int64_t)m->shape);
		cof_history_sqlite_bind_blob(&add, m->profile,
					     m->profile_bytes);
		cof_history_sqlite_step_all(&add);
	}
	cof_history_sqlite_query_end(&add);
	cof_history_sqlite_query_end(&drop);
}

/* -- The transaction ------------------------------------------------------- */

/* The file must not grow beyond the limit, whatever is written. */
static void limit_pages(struct cof_history_db *d, uint64_t bytes)
{
	int64_t page = cof_history_sqlite_number(d, "PRAGMA page_size", 4096);
	char sql[64];

	if (page <= 0)
		page = 4096;
	snprintf(sql, sizeof(sql), "PRAGMA max_page_count=%" PRIu64,
		 bytes / (uint64_t)page);
	(void)cof_history_sqlite_number(d, sql, 0);
}

/* Two processes may have found the file empty; the second one finds the
 * tables. */
static void make_tables(struct cof_history_db *d)
{
	if (d->made)
		return;
	if (cof_history_sqlite_number(d, "SELECT count(*) FROM sqlite_master",
				      0) == 0)
		d->made = cof_history_schema_make(d);
	else
		d->made = cof_history_schema_check(d);
}

/* All in one transaction, queries too: each alone would lock and unlock the
 * file. Returns whether pages are to be given back to the file system. */
static bool write_all(struct cof_history_db *d,
		      const struct cof_history_record *r,
		      const struct cof_history_limits *limits)
{
	int64_t program, run, unused;

	cof_history_sqlite_run(d, "BEGIN IMMEDIATE");
	limit_pages(d, limits->bytes);
	make_tables(d);
	program = d->result == COF_HISTORY_OK ? program_row(d, r) : 0;
	run = d->result == COF_HISTORY_OK ? write_run(d, program, &r->run) : 0;
	write_methods(d, run, r);
	write_phases(d, run, r);
	write_profiles(d, program, r);
	trim(d, program, limits);
	unused = cof_history_sqlite_number(d, "PRAGMA freelist_count", 0);
	cof_history_sqlite_run(d, "COMMIT");
	return unused > VACUUM_PAGES;
}

static bool record_ok(const struct cof_history_record *r)
{
	if (!cof_history_id_ok(&r->id) || !cof_history_run_ok(&r->run) ||
	    r->n_methods > COF_HISTORY_METHODS ||
	    r->n_phases > COF_HISTORY_PHASES)
		return false;
	for (uint32_t i = 0; i < r->n_methods; i++)
		if (!cof_history_method_ok(&r->method[i]))
			return false;
	return true;
}

enum cof_history_result
cof_history_sqlite_save(struct cof_history_store *store,
			const struct cof_history_record *record,
			const struct cof_history_limits *limits,
			char why[COF_HISTORY_WHY])
{
	struct cof_history_db *d = (struct cof_history_db *)store;

	d->why = why;
	if (!record_ok(record)) {
		cof_history_sqlite_fail(d, COF_HISTORY_FAILED,
					"a record that would not be believed");
		return d->result;
	}
	if (write_all(d, record, limits) && d->result == COF_HISTORY_OK)
		cof_history_sqlite_run(d, "PRAGMA incremental_vacuum(256)");
	return cof_history_sqlite_end(d);
}
