/*
 * bitcode_triple.h - the machine that a file of bitcode is for
 *
 *	"BC" c0 de | block | block, the module: version, blocks, triple, ...
 *
 * clang compiles bitcode of any machine for the one it is told, after a
 * warning. So somebody else has to look first. LLVM writes the triple before
 * everything of the module that takes more than to be skipped.
 *
 * Pure. The bytes may be anything. Thread: any.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define BITCODE_TRIPLE_BYTES 64u

/* Do the bytes begin as bitcode does, with what Darwin puts around it or
 * without? */
bool bitcode_triple_begins(const void *bytes, size_t n);

/* The triple, as a string. False: it has none, or this is no bitcode; too long
 * ones are cut. */
bool bitcode_triple_read(const void *bytes, size_t n,
			 char triple[BITCODE_TRIPLE_BYTES]);
