/*
 * text_page.h - change bytes of the executable's own code
 *
 * No page is ever writable and executable: the page is copied, changed, made
 * executable, and then takes the place of the old one, in one step of the
 * kernel's (mremap(2) with MREMAP_FIXED). A thread that runs on it finds the
 * old page or the new one; both must be right.
 *
 * Pages that the program writes to are left to it, for good: a copy of such a
 * page would lose what the program writes meanwhile.
 *
 * So are pages that are not as in the executable's file. Somebody else has
 * changed them: a probe on the program (the kernel's uprobes), whose int3 in a
 * copy would be nobody's and end the program, or a debugger.
 *
 * Thread: any; takes a lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cofl_executable;

/* Without it there is no file to compare with. Before any other call; `e` stays
 * for good. False: no memory. */
bool cofl_text_page_init(const struct cofl_executable *e);

/* May all pages of [lo, hi) be changed? A probe may come afterwards. */
bool cofl_text_page_is_as_linked(uintptr_t lo, uintptr_t hi);

/* [at, at + n) lies in one page. False: the page is left to the program, or is
 * not as linked, or the kernel refuses; nothing is changed. */
bool cofl_text_page_write(uintptr_t at, const void *bytes, size_t n);

/* Leave [lo, hi), whole pages, to the program. False: they are left already. */
bool cofl_text_page_leave(uintptr_t lo, uintptr_t hi);

/* As write(), also on a page that is left to the program, but before that
 * writes there. */
bool cofl_text_page_restore(uintptr_t at, const void *bytes, size_t n);

/* Hold the lock over forks. Before cof_start(): it is the innermost. 0, or an
 * error number. */
int cofl_text_page_fork_hooks(void);
