/*
 * count.h - build instrumented versions
 *
 * The code is the method's body as it stands in the file, with increments. It
 * counts the chords of the flow graph (profile/graph.h), and at sites
 * (ir/body.h) the most frequent values. profile/counting.h has what follows.
 */
#pragma once

#include <stddef.h>

#include "cofl.h"

struct cofl_ir;

/* Thread: the holder of ir->copy's lock. */
int  cofl_count_build(struct cofl_ir *ir, const int *stop,
		      struct cof_version_desc *out, char *why,
		      size_t why_bytes);
