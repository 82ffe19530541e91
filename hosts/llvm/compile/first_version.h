/*
 * first_version.h - what a method's first call runs
 *
 * The body alone, as it stands in the file, through LLVM's fast instruction
 * selection; or, where that cannot compile it, as the program's compiler did.
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stddef.h>

#include "program/host.h"

/* 0, or a cof_err and the reason in `why`. */
int  cofl_first_version_build(struct cofl_method *method,
			      struct cof_version_desc *out, char *why,
			      size_t why_bytes);

/*
 * Add the methods that `method` calls by name and that are not yet in
 * list[0..*n), up to `room` in all. Its body is read in the host's copy.
 */
void cofl_first_version_calls(struct cofl_method *method,
			      struct cofl_method **list, size_t *n,
			      size_t room);
