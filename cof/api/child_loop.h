/*
 * child_loop.h - the loop begins anew in a child of fork(2)
 *
 * Code, index, methods and versions are the child's, as they were at the fork.
 * All else of the loop is made anew: stats file, history, stages, threads. From
 * then on the child is as a process that called cof_start().
 *
 *	mode       in the child
 *	pgo        methods that are compiled from now on count
 *	co, full   the loop begins
 *	auto       the history decides anew, by what is known of the program and
 *	           the CPU time of the child. The child's record is a run of the
 *	           program
 */
#pragma once

struct cof;

/* Thread: one made for this (sampler/child_start.h). */
void cof_child_loop_begin(struct cof *cof);
