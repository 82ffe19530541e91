/*
 * stub.h - 16 bytes that lead somewhere, and can be made to lead elsewhere
 *
 *	byte  0                          8
 *	      [ e9 rel32       cc cc cc ][ -            ]  target in reach
 *	      [ ff 25 02 00 00 00 cc cc ][ target       ]  target anywhere
 *	      [ e8 rel32       cc cc cc ][ -            ]  no version: first call
 *
 * The first 8 bytes are one instruction and are replaced by one aligned store;
 * a far target is stored before the instruction that reads it. Whoever runs the
 * stub meanwhile goes the old way or the new way.
 *
 *	caller -> stub: call glue -> glue: r11 = instance -> trampoline:
 *	          stub <- registers as they were <- cof_stub_first_call()
 *
 * The call in the stub leaves the stub's address on the stack, which says whose
 * it is; so a first call costs a method no memory. Back at the stub it is led
 * to the version that the host has made. Who fetches the call once more, since
 * he had it already, goes round once more. Glue is there since a stub cannot
 * reach libcof's own code.
 *
 * Thread: under the code lock, but for cof_stub_first_call().
 */
#ifndef COF_PATCHER_STUB_H
#define COF_PATCHER_STUB_H

#include <stdint.h>

struct cof;
struct cof_method;

/*
 * A stub that makes the method's first call, or, for owner NULL, one that traps
 * until it leads somewhere. 0: no room.
 */
uintptr_t cof_stub_make(struct cof *cof, struct cof_method *owner);

/* Have it lead to `to` from now on. */
void cof_stub_lead(struct cof *cof, uintptr_t stub, uintptr_t to);

/*
 * From the trampoline: the method behind the stub was called and had no
 * version. `after_call` is the address behind the stub's call. Returns where to
 * go on: at the stub, or at a trap. Thread: the guest thread that called.
 */
uintptr_t cof_stub_first_call(struct cof *cof, uintptr_t after_call);

/* -- The platform's part: stub_x86_64.c, stub_trampoline_x86_64.S ---------------- */

typedef uintptr_t cof_stub_first_call_fn(struct cof *cof, uintptr_t after_call);

/* Write the glue, 64 bytes, through `write`. The trampoline calls first_call. */
void cof_stub_write_glue(struct cof *cof, void *write,
			 cof_stub_first_call_fn *first_call);

/* Jumped to by glue, never called. */
extern const char cof_stub_trampoline[];

/* What the trampoline calls: the same for all instances of the process, stored
 * before the first glue is. */
extern cof_stub_first_call_fn *cof_stub_on_first_call;

/*
 * What the trampoline saves of the vector registers: bytes, a multiple of 64,
 * and the XSAVE component mask; mask 0: FXSAVE. Facts of the processor, stored
 * before the first glue is.
 */
extern uint32_t cof_stub_vector_bytes, cof_stub_vector_mask;

#endif /* COF_PATCHER_STUB_H */
