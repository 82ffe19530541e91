/*
 * stats_file.h - the stats file: counters and tables of a live process
 *
 *	header | flow descriptors | struct cof_flow | hot rows | phase rows
 *
 * The file describes itself: names, units and meanings stand in it, so
 * cof-stats of another build reads it. It lies on a memory file system only,
 * since a mapped file on disk can stall its writer for as long as a write-back
 * takes. It has mode 0600, in a directory of mode 0700 that the user owns
 * (stats_dir.h).
 *
 * It stays when the process crashes. The next cof_start() of the same user
 * removes files of dead processes once they are a day old. It removes at once
 * files of processes that called cof_stop() but ended without cof_free().
 *
 *	part                    written by
 *	a counter               as base/flow.h says
 *	hot and phase rows      PRE
 *	header                  cof_stats_file_open()
 *	texts of the header     later, the code that knows them; a reader may
 *	                        meet a text half written, without its NUL
 *
 * The magic is stored last. The release fence before it (E,
 * cof_stats_file_open) pairs with the acquire fence after it was read (F,
 * tools/cof-stats/reader.c). So a file with a magic is complete, as far as it
 * does not change later.
 *
 * A row has a sequence word, which is odd while the row is written:
 *
 *	writer                          reader
 *	store seq odd                   load-acquire seq       (C)
 *	fence release          (A)      load words
 *	store words                     fence acquire          (D)
 *	store-release seq even (B)      load seq again: equal and even, or retry
 *
 * B pairs with C: a reader that sees the even number sees the row. A pairs with
 * D: a reader that read a word of a newer row sees that row's odd number.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/flow.h"

#define COF_STATS_FILE_MAGIC     "COFSTAT"	/* 8 bytes with the NUL */
#define COF_STATS_FILE_FORMAT    1u
#define COF_STATS_FILE_HOT_ROWS  32u
#define COF_STATS_FILE_PHASE_ROWS 64u
#define COF_STATS_FILE_NAME      112u	/* bytes of a method's name, which is
					 * cut, with the NUL */

struct cof_stats_file_header {
	char     magic[8];
	uint32_t format;
	uint32_t header_bytes;		/* sizeof this struct */
	uint64_t file_bytes;
	uint32_t pid;
	uint32_t stopped;		/* 1 once cof_stop() has run */
	uint64_t start_wall_ns;		/* CLOCK_REALTIME at cof_start() */
	uint64_t start_ticks;		/* field 22 of /proc/PID/stat; differs
					 * if the pid was used again */
	uint64_t updated_ns;		/* CLOCK_MONOTONIC of PRE's last
					 * generation */
	char     host[32];		/* cof_host.name */
	char     version[32];		/* COF_VERSION_STRING */
	char     program[256];		/* what the host runs, for --list; the
					 * process's command line until
					 * cof_stats_file_program() */
	char     options[1024];		/* those that differ from defaults */
	char     source[32];		/* of samples: the rung in use */
	char     source_why[512];	/* why it is no better one */
	char     reclaim_off[160];	/* why no code is freed, or empty */
	/* Offsets from the start of the file, counts, and sizes of an
	 * element. */
	uint64_t desc_offset, flow_offset, hot_offset, phase_offset;
	uint32_t n_desc, desc_bytes;
	uint32_t n_hot, hot_bytes;
	uint32_t n_phase, phase_bytes;
	uint64_t start_ns;		/* CLOCK_MONOTONIC at cof_start() */
	uint64_t pid_namespace;		/* inode number; 0: not known */
	char     mode[16];		/* option mode */
	/* The process whose forks, and their forks, this one is of; itself, if
	 * it was started as a program: pid and start_ticks of that one. */
	uint32_t service_pid, pad;
	uint64_t service_ticks;
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
	int32_t  gain_permille;		/* as measured when a trial ended */
	uint32_t state;			/* enum cof_method_state */
	uint32_t speed_permille;	/* of the first version's, by all trials
					 * so far; 0: there were none */
};

struct cof_stats_file_phase {
	_Atomic uint64_t seq;
	uint64_t generation;		/* at which it began */
	uint64_t ns;			/* CLOCK_MONOTONIC */
	uint32_t similarity_permille;	/* at the change */
	uint16_t id;			/* of the phase, once it is known; 0:
					 * it never was */
	uint16_t returned;		/* 1: the phase was known before */
	char     heaviest[COF_STATS_FILE_NAME];
};

struct cof_stats_file {
	struct cof_stats_file_header *header;	/* mapped; file or anonymous */
	size_t                        bytes;	/* of that */
	struct cof_flow              *flow;
	struct cof_stats_file_hot    *hot;
	struct cof_stats_file_phase  *phase;
	char                          path[320];	/* empty: no file */
	char                          why[160];	/* why there is no file */
	uint64_t                      n_phases;	/* ever; PRE's */
	int                           owner;	/* pid that made the file */
	/* As in the header, for the files of children. */
	char                          program[256];
	uint32_t                      service_pid;
	uint64_t                      service_ticks;
	const struct cof_reason      *reason;	/* the host's */
	size_t                        n_reasons;
};

/*
 * Make the file in `dir`: option stats; "none" for anonymous memory. If no
 * memory file system takes the file, it is anonymous memory too; that is no
 * error. NULL: no memory.
 */
struct cof_stats_file *cof_stats_file_open(const char *dir, const char *host,
					   const char *options);

/* Unlink the file, in the process that made it only, and unmap it. NULL is
 * fine. */
void cof_stats_file_close(struct cof_stats_file *stats);

/*
 * In a fork's child, before anything counts: from now on the child counts in
 * memory of its own, from zero, at the same addresses. The file, with all that
 * is in it, stays the parent's. Async-signal-safe. Returns 0, or -COF_E_NOMEM:
 * then the child still shares the parent's.
 */
int cof_stats_file_forked(struct cof_stats_file *stats);

/*
 * In such a child, later: a file of its own, with what it has counted. Returns
 * 0, or -COF_E_NOMEM: then the child goes on in its memory. Blocks on files.
 */
int cof_stats_file_in_child(struct cof_stats_file *stats, const char *dir,
			    const char *host, const char *options);

struct cof_reason;

/* Give the last counters of stage `improved` the names of the host's reasons,
 * which are static. Until then they are not in the file. */
void cof_stats_file_reasons(struct cof_stats_file *stats,
			    const struct cof_reason *reason, size_t n);

/* Set what the host runs, for cof-stats --list; cut to fit. Any thread. */
void cof_stats_file_program(struct cof_stats_file *stats, const char *program);

/* Say that nothing will be counted any more. */
void cof_stats_file_stopped(struct cof_stats_file *stats);

struct cof_version;

/*
 * PRE: write the n heaviest versions, heaviest first, and how many calls each
 * had in the generation that ended. n is cut to the number of rows.
 */
void cof_stats_file_hot(struct cof_stats_file *stats,
			struct cof_version *const *v, const uint32_t *calls,
			uint32_t n);

/* PRE: a phase began; `heaviest` is a method's name, or NULL. */
void cof_stats_file_phase(struct cof_stats_file *stats, uint64_t generation,
			  uint32_t similarity_permille, const char *heaviest);

/* PRE: the phase of the latest row is known now. */
void cof_stats_file_phase_known(struct cof_stats_file *stats, uint32_t id,
				bool returned, const char *heaviest);
