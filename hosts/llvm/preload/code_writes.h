/*
 * code_writes.h - functions that the program may write to are left alone
 */
#pragma once

#include <stddef.h>

/* Libcof's side was opened: tell it what was noted. */
void code_writes_opened(void);

/* mprotect(2) */
int code_writes_protect(void *at, size_t bytes, int rights);
