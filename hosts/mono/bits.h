/*
 * bits.h - flags inside MonoMethod, for the length of a compilation
 *
 * Mono keeps the JIT's bits in one word and changes them without a lock, so ours
 * are set and cleared atomically, and checked: a thread of Mono's that stores the
 * word as it read it before may undo one. A bit that was lost costs an
 * optimization, or memory that is never freed, nothing more.
 */
#ifndef COFM_BITS_H
#define COFM_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include <mono/metadata/object.h>

#include "internals.h"

static inline uint32_t *cofm_bits(MonoMethod *m)
{
	return (uint32_t *)((char *)m + COFM_METHOD_BITS);
}

static inline uint16_t *cofm_iflags(MonoMethod *m)
{
	return (uint16_t *)((char *)m + COFM_METHOD_IFLAGS);
}

static inline void cofm_bits_set(MonoMethod *m, uint32_t bit)
{
	__atomic_fetch_or(cofm_bits(m), bit, __ATOMIC_SEQ_CST);
}

static inline void cofm_bits_clear(MonoMethod *m, uint32_t bit)
{
	__atomic_fetch_and(cofm_bits(m), ~bit, __ATOMIC_SEQ_CST);
}

static inline bool cofm_is_wrapper(MonoMethod *m)
{
	return (*cofm_bits(m) >> 2 & 31) != 0;
}

static inline bool cofm_is_dynamic(MonoMethod *m)
{
	return (*cofm_bits(m) & COFM_BIT_DYNAMIC) != 0;
}

#endif /* COFM_BITS_H */
