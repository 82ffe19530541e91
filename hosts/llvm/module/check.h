/*
 * check.h - read all of a program's bitcode, as LLVM's verifier wants it
 *
 * LLVM's reader crashes on damaged bitcode, and may take any time and memory.
 * So bitcode of unknown origin is checked in a process of its own
 * (program/bitcode_check.h), whose limits bound both.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* False: it is damaged, and `why` has the reason. LLVM is initialized. */
bool cofl_check(const void *bytes, size_t n_bytes, char *why, size_t why_bytes);
