/*
 * stats_file.c - lay out the stats file, and write its rows
 */
#include "stats/stats_file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fork_code.h"
#include "base/align.h"
#include "base/clock.h"
#include "base/role.h"
#include "base/units.h"
#include "code/version.h"
#include "cof.h"
#include "memory/mem.h"
#include "options/opts.h"
#include "stats/pidstat.h"
#include "stats/stats_descs.h"
#include "stats/stats_dir.h"
#include "stats/stats_text.h"

#define DAY_NS (24u * 3600u * COF_S_NS)

/* Rows are written and read as words. */
_Static_assert(sizeof(struct cof_stats_file_hot) % 8 == 0, "hot row");
_Static_assert(sizeof(struct cof_stats_file_phase) % 8 == 0, "phase row");
_Static_assert(offsetof(struct cof_stats_file_hot, seq) == 0, "hot row");
_Static_assert(offsetof(struct cof_stats_file_phase, seq) == 0, "phase row");

#define ROW_WORDS_MAX (sizeof(struct cof_stats_file_hot) / 8 > \
		       sizeof(struct cof_stats_file_phase) / 8 ? \
		       sizeof(struct cof_stats_file_hot) / 8 : \
		       sizeof(struct cof_stats_file_phase) / 8)

/* -- Layout ---------------------------------------------------------------- */

struct layout {
	uint64_t desc, flow, hot, phase, end;	/* offsets in the file */
};

static struct layout layout(void)
{
	struct layout l;

	l.desc = cof_align_up(sizeof(struct cof_stats_file_header),
			      COF_CACHELINE);
	l.flow = cof_align_up(l.desc + cof_flow_table_len *
			      sizeof(struct cof_stats_file_desc),
			      COF_CACHELINE);
	l.hot = cof_align_up(l.flow + sizeof(struct cof_flow), COF_CACHELINE);
	l.phase = cof_align_up(l.hot + COF_STATS_FILE_HOT_ROWS *
			       sizeof(struct cof_stats_file_hot),
			       COF_CACHELINE);
	l.end = cof_align_up(l.phase + COF_STATS_FILE_PHASE_ROWS *
			     sizeof(struct cof_stats_file_phase),
			     COF_PAGE_BYTES);
	return l;
}

/* `options` is from cof_opts_print(), or from a test. */
static void fill_mode(char *to, size_t bytes, const char *options)
{
	char why[COF_WHY_BYTES];
	struct cof_opts o;

	cof_opts_init(&o);
	if (cof_opts_parse(&o, options, why, sizeof(why)) == 0)
		cof_opts_value(&o, "mode", to, bytes);
}

static void fill_header(struct cof_stats_file_header *h, const struct layout *l,
			const char *host, const char *options)
{
	struct cof_pidstat self = { 0 };

	h->format = COF_STATS_FILE_FORMAT;
	h->header_bytes = sizeof(*h);
	h->file_bytes = l->end;
	h->pid = (uint32_t)getpid();
	if (cof_pidstat_read(0, &self) == 0)
		h->start_ticks = self.start_ticks;
	h->pid_namespace = cof_pidstat_namespace();
	h->start_wall_ns = cof_clock_read(CLOCK_REALTIME);
	h->start_ns = h->updated_ns = cof_clock_ns();
	cof_stats_text_copy(h->host, sizeof(h->host), host);
	cof_stats_text_copy(h->version, sizeof(h->version), COF_VERSION_STRING);
	cof_stats_text_copy(h->options, sizeof(h->options), options);
	cof_stats_text_cmdline(h->program, sizeof(h->program));
	fill_mode(h->mode, sizeof(h->mode), options);

	h->desc_offset = l->desc;
	h->desc_bytes = sizeof(struct cof_stats_file_desc);
	h->flow_offset = l->flow;
	h->hot_offset = l->hot;
	h->n_hot = COF_STATS_FILE_HOT_ROWS;
	h->hot_bytes = sizeof(struct cof_stats_file_hot);
	h->phase_offset = l->phase;
	h->n_phase = COF_STATS_FILE_PHASE_ROWS;
	h->phase_bytes = sizeof(struct cof_stats_file_phase);
}

/* -- The file -------------------------------------------------------------- */

/* Map a new file in `dir`. NULL: stats->why says why not. */
static void *map_file(struct cof_stats_file *stats, const char *dir,
		      size_t bytes)
{
	int dir_fd = cof_stats_dir_open(dir, geteuid(), true, stats->why);
	char name[COF_STATS_DIR_NAME];
	void *map = MAP_FAILED;
	int fd;

	if (dir_fd < 0)
		return NULL;
	cof_stats_dir_clean(dir_fd, DAY_NS);
	fd = cof_stats_dir_create(dir_fd, bytes, name, stats->why);
	if (fd >= 0) {
		/* All of it is written now, so that no page faults later. */
		map = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_POPULATE, fd, 0);
		close(fd);
		if (map == MAP_FAILED) {
			snprintf(stats->why, sizeof(stats->why), "no memory");
			unlinkat(dir_fd, name, 0);
		} else {
			snprintf(stats->path, sizeof(stats->path), "%s/%s",
				 dir, name);
		}
	}
	close(dir_fd);
	return map != MAP_FAILED ? map : NULL;
}

/* Where the parent's file is, whatever has become of the environment. NULL too
 * if the parent has none, and in the first process. */
static void *map_beside_parents(struct cof_stats_file *stats, size_t bytes)
{
	char dir[sizeof(stats->path)], *name;

	strcpy(dir, stats->path);
	stats->path[0] = '\0';
	name = strrchr(dir, '/');
	if (name == NULL)
		return NULL;
	*name = '\0';
	return map_file(stats, dir, bytes);
}

static void *map_somewhere(struct cof_stats_file *stats, const char *dir,
			   size_t bytes)
{
	char place[COF_STATS_DIR_MAX];
	void *map = NULL;

	if (strcmp(dir, "none") == 0) {
		snprintf(stats->why, sizeof(stats->why), "option stats=none");
	} else if (dir[0] != '\0') {
		stats->path[0] = '\0';
		map = map_file(stats, dir, bytes);
	} else {
		map = map_beside_parents(stats, bytes);
		for (unsigned i = 0;
		     map == NULL && i < COF_STATS_DIR_WRITE; i++)
			if (cof_stats_dir_place(i, geteuid(), place))
				map = map_file(stats, place, bytes);
	}
	if (map != NULL) {
		stats->why[0] = '\0';
		return map;
	}
	map = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return map != MAP_FAILED ? map : NULL;
}

/* The first file's process begins a service. */
static void fill_service(struct cof_stats_file *stats,
			 struct cof_stats_file_header *header)
{
	if (stats->service_pid == 0) {
		stats->service_pid = header->pid;
		stats->service_ticks = header->start_ticks;
	}
	header->service_pid = stats->service_pid;
	header->service_ticks = stats->service_ticks;
}

/* The fence orders the content before the magic, for other processes. */
static void fill(struct cof_stats_file *stats, void *map,
		 const struct layout *l, const char *host, const char *options)
{
	struct cof_stats_file_header *header = map;

	fill_header(header, l, host ? host : "", options ? options : "");
	cof_stats_descs_fill(header, stats->reason, stats->n_reasons);
	fill_service(stats, header);
	atomic_thread_fence(memory_order_release);		/* E */
	memcpy(header->magic, COF_STATS_FILE_MAGIC, sizeof(header->magic));
}

struct cof_stats_file *cof_stats_file_open(const char *dir, const char *host,
					   const char *options)
{
	struct layout l = layout();
	struct cof_stats_file *stats = cof_mem_alloc(sizeof(*stats));
	char *map;

	if (stats == NULL)
		return NULL;
	map = map_somewhere(stats, dir ? dir : "", l.end);
	if (map == NULL) {
		cof_mem_free(stats);
		return NULL;
	}
	stats->owner = getpid();
	stats->header = (struct cof_stats_file_header *)map;
	stats->bytes = l.end;
	stats->flow = (struct cof_flow *)(map + l.flow);
	stats->hot = (struct cof_stats_file_hot *)(map + l.hot);
	stats->phase = (struct cof_stats_file_phase *)(map + l.phase);
	fill(stats, map, &l, host, options);
	cof_stats_text_copy(stats->program, sizeof(stats->program),
			    stats->header->program);
	return stats;
}

void cof_stats_file_close(struct cof_stats_file *stats)
{
	if (stats == NULL)
		return;
	/* A child that was forked past libcof's hooks has its parent's path. */
	if (stats->path[0] != '\0' && stats->owner == getpid())
		unlink(stats->path);
	munmap(stats->header, stats->bytes);
	cof_mem_free(stats);
}

COF_FORK_CODE int cof_stats_file_forked(struct cof_stats_file *stats)
{
	/* Zeros, without a page before it is written to: most children end, or
	 * become another program, at once. */
	return mmap(stats->header, stats->bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
		       MAP_FAILED ? -COF_E_NOMEM : 0;
}

/* The file takes the place of the memory, at the same addresses. What other
 * threads count meanwhile may be lost. */
int cof_stats_file_in_child(struct cof_stats_file *stats, const char *dir,
			    const char *host, const char *options)
{
	struct layout l = layout();
	char *map;

	map = map_somewhere(stats, dir, l.end);
	if (map == NULL)
		return -COF_E_NOMEM;
	memcpy(map + l.flow, stats->flow, sizeof(*stats->flow));
	fill(stats, map, &l, host, options);
	if (mremap(map, l.end, l.end, MREMAP_MAYMOVE | MREMAP_FIXED,
		   stats->header) == MAP_FAILED) {
		munmap(map, l.end);
		unlink(stats->path);	/* it is empty if there is none */
		stats->path[0] = '\0';
		return -COF_E_NOMEM;
	}
	cof_stats_text_copy(stats->header->program, sizeof(stats->program),
			    stats->program);
	stats->owner = getpid();
	stats->n_phases = 0;
	return 0;
}

void cof_stats_file_reasons(struct cof_stats_file *stats,
			    const struct cof_reason *reason, size_t n)
{
	stats->reason = reason;
	stats->n_reasons = n;
	cof_stats_descs_fill(stats->header, reason, n);
}

void cof_stats_file_program(struct cof_stats_file *stats, const char *program)
{
	cof_stats_text_copy(stats->program, sizeof(stats->program), program);
	cof_stats_text_copy(stats->header->program,
			    sizeof(stats->header->program), program);
}

/* -- Rows ------------------------------------------------------------------ */

/*
 * Write a row of `bytes` bytes, whose first word is the sequence. Letters are
 * stats_file.h's.
 */
static void row_write(_Atomic uint64_t *row, const void *from, size_t bytes)
{
	uint64_t seq = atomic_load_explicit(row, memory_order_relaxed);
	uint64_t word[ROW_WORDS_MAX];

	assert(bytes <= sizeof(word));
	memcpy(word, from, bytes);
	seq |= 1;		/* it is odd if a fork cut a write short */
	atomic_store_explicit(row, seq, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);		/* A */
	for (size_t i = 1; i < bytes / 8; i++)
		atomic_store_explicit(&row[i], word[i], memory_order_relaxed);
	atomic_store_explicit(row, seq + 1, memory_order_release); /* B */
}

static void hot_fill(struct cof_stats_file_hot *row, struct cof_version *v,
		     uint32_t calls)
{
	struct cof_word w = cof_word_read(&v->word);

	cof_stats_text_copy(row->name, sizeof(row->name), v->method->name);
	row->samples = atomic_load_explicit(&v->sampled.total,
					    memory_order_relaxed);
	row->weight = w.weight;
	row->calls = calls;
	row->number = v->number;
	row->plan = (uint32_t)v->plan;
	row->settled = (w.flags & COF_WORD_SETTLED) != 0;
	row->dead = (w.flags & COF_WORD_DEAD) != 0;
	row->start = v->code.start;
	row->size_bytes = v->code.end - v->code.start;
	row->audited = atomic_load_explicit(&v->trial.state,
					    memory_order_relaxed);
	row->gain_permille = atomic_load_explicit(&v->trial.gain_permille,
						  memory_order_relaxed);
	row->speed_permille = cof_trial_speed_sure(&v->trial);
	row->state = atomic_load_explicit(&v->method->build.state,
					  memory_order_relaxed);
}

void cof_stats_file_hot(struct cof_stats_file *stats,
			struct cof_version *const *v, const uint32_t *calls,
			uint32_t n)
{
	cof_assert_role(COF_ROLE_PREDICTOR);
	for (uint32_t i = 0; i < COF_STATS_FILE_HOT_ROWS; i++) {
		struct cof_stats_file_hot row = { .seq = 0 };

		if (i < n)
			hot_fill(&row, v[i], calls[i]);
		else if (stats->hot[i].size_bytes == 0)
			break;	/* this row and all below are empty already */
		row_write((_Atomic uint64_t *)&stats->hot[i], &row,
			  sizeof(row));
	}
}

void cof_stats_file_phase(struct cof_stats_file *stats, uint64_t generation,
			  uint32_t similarity_permille, const char *heaviest)
{
	struct cof_stats_file_phase row = { .generation = generation };
	struct cof_stats_file_phase *at;

	cof_assert_role(COF_ROLE_PREDICTOR);
	row.ns = cof_clock_ns();
	row.similarity_permille = similarity_permille;
	cof_stats_text_copy(row.heaviest, sizeof(row.heaviest),
			    heaviest ? heaviest : "");
	at = &stats->phase[stats->n_phases++ % COF_STATS_FILE_PHASE_ROWS];
	row_write((_Atomic uint64_t *)at, &row, sizeof(row));
}

/* Only PRE writes the row, so it can be read as it is. */
void cof_stats_file_phase_known(struct cof_stats_file *stats, uint32_t id,
				bool returned, const char *heaviest)
{
	struct cof_stats_file_phase *at, row;

	cof_assert_role(COF_ROLE_PREDICTOR);
	assert(stats->n_phases > 0);
	at = &stats->phase[(stats->n_phases - 1) % COF_STATS_FILE_PHASE_ROWS];
	memcpy(&row, at, sizeof(row));
	row.id = id < UINT16_MAX ? (uint16_t)id : UINT16_MAX;
	row.returned = returned;
	cof_stats_text_copy(row.heaviest, sizeof(row.heaviest),
			    heaviest ? heaviest : "");
	row_write((_Atomic uint64_t *)at, &row, sizeof(row));
}

void cof_stats_file_stopped(struct cof_stats_file *stats)
{
	__atomic_store_n(&stats->header->updated_ns, cof_clock_ns(),
			 __ATOMIC_RELAXED);
	stats->header->stopped = 1;
}
