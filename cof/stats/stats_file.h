/*
 * stats_file.h - the file cof-stats reads: counters and tables of a live process
 *
 *	header | flow descriptors | struct cof_flow | hot rows | phase rows
 *
 * The file describes itself: names, units and meanings stand in it, so cof-stats
 * of another build reads it. It lies on a memory file system only, since a
 * mapped file on disk can stall its writer for as long as a write-back takes;
 * mode 0600, in a directory of mode 0700 that the user owns (stats_dir.h). It
 * stays when the process crashes; the next cof_start() of the same user removes
 * files of dead processes once they are a day old, and at once those of
 * processes that stopped libcof but ended without cof_free().
 *
 * Writers: each counter as base/flow.h says; hot and phase rows by PRE; the header
 * by cof_stats_file_open(), its texts later by whoever knows them: a reader may meet
 * a text half written and must not count on its NUL. The magic is stored last:
 * the release fence before it (E, cof_stats_file_open) pairs with the acquire fence
 * after it was read (F, tools/cof-stats/reader.c), so a file with a magic is complete, as
 * far as it does not change later. A row has a sequence word, odd
 * while it is written:
 *
 *	writer                          reader
 *	store seq odd                   load-acquire seq       (C)
 *	fence release          (A)      load words
 *	store words                     fence acquire          (D)
 *	store-release seq even (B)      load seq again: equal and even, or retry
 *
 * B pairs with C: who sees the even number sees the row. A pairs with D: who
 * read a word of a newer row sees that row's odd number.
 */
#ifndef COF_STATS_STATS_FILE_H
#define COF_STATS_STATS_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/flow.h"

#define COF_STATS_FILE_MAGIC     "COFSTAT"	/* 8 bytes with the NUL */
#define COF_STATS_FILE_FORMAT    1u
#define COF_STATS_FILE_HOT_ROWS  32u
#define COF_STATS_FILE_PHASE_ROWS 64u
#define COF_STATS_FILE_NAME      112u	/* bytes of a method's name, cut */

struct cof_stats_file_header {
	char     magic[8];
	uint32_t format;
	uint32_t header_bytes;		/* sizeof(struct cof_stats_file_header) */
	uint64_t file_bytes;
	uint32_t pid;
	uint32_t stopped;		/* 1 once cof_stop() has run */
	uint64_t start_wall_ns;		/* CLOCK_REALTIME at cof_start() */
	uint64_t start_ticks;		/* field 22 of /proc/PID/stat: tells a
					 * reused pid from this process */
	uint64_t updated_ns;		/* CLOCK_MONOTONIC of PRE's last turn */
	char     host[32];		/* cof_host.name */
	char     version[32];		/* COF_VERSION_STRING */
	char     program[256];		/* what the host runs, for --list; the
					 * process's own command line until
					 * someone knows better */
	char     options[1024];		/* those that differ from defaults */
	char     source[32];		/* the rung of the ladder in use */
	char     source_why[512];	/* and why not a better one */
	char     reclaim_off[160];	/* why code is never freed, or empty */
	/* Offsets from the start of the file, counts, and sizes of an element. */
	uint64_t desc_offset, flow_offset, hot_offset, phase_offset;
	uint32_t n_desc, desc_bytes;
	uint32_t n_hot, hot_bytes;
	uint32_t n_phase, phase_bytes;
	uint64_t start_ns;		/* CLOCK_MONOTONIC at cof_start() */
	uint64_t pid_namespace;		/* inode number; 0: not known */
	char     mode[16];		/* option mode */
};

struct cof_stats_file_desc {
	char     stage[16], name[32], unit[16], doc[128];
	uint32_t kind;			/* enum cof_flow_kind */
	uint32_t offset;		/* in struct cof_flow, bytes */
};

struct cof_stats_file_hot {
	_Atomic uint64_t seq;		/* 0: row never used */
	char     name[COF_STATS_FILE_NAME];
	uint64_t samples;		/* of this version, ever */
	uint32_t weight, calls;		/* weight now; calls in the last
					 * generation */
	uint32_t number, plan;		/* version, enum cof_plan */
	uint32_t settled, dead;
	uint64_t start, size_bytes;
	uint32_t audited;		/* enum cof_audit_state */
	int32_t  gain_permille;		/* measured, as a trial ended */
	uint32_t state;			/* enum cof_method_state */
	uint32_t pad;
};

struct cof_stats_file_phase {
	_Atomic uint64_t seq;
	uint64_t generation;		/* at which it began */
	uint64_t ns;			/* CLOCK_MONOTONIC */
	uint32_t similarity_permille;	/* at the change */
	uint16_t id, returned;		/* of the phase, as soon as it is known;
					 * 0: it never was */
	char     heaviest[COF_STATS_FILE_NAME];
};

struct cof_stats_file {
	struct cof_stats_file_header *header;	/* mapped; file or anonymous */
	struct cof_flow         *flow;
	struct cof_stats_file_hot    *hot;
	struct cof_stats_file_phase  *phase;
	char                     path[320];	/* empty: no file */
	char                     why[160];	/* if there is no file: why */
	uint64_t                 n_phases;	/* ever; PRE's */
	int                      owner;		/* pid that made the file */
};

/*
 * Make the file in `dir` (opts.stats; "none" for anonymous memory). Falls back
 * to anonymous memory if no memory file system will have it; never fails for
 * that. NULL: no memory.
 */
struct cof_stats_file *cof_stats_file_open(const char *dir, const char *host,
				 const char *options);

/* Unlink the file (only in the process that made it) and unmap. NULL is fine. */
void cof_stats_file_close(struct cof_stats_file *share);

/*
 * In a fork's child, before anything counts: from now on the child counts in
 * memory of its own, from zero, at the same addresses; the file, with all that is
 * said in it, stays the parent's. Async-signal-safe. 0 or -COF_E_NOMEM: then it
 * still shares the parent's.
 */
int cof_stats_file_forked(struct cof_stats_file *share);

/* What the host runs, as cof-stats --list shows it; cut to fit. Any thread. */
void cof_stats_file_program(struct cof_stats_file *share, const char *program);

/* Nothing will be counted any more. */
void cof_stats_file_stopped(struct cof_stats_file *share);

struct cof_version;

/* PRE: show the n heaviest versions, heaviest first, and how many calls each had
 * in the generation that ended; n is cut to the rows. */
void cof_stats_file_hot(struct cof_stats_file *share, struct cof_version *const *v,
		   const uint32_t *calls, uint32_t n);

/* PRE: a phase began; `heaviest` is a method's name, or NULL. */
void cof_stats_file_phase(struct cof_stats_file *share, uint64_t generation,
		     uint32_t similarity_permille, const char *heaviest);

/* PRE: the phase of the latest row is known now. */
void cof_stats_file_phase_known(struct cof_stats_file *share, uint32_t id, bool returned,
			   const char *heaviest);

#endif /* COF_STATS_STATS_FILE_H */
