/*
 * addresses.h - where an executable has the names of its joined bitcode
 *
 *	head | entries | names
 *
 * These are the bytes of a record of kind COFL_RECORD_ADDRESSES (record.h),
 * which cof-cc writes behind the joined bitcode. Entries of functions come
 * first, by address; then all others, by name. Every global value that code in
 * the bitcode can refer to has an entry, or is one that a copy can stand for:
 * a constant without identity (unnamed_addr).
 *
 * Addresses are as the linker made them; what the dynamic linker adds (the load
 * bias of a PIE) comes on top.
 *
 * Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COFL_ADDRESSES_MAGIC UINT64_C(0x0a0d64612e666f63)	/* "cof.ad" */

struct cofl_addresses {
	uint64_t magic;
	uint32_t n;		/* entries */
	uint32_t n_functions;	/* defined with bitcode; these come first */
	uint64_t name_bytes;
};

enum {
	COFL_ADDRESS_FUNCTION  = 1 << 0, /* its body is in the bitcode */
	COFL_ADDRESS_TLS       = 1 << 1, /* ->address is an offset in the
					  * executable's thread-local block */
	COFL_ADDRESS_LIBRARY   = 1 << 2, /* a library has it: ->address is 0,
					  * or the executable's stand-in (PLT,
					  * copy relocation) */
	COFL_ADDRESS_IFUNC     = 1 << 3, /* ->address is the resolver's */
	COFL_ADDRESS_PATCHABLE = 1 << 4, /* the entry may be redirected: it has
					  * a prefix, and its first instruction
					  * two bytes or more */
	COFL_ADDRESS_ABSOLUTE  = 1 << 5, /* a number: no load bias */
	COFL_ADDRESS_WEAK      = 1 << 6, /* it may be missing, and is 0 then */
	COFL_ADDRESS_PLT       = 1 << 8, /* of a library's function: ->address
					  * is where calls go, and pointers to
					  * it hold the library's own */
	COFL_ADDRESS_LOCAL     = 1 << 7, /* internal or private linkage in the
					  * joined bitcode */
};

struct cofl_address {
	uint64_t address;
	uint32_t bytes;		/* of a function's native code, of a vtable;
				 * else 0 */
	uint32_t name;		/* offset in names: as in the joined bitcode */
	uint32_t version;	/* of NAME@VERSION in a library; 0: any */
	uint16_t flags;
	uint8_t  first_bytes;	/* length of a function's first instruction, if
				 * that can run elsewhere (it neither jumps nor
				 * refers to its own address); else 0 */
	uint8_t  unused;
};

/* The bytes of such a record; false: they are damaged. All offsets are checked,
 * and each name ends with a zero. */
bool cofl_addresses_open(const struct cofl_addresses **head,
			 const struct cofl_address **entries,
			 const char **names, const char *bytes, size_t n_bytes);
