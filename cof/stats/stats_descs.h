/*
 * stats_descs.h - the descriptors of counters in a stats file
 *
 * The last ones are of the host's reasons (code/improved.h). Those that it does
 * not have are left out.
 */
#pragma once

#include <stddef.h>

struct cof_reason;
struct cof_stats_file_header;

/* Write them, and how many there are, at the offset that the header has. */
void cof_stats_descs_fill(struct cof_stats_file_header *header,
			  const struct cof_reason *reason, size_t n_reasons);
