/*
 * bits.h - flags inside MonoMethod, for the length of a compilation
 *
 * Mono changes the word's bits without a lock, but as bytes (every store in the
 * build that check.c asks for was looked at): those of the first, about inlining,
 * at any time, those of the second, with `dynamic`, while it makes the method. So
 * what is done to `dynamic` here is never undone, nor undoes anything; a bit of
 * the first that is lost costs an optimization.
 *
 * While `dynamic` is set other threads may read it. Calls and delegates work
 * either way. A compilation of the same method for another domain gets code
 * memory of its own, freed with the domain or not at all. What reflection says of
 * custom attributes, marshalling or the body of this method may be nothing.
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

static inline bool cofm_is_inflated(MonoMethod *m)
{
	return (*cofm_bits(m) & COFM_BIT_INFLATED) != 0;
}

static inline bool cofm_is_dynamic(MonoMethod *m)
{
	return (*cofm_bits(m) & COFM_BIT_DYNAMIC) != 0;
}

/* Its code, compiled ahead of time? */
static inline bool cofm_is_in_image(const MonoJitInfo *info)
{
	return (*((const uint8_t *)info + COFM_JIT_INFO_KIND) &
		COFM_JIT_INFO_IMAGE) != 0;
}

#endif /* COFM_BITS_H */
