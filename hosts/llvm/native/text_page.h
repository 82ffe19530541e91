/*
 * text_page.h - change bytes of the executable's own code
 *
 * No page is ever writable and executable: the page is copied, changed, made
 * executable, and then takes the place of the old one, in one step of the
 * kernel's (mremap(2) with MREMAP_FIXED). A thread that runs on it finds the
 * old page or the new one; both must be right.
 *
 * Thread: any; takes a lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* [at, at + n) lies in one page. False: the kernel refuses, and nothing is
 * changed. */
bool cofl_text_page_write(uintptr_t at, const void *bytes, size_t n);

/* Hold the lock over forks. Before cof_start(): it is the innermost. 0, or an
 * error number. */
int cofl_text_page_fork_hooks(void);
