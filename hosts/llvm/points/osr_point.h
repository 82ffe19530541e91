/*
 * osr_point.h - what the marks of a unit become
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include "cofl.h"
#include "ir/clone.h"

/* Turn all marks of the unit into points, or erase them. */
void cofl_osr_point_finish(struct cofl_clone *unit);

/* The unit became the version desc->data. Give it the unit's points. */
void cofl_osr_point_attach(struct cofl_clone *unit,
			   struct cof_version_desc *desc);
