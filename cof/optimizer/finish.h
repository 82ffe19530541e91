/*
 * finish.h - option finish: when all is built that earlier runs left
 *
 * In place of the program the host calls cof_finish(). P/O makes builds of the
 * known hot methods that have a profile and no cached version
 * (policy/known_pick.c), and no others, since there is no sample.
 */
#pragma once

struct cof;
struct cof_picker;
struct cof_workers;

/* The end of a turn, which took all known methods that had arrived. Thread:
 * P/O. */
void cof_finish_turn(struct cof *cof, const struct cof_picker *picker,
		     struct cof_workers *workers);
