/*
 * reader.c - check a stats file, then copy its content
 */
#include "reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

/* Far above what any libcof writes, and low enough to be harmless. */
#define MAX_FILE  (UINT64_C(16) << 20)	/* bytes */
#define MAX_ROWS  1024u			/* elements of a table */
#define MAX_BYTES 4096u			/* of an element */
#define TRIES     8			/* at a row that is being written */

__attribute__((format(printf, 2, 3)))
static bool refuse(char why[READER_WHY], const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(why, READER_WHY, format, ap);
	va_end(ap);
	return false;
}

static bool read_at(int fd, void *to, uint64_t bytes, uint64_t offset,
		    char why[READER_WHY])
{
	uint64_t done = 0;

	while (done < bytes) {
		ssize_t n = pread(fd, (char *)to + done, bytes - done,
				  (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return refuse(why, "cannot be read: %s",
				      strerror(errno));
		if (n == 0)
			return refuse(why, "is damaged: it ends too soon");
		done += (uint64_t)n;
	}
	return true;
}

/* -- The header ------------------------------------------------------------ */

static bool table_fits(const struct cof_stats_file_header *h, const char *what,
		       uint64_t offset, uint64_t n, uint64_t bytes,
		       uint64_t bytes_known, char why[READER_WHY])
{
	/* n * bytes cannot overflow: both were 32 bits wide. */
	if (offset % 8 == 0 && offset >= h->header_bytes &&
	    offset <= h->file_bytes && n <= MAX_ROWS && bytes % 8 == 0 &&
	    bytes >= bytes_known && bytes <= MAX_BYTES &&
	    n * bytes <= h->file_bytes - offset)
		return true;
	return refuse(why, "is damaged: its table of %s has no sound place",
		      what);
}

static bool check_header(const struct cof_stats_file_header *h, uint64_t size,
			 char why[READER_WHY])
{
	if (h->format != COF_STATS_FILE_FORMAT)
		return refuse(why, "has format %" PRIu32 ", but this cof-stats "
			      "knows format %u only", h->format,
			      COF_STATS_FILE_FORMAT);
	if (h->header_bytes < sizeof(*h) || h->file_bytes > size ||
	    h->file_bytes > MAX_FILE || h->header_bytes > h->file_bytes)
		return refuse(why, "is damaged: its sizes do not fit each "
			      "other");
	return table_fits(h, "counters", h->desc_offset, h->n_desc,
			  h->desc_bytes, sizeof(struct cof_stats_file_desc),
			  why) &&
	       table_fits(h, "values", h->flow_offset, 0, 8, 8, why) &&
	       table_fits(h, "methods", h->hot_offset, h->n_hot, h->hot_bytes,
			  sizeof(struct cof_stats_file_hot), why) &&
	       table_fits(h, "phases", h->phase_offset, h->n_phase,
			  h->phase_bytes, sizeof(struct cof_stats_file_phase),
			  why);
}

#define END_TEXT(array) ((array)[sizeof(array) - 1] = '\0')

static void end_texts(struct cof_stats_file_header *h)
{
	END_TEXT(h->host);
	END_TEXT(h->version);
	END_TEXT(h->program);
	END_TEXT(h->options);
	END_TEXT(h->source);
	END_TEXT(h->source_why);
	END_TEXT(h->reclaim_off);
	END_TEXT(h->mode);
}

static bool read_header(struct reader *r, int fd, const struct stat *st,
			char why[READER_WHY])
{
	struct cof_stats_file_header *h = &r->head;

	if (!S_ISREG(st->st_mode))
		return refuse(why, "is not a regular file");
	if ((uint64_t)st->st_size < sizeof(*h) ||
	    !read_at(fd, h->magic, sizeof(h->magic), 0, why) ||
	    memcmp(h->magic, COF_STATS_FILE_MAGIC, sizeof(h->magic)) != 0)
		return refuse(why, "is not a stats file of libcof");

	/* The magic was stored last: what is read after it is complete. */
	atomic_thread_fence(memory_order_acquire);
	if (!read_at(fd, h, sizeof(*h), 0, why) ||
	    !check_header(h, (uint64_t)st->st_size, why))
		return false;
	end_texts(h);
	return true;
}

/* -- Counters -------------------------------------------------------------- */

/*
 * Each name stands for one counter, and the counters of a stage stand together.
 * The code that prints them relies on it.
 */
static bool names_are_unique(const struct reader *r, char why[READER_WHY])
{
	for (uint32_t i = 0; i < r->n; i++) {
		const char *stage = r->desc[i].stage;
		bool left = false;	/* a stage between, going backwards */

		for (uint32_t k = i; k-- > 0; ) {
			bool same = strcmp(r->desc[k].stage, stage) == 0;

			if (same && (left || strcmp(r->desc[k].name,
						    r->desc[i].name) == 0))
				return refuse(why, "is damaged: it has a "
					      "counter twice");
			left |= !same;
		}
	}
	return true;
}

static bool read_counters(struct reader *r, int fd, char why[READER_WHY])
{
	const struct cof_stats_file_header *h = &r->head;
	uint64_t flow_bytes = h->file_bytes - h->flow_offset;
	uint64_t desc_bytes = (uint64_t)h->n_desc * h->desc_bytes;
	char *desc = malloc(desc_bytes + 1), *flow = malloc(flow_bytes + 1);
	bool ok = false;

	r->desc = calloc(h->n_desc + 1u, sizeof(*r->desc));
	r->value = calloc(h->n_desc + 1u, sizeof(*r->value));
	if (desc == NULL || flow == NULL || r->desc == NULL ||
	    r->value == NULL) {
		refuse(why, "cannot be read: no memory");
		goto out;
	}
	if (!read_at(fd, desc, desc_bytes, h->desc_offset, why) ||
	    !read_at(fd, flow, flow_bytes, h->flow_offset, why))
		goto out;
	for (uint32_t i = 0; i < h->n_desc; i++) {
		struct cof_stats_file_desc *d = &r->desc[i];

		memcpy(d, desc + (size_t)i * h->desc_bytes, sizeof(*d));
		END_TEXT(d->stage);
		END_TEXT(d->name);
		END_TEXT(d->unit);
		END_TEXT(d->doc);
		if (d->offset % 8 != 0 || flow_bytes < 8 ||
		    d->offset > flow_bytes - 8) {
			refuse(why, "is damaged: counter %" PRIu32
			       " lies outside", i);
			goto out;
		}
		memcpy(&r->value[i], flow + d->offset, 8);
	}
	r->n = h->n_desc;
	ok = names_are_unique(r, why);
out:
	free(desc);
	free(flow);
	return ok;
}

/* -- Rows ------------------------------------------------------------------ */

/* The sequence word of row i. */
static uint64_t row_seq(const char *table, size_t bytes, uint32_t i)
{
	uint64_t seq;

	memcpy(&seq, table + i * bytes, sizeof(seq));
	return seq;
}

/*
 * Read a table of rows. A row counts if its sequence is the same even number
 * before and after (stats_file.h: C and D). Then its words are in `rows` and
 * that number in `seq`; otherwise `seq` has an odd number. All rows are read at
 * once, and again as long as one of them was being written.
 */
static bool read_rows(int fd, uint64_t offset, uint32_t n, uint32_t row_bytes,
		      char *rows, uint64_t *seq, char *scratch,
		      char why[READER_WHY])
{
	uint64_t bytes = (uint64_t)n * row_bytes;
	bool again = true;

	for (uint32_t i = 0; i < n; i++)
		seq[i] = 1;
	for (int turn = 0; again && turn < TRIES; turn++) {
		char *before = scratch, *words = scratch + bytes;
		char *after = scratch + 2 * bytes;

		if (!read_at(fd, before, bytes, offset, why))
			return false;
		atomic_thread_fence(memory_order_acquire);	/* C */
		if (!read_at(fd, words, bytes, offset, why))
			return false;
		atomic_thread_fence(memory_order_acquire);	/* D */
		if (!read_at(fd, after, bytes, offset, why))
			return false;
		again = false;
		for (uint32_t i = 0; i < n; i++) {
			uint64_t s = row_seq(before, row_bytes, i);

			if (seq[i] % 2 == 0)
				continue;
			if (s % 2 != 0 || s != row_seq(after, row_bytes, i)) {
				again = true;
				continue;
			}
			seq[i] = s;
			memcpy(rows + (size_t)i * row_bytes,
			       words + (size_t)i * row_bytes, row_bytes);
		}
	}
	return true;
}

/* A row that was never written has sequence 0. One that was emptied has no
 * code. */
static void keep_hot(struct reader *r, const char *rows, const uint64_t *seq)
{
	for (uint32_t i = 0; i < r->head.n_hot; i++) {
		struct cof_stats_file_hot *to = &r->hot[r->n_hot];

		r->torn += seq[i] % 2;
		if (seq[i] == 0 || seq[i] % 2 != 0)
			continue;
		memcpy(to, rows + (size_t)i * r->head.hot_bytes, sizeof(*to));
		END_TEXT(to->name);
		if (to->size_bytes != 0)
			r->n_hot++;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct cof_stats_file_phase *p = a, *q = b;

	if (p->generation != q->generation)
		return p->generation < q->generation ? -1 : 1;
	return p->ns < q->ns ? -1 : p->ns > q->ns;
}

static void keep_phases(struct reader *r, const char *rows,
			const uint64_t *seq)
{
	for (uint32_t i = 0; i < r->head.n_phase; i++) {
		struct cof_stats_file_phase *to = &r->phase[r->n_phase];

		r->torn += seq[i] % 2;
		if (seq[i] == 0 || seq[i] % 2 != 0)
			continue;
		memcpy(to, rows + (size_t)i * r->head.phase_bytes, sizeof(*to));
		END_TEXT(to->heaviest);
		r->n_phase++;
	}
	/* In the file they are a ring. */
	qsort(r->phase, r->n_phase, sizeof(*r->phase), by_time);
}

static bool read_tables(struct reader *r, int fd, char why[READER_WHY])
{
	const struct cof_stats_file_header *h = &r->head;
	size_t hot = (size_t)h->n_hot * h->hot_bytes;
	size_t phase = (size_t)h->n_phase * h->phase_bytes;
	size_t bytes = hot > phase ? hot : phase;
	char *rows = malloc(bytes + 1), *scratch = malloc(3 * bytes + 1);
	uint64_t seq[MAX_ROWS];
	bool ok = false;

	r->hot = calloc(h->n_hot + 1u, sizeof(*r->hot));
	r->phase = calloc(h->n_phase + 1u, sizeof(*r->phase));
	if (rows == NULL || scratch == NULL || r->hot == NULL ||
	    r->phase == NULL) {
		refuse(why, "cannot be read: no memory");
	} else if (read_rows(fd, h->hot_offset, h->n_hot, h->hot_bytes, rows,
			     seq, scratch, why)) {
		keep_hot(r, rows, seq);
		ok = read_rows(fd, h->phase_offset, h->n_phase, h->phase_bytes,
			       rows, seq, scratch, why);
		if (ok)
			keep_phases(r, rows, seq);
	}
	free(rows);
	free(scratch);
	return ok;
}

/* -- All of it ------------------------------------------------------------- */

int reader_read(struct reader *r, int fd, char why[READER_WHY])
{
	struct stat st;

	memset(r, 0, sizeof(*r));
	if (fstat(fd, &st) != 0) {
		refuse(why, "cannot be read: %s", strerror(errno));
		return -1;
	}
	if (!read_header(r, fd, &st, why) || !read_counters(r, fd, why) ||
	    !read_tables(r, fd, why)) {
		reader_free(r);
		return -1;
	}
	r->unlinked = st.st_nlink == 0;
	r->now_ns = cof_clock_ns();
	r->life = cof_pidstat_life(&(struct cof_pidstat_id){
		.pid = r->head.pid <= INT32_MAX ? (pid_t)r->head.pid : 0,
		.start_ticks = r->head.start_ticks,
		.pid_namespace = r->head.pid_namespace,
		.dev = st.st_dev, .ino = st.st_ino,
	});
	return 0;
}

void reader_free(struct reader *r)
{
	free(r->desc);
	free(r->value);
	free(r->hot);
	free(r->phase);
	memset(r, 0, sizeof(*r));
}

bool reader_find(const struct reader *r, const char *stage, const char *name,
		 uint64_t *value)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (strcmp(r->desc[i].stage, stage) == 0 &&
		    strcmp(r->desc[i].name, name) == 0) {
			*value = r->value[i];
			return true;
		}
	return false;
}

static uint64_t since(uint64_t then, uint64_t now)
{
	return now > then ? now - then : 0;
}

uint64_t reader_uptime_ns(const struct reader *r)
{
	return since(r->head.start_ns, r->life == COF_LIFE_DEAD ?
		     r->head.updated_ns : r->now_ns);
}

uint64_t reader_age_ns(const struct reader *r)
{
	/* The file of a process that ended may be from before a boot, or from
	 * another machine. */
	if (r->life == COF_LIFE_DEAD)
		return since(r->head.start_wall_ns + reader_uptime_ns(r),
			     cof_clock_read(CLOCK_REALTIME));
	return since(r->head.updated_ns, r->now_ns);
}

const char *reader_state(const struct reader *r)
{
	switch (r->life) {
	case COF_LIFE_RUNNING: return "running";
	case COF_LIFE_STOPPED: return "stopped";
	case COF_LIFE_DEAD:    return "dead";
	case COF_LIFE_UNKNOWN: break;
	}
	return "unknown";
}
