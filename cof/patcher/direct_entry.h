/*
 * direct_entry.h - callers of native code come to it without a jump
 *
 *	callers --> entry of version 0				direct
 *	callers --> entry: jmp --> stub --> copy, or a version	not
 *
 * Where version 0 stays after all, the jumps to its copy
 * (native_code/version_copy.h) cost its callers something for nothing. So the
 * host takes its jump back until another version is to become current
 * (host.entry_direct). So it does if what is current has the same code, as a
 * small function has that calls nothing. Samples in version 0 count for the
 * current one then.
 *
 * Owner of method->code.direct: P/O. No lock is held.
 */
#pragma once

#include <stdbool.h>

struct cof_method;

/* Unless another version is current, on trial or being built. P/O. */
void cof_direct_entry_begin(struct cof_method *method);

/* Another version is about to become current. False: callers cannot be led to
 * it. Any thread, of a method that is not direct; else P/O. */
bool cof_direct_entry_end(struct cof_method *method);
