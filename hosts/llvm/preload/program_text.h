/*
 * program_text.h - is an address in the executable's own code?
 *
 * A signal that finds a thread there finds it outside of libc and the dynamic
 * linker, and so without their locks; unless libc called the code back, as
 * qsort(3) does, which holds none.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Once, before the program begins. */
void program_text_init(void);

/* Async-signal-safe. */
bool program_text_holds(uintptr_t pc);

/* Is any of [lo, hi) in it? */
bool program_text_meets(uintptr_t lo, uintptr_t hi);

/* Is any of [lo, hi) among what is read-only once the program is linked, its
 * vtables for one? Or in between. */
bool program_text_meets_constants(uintptr_t lo, uintptr_t hi);
