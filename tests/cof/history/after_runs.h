/*
 * after_runs.h - runs of which a letter says all
 */
#pragma once

#include "decided.h"

/*
 * The verdict after these runs, newest first:
 *
 *	g	gained
 *	n	gained nothing
 *	s	short, with the loop on
 *	o	off, and short
 *	l	off, and long
 *	G..L	the same, on another CPU
 */
static inline enum cof_history_verdict after(const char *runs)
{
	struct cof_history_run run[64];
	struct cof_history_past past = { .run = run };

	for (; *runs; runs++) {
		struct cof_history_run *r = &run[past.n_runs++];

		*r = history_run(past.n_runs);
		switch (*runs | 0x20) {
		case 'n':
			r->measured_ns = 0;
			r->untried_ns = 0;
			break;
		case 'o':
			r->loop = false;
			/* fall through */
		case 's':
			r->cpu_ns = SECOND / 50;
			r->own_ns = r->build_ns = r->paid_ns = 0;
			r->measured_ns = 0;
			break;
		case 'l':
			r->loop = false;
			r->own_ns = r->build_ns = r->paid_ns = 0;
			r->measured_ns = 0;
			break;
		}
		if (!(*runs & 0x20))
			strcpy(r->cpu, "another CPU");
	}
	return decide(&past);
}
