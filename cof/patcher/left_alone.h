/*
 * left_alone.h - methods whose stubs the program writes to
 *
 * Libraries that hook functions overwrite the first bytes of one with a jump.
 * Natively all callers see that. Here they see it in the stub, which is the
 * function's address. So the host says when the program makes stubs writable
 * (cof_leave_alone()), and from then on libcof
 *
 *	leads    all direct calls and slots of these methods to the stub, also
 *	         those where a version has the method inlined: the host builds
 *	         that one anew
 *	writes   the stub once more, and never again: it leads to a second stub
 *	         behind it, which follows the method's versions
 *	refuses  versions that have the method inlined
 *
 *	byte  0                         10           13
 *	      [ 49 bb behind, 8 bytes ][ 41 ff e3 ][ 0f 1f 00 ]
 *	        movabs $behind, %r11    jmp *%r11    nop
 *
 * These are whole instructions that do not depend on where they stand. So what
 * a library copies of them, to call the function as it was, works there.
 *
 * Thread: any, no lock held, but for what is marked [code].
 */
#pragma once

#include <stdbool.h>

struct cof_version;

/* Of a stub. */
#define COF_LEFT_ALONE_BYTES 16u

/* [code] Has the version a method inlined that is left alone? */
bool cof_left_alone_inlined(const struct cof_version *version);
