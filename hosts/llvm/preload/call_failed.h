/*
 * call_failed.h - a system call's result, as libc's functions return it
 */
#pragma once

/* The call failed with -result: sets `errno`, and returns -1. Also for
 * syscall_x86_64.S. */
long call_failed(long result);
