/*
 * exports.h - names that the executable exports, or that the host looks for
 */
#pragma once

#include "resolve/references.h"

/* Fill in ->other, after cofl_final_names(). */
void cofl_exports_find(struct cofl_resolution *resolution,
		       const struct cofl_linked *linked);
