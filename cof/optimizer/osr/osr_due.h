/*
 * osr_due.h - are frames of a watched version to leave for a continuation now?
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>

#include "optimizer/osr/stuck_frames.h"

struct cof;

/* Fills in the plan to ask for, and whether it is ahead of the method's. */
bool cof_osr_is_due(struct cof *cof, struct cof_stuck_frame *frame);

/* Does hardly a call enter the current version? Then no trial of it will see
 * anything of the loops. */
bool cof_osr_is_only_reached(const struct cof_stuck_frame *frame);
