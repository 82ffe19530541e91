/*
 * first_again.h - a method goes back to its first version, at once
 *
 *	stub --> new version: jmp --> copy of the first version
 *
 * What libcof had built may not be entered any more (patcher/left_alone.h). P/O
 * owns the record of the first version, which may be on trial, parked or
 * retired. So there is a new one, as if the host had added it. Its code is a
 * jump to the copy (version_copy.h), and samples in the first version count for
 * it. It is never freed, because SAM may come to it by the first one's record.
 *
 * Thread: any, no lock held.
 */
#pragma once

#include <stdbool.h>

struct cof_method;

/* Ends with a barrier. False: the first version has no copy, there is no
 * memory, or nothing can be replaced now. */
bool cof_first_again(struct cof_method *method);
