/*
 * insn.h - the x86-64 instructions that libcof writes, and how it stores them
 *
 * Rules for code that another core may be running (Intel SDM vol. 3, "Handling
 * Self- and Cross-Modifying Code"; practice of HHVM's smashable instructions):
 * one store, inside one cache line, changes one instruction. A core that
 * fetches it meanwhile runs the old or the new one, and both are right.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/flow.h"

#define COF_INSN_TRAP       0xcc	/* int3: what free code memory holds */
#define COF_INSN_CALL_BYTES 5
#define COF_INSN_JMP_BYTES  5	/* rel32 */

/* jmp *[rip + 2], two traps: jump to the address in the next 8 bytes. */
#define COF_INSN_JMP_FAR    UINT64_C(0xcccc0000000225ff)

/* Does a rel32 that ends at `end` reach `to`? */
static inline bool cof_insn_reaches(uintptr_t end, uintptr_t to)
{
	int64_t d = (int64_t)(to - end);

	return d == (int32_t)d;
}

static inline uint64_t cof_insn_rel32(uint8_t opcode, uintptr_t at,
				      uintptr_t to)
{
	uint32_t d = (uint32_t)(to - (at + 5));

	return UINT64_C(0xcccccc0000000000) | (uint64_t)d << 8 | opcode;
}

/* 8 bytes: jmp or call rel32, three traps. `to` must be in reach. */
static inline uint64_t cof_insn_jmp(uintptr_t at, uintptr_t to)
{
	return cof_insn_rel32(0xe9, at, to);
}

static inline uint64_t cof_insn_call(uintptr_t at, uintptr_t to)
{
	return cof_insn_rel32(0xe8, at, to);
}

/*
 * Store 8 aligned bytes through the writable alias, release (A). The partner
 * (B) is the fetch of the instruction: the code that it leads to, or the target
 * word behind it, was stored before. Processors that keep stores in order do so
 * for fetches too.
 */
static inline void cof_insn_store64(void *write, uint64_t v)
{
	atomic_store_explicit((_Atomic uint64_t *)write, v,
			      memory_order_release);	/* A */
}

/* May these 4 bytes be rewritten while code runs them? */
static inline bool cof_insn_in_line(uintptr_t rel32)
{
	return rel32 % COF_CACHELINE <= COF_CACHELINE - 4;
}

/*
 * Store 4 bytes at any address, by assembly: neither C nor a sanitizer knows a
 * store that is unaligned and still single. It is a release too: all stores are
 * on x86, and the compiler moves nothing across it. The partner is B as above.
 */
static inline void cof_insn_store32(void *write, uint32_t v)
{
	__asm__ volatile("movl %1, (%0)" : : "r"(write), "r"(v) : "memory");
}
