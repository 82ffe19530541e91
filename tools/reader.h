/*
 * reader.h - one look at a stats file, checked before use
 *
 * The file may be of another build, half written, damaged or hostile: every
 * offset, count and size is checked before it is used, and every text ends in a
 * NUL afterwards, whatever stood in the file. It is read, not mapped: a file
 * that its owner cuts short under a mapping would kill the reader with SIGBUS,
 * and what was checked could change before it is used.
 *
 * The target need not run: counters and rows of a stopped or dead process read
 * the same. A row that was being written when it stopped is left out.
 */
#ifndef COF_TOOLS_READER_H
#define COF_TOOLS_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pidstat.h"
#include "share.h"

#define READER_WHY 200		/* bytes for a line that says what is wrong */

/* Plain values, as of one moment; the tables are the reader's. */
struct reader {
	struct cof_share_header head;
	struct cof_share_desc  *desc;
	uint64_t               *value;		/* of desc[i] */
	uint32_t                n;		/* counters */
	struct cof_share_hot   *hot;		/* heaviest first */
	uint32_t                n_hot;
	struct cof_share_phase *phase;		/* oldest first */
	uint32_t                n_phase;
	uint32_t                torn;		/* rows left out */
	enum cof_life           life;
	bool                    unlinked;	/* the process gave it up */
	uint64_t                now_ns;		/* CLOCK_MONOTONIC of the look */
};

/* 0, or -1 with `why` and nothing to free. */
int  reader_read(struct reader *r, int fd, char why[READER_WHY]);
void reader_free(struct reader *r);

/* The value of a counter, if the file has one of that name. */
bool reader_find(const struct reader *r, const char *stage, const char *name,
		 uint64_t *value);

/* Since cof_start(), until now or, if dead, until the last update. */
uint64_t reader_uptime_ns(const struct reader *r);

/* Since the last update of the rows. */
uint64_t reader_age_ns(const struct reader *r);

/* "running", "stopped", "dead", "unknown" */
const char *reader_state(const struct reader *r);

#endif /* COF_TOOLS_READER_H */
