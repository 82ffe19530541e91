/*
 * linkage.h - what section .debug.cof contains: what the linker decided
 *
 *	head | entries | names | head | entries | names | ...
 *
 * cof-cc's plug-in puts one head into each object, beside the bitcode. Of each
 * name of the object, the entry has two words that the linker fills in, by
 * relocations that it has to apply anyway: the address that the object's
 * references to the name lead to, and the place of the object's own
 * definition. So what the command line, linker scripts, archives or objcopy(1)
 * said of a name is in there, whatever it was. What is local to the object has
 * the second word alone.
 *
 * The section has the name of one with debug information, since linkers allow
 * such to refer to sections that they discard.
 */
#pragma once

#include <stdint.h>

#include "support/record.h"

#define COFL_SECTION_LINKAGE ".debug.cof"
#define COFL_LINKAGE_MAGIC   UINT64_C(0x0a0d6b6c2e666f63)	/* "cof.lk" */

struct cofl_linkage {
	uint64_t magic;
	uint64_t bytes;		/* with this head, and zeros up to the next */
	uint8_t  hash[COFL_RECORD_HASH_BYTES];	/* of the object's bitcode */
	uint64_t n;		/* entries */
};

enum {
	COFL_LINKAGE_DEFINED  = 1 << 0,	/* else only referred to */
	COFL_LINKAGE_TLS      = 1 << 1,	/* the words are offsets */
	COFL_LINKAGE_WEAK     = 1 << 2,
	COFL_LINKAGE_COMMON   = 1 << 3,	/* ->own is 0 */
	COFL_LINKAGE_IFUNC    = 1 << 4,	/* both words are 0 */
	COFL_LINKAGE_LOCAL    = 1 << 5,	/* to the object */
	COFL_LINKAGE_ASSEMBLY = 1 << 6,	/* module-level assembly has it */
	COFL_LINKAGE_SECTION  = 1 << 7,	/* in one whose bounds have names */
	COFL_LINKAGE_FUNCTION = 1 << 8,
	COFL_LINKAGE_UNTOLD   = 1 << 9,	/* both words are 0: the assembler
					 * cannot name it */
	COFL_LINKAGE_ALIAS    = 1 << 10,
	COFL_LINKAGE_PLACE    = 1 << 11, /* there to tell ->own alone: the name
					  * means nothing to the linker */
	COFL_LINKAGE_PATCHABLE = 1 << 12, /* the function's entry can be
					   * redirected */
};

/* What is before such an entry. */
#define COFL_LINKAGE_PREFIX_BYTES 16u
#define COFL_LINKAGE_PREFIX_BYTE  0xccu

/* Where loops begin, in functions that are optimized for speed: a cache line of
 * x86-64. */
#define COFL_LINKAGE_LOOP_BYTES 64u

struct cofl_linkage_entry {
	uint64_t resolved, own;	/* 0: nowhere, in a library, or discarded */
	uint32_t flags;
	uint32_t name;		/* offset in names */
	uint32_t version;	/* of NAME@VERSION by .symver; 0: none */
	uint32_t unused;
};
