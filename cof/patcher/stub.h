/*
 * stub.h - a stub: 16 bytes of code that jump to a target, which can be changed
 *
 *	byte  0                          8
 *	      [ e9 rel32       cc cc cc ][ -            ]  target in reach
 *	      [ ff 25 02 00 00 00 cc cc ][ target       ]  target anywhere
 *	      [ e8 rel32       cc cc cc ][ -            ]  no version: call glue
 *
 * The first 8 bytes are one instruction, and one aligned store replaces them. A
 * far target is stored before the instruction that reads it. A thread that runs
 * the stub meanwhile goes to the old or to the new target.
 *
 *	caller -> stub: call glue -> glue: r11 = instance -> trampoline:
 *	          stub <- registers as they were <- cof_stub_first_call()
 *
 * The call in the stub leaves the stub's address on the stack, and the stub's
 * word says which method it belongs to. Back at the stub, the thread is led to
 * the version that the host has made. If its processor had fetched the old call
 * already, it goes round once more. A stub cannot reach libcof's own code, so
 * there is glue.
 *
 * Thread: under the code lock, but for cof_stub_first_call().
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct cof;
struct cof_method;

/*
 * Make a stub that makes the first call of method `owner`. If `owner` is NULL,
 * it traps until it is given a target. Stubs are never freed. 0: none is left.
 */
uintptr_t cof_stub_make(struct cof *cof, struct cof_method *owner);

/* Have the stub lead to `to` from now on. */
void cof_stub_lead(struct cof *cof, uintptr_t stub, uintptr_t to);

/*
 * For the trampoline: the stub's method was called and had no version.
 * `after_call` is the address behind the stub's call. Returns the address to go
 * on at: the stub, or a trap. Thread: the guest thread that called, on a stack
 * of libcof's (stub_stack.h).
 */
uintptr_t cof_stub_first_call(struct cof *cof, uintptr_t after_call);

/* -- The platform's part: stub_x86_64.c, stub_trampoline_x86_64.S ---------- */

typedef uintptr_t cof_stub_first_call_fn(struct cof *cof, uintptr_t after_call);

/* Write 64 bytes of glue through `write`. The trampoline calls first_call. */
void cof_stub_write_glue(struct cof *cof, void *write,
			 cof_stub_first_call_fn *first_call);

/* Glue jumps to it; it is never called. */
extern const char cof_stub_trampoline[];

/*
 * What the trampoline calls, the same for all instances of the process. It is
 * stored before the first glue is written.
 */
extern cof_stub_first_call_fn *cof_stub_on_first_call;

/*
 * What the trampoline saves of the vector registers: the size in bytes, a
 * multiple of 64, and the XSAVE component mask; mask 0: FXSAVE. Both depend on
 * the processor only, and are stored before the first glue is written.
 */
extern uint32_t cof_stub_vector_bytes, cof_stub_vector_mask;
