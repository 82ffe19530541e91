/*
 * vtables.h - virtual calls come to a method's versions by one jump
 *
 *	call -> entry, jmp -> entry-5, jmp -> second stub, jmp -> version
 *	call -> second stub, jmp -> version		by a slot that was led
 *
 * What stands in a vtable's slot is nothing that C++ lets a program see:
 * pointers to virtual members hold offsets. A program that reads its vtables
 * all the same finds an address that stays good, since a stub never moves. A
 * pointer to a function keeps its one address.
 *
 * The slots are in pages that are read-only once the program is linked. They
 * become writable for the moment of a change, and not at all once the program
 * changes the rights of such pages itself.
 *
 * Thread: any; takes a lock, the innermost.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cofl_executable;

/* Before any other call; `e` stays for good. */
void cofl_vtables_init(const struct cofl_executable *e);

/* All slots that hold `from` hold `to` from now on, if they can be changed. A
 * virtual call finds the one or the other. False: there is none. */
bool cofl_vtables_lead(uintptr_t from, uintptr_t to);

/* The program is about to write to [lo, hi): is it of these pages? Then no slot
 * is changed any more. */
void cofl_vtables_leave(uintptr_t lo, uintptr_t hi);

/* Hold the lock over forks. 0, or an error number. */
int cofl_vtables_fork_hooks(void);
