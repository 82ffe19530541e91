/*
 * code_writes.h - functions that the program may write to are left alone
 */
#pragma once

/* Libcof's side was opened: tell it what was noted. */
void code_writes_opened(void);
