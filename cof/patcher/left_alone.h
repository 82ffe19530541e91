/*
 * left_alone.h - methods whose native code the program writes to
 *
 * Libraries that hook functions overwrite the first bytes of one with a jump.
 * All callers see that. So the host says what the program is about to write to
 * (cof_leave_alone()), and from then on libcof
 *
 *	leads    the method's stub to the native code, and all direct calls and
 *	         slots to the stub, for good
 *	goes     back to the first version where the current one may have the
 *	         method inlined (native_code/first_again.h)
 *	refuses  versions that have it inlined
 *
 *	callers --> stub ----------> native code
 *	(a jump of before) --> second stub --> current version
 *
 * Where the host had overwritten the native entry, its jump led to the second
 * stub. That goes on following the versions: a thread may still be on the jump,
 * and the program may have saved it. With the first stub it would go round.
 *
 * Thread: any, no lock held, but for what is marked [code].
 */
#pragma once

#include <stdbool.h>

struct cof_version;

/* [code] May the version have a method inlined that is left alone? */
bool cof_left_alone_may_be_in(const struct cof_version *version);

/* The same, for a caller without the lock. */
bool cof_left_alone_is_in(const struct cof_version *version);
