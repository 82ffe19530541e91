/*
 * code_writes.h - a program that writes to its functions' first bytes
 *
 * Hooking libraries make the page of a function writable and put a jump there.
 * mprotect(2) and pkey_mprotect(2) are stood in for: where they make addresses
 * of functions writable, these functions are left alone (cof_leave_alone() of
 * cof.h) before the call returns, so that all callers meet what the program
 * writes. Calls of libraries count too. A program that makes the call by an
 * instruction of its own is not seen.
 */
#pragma once

struct cofl;

/* The program is about to begin. */
void code_writes_init(struct cofl *host);
