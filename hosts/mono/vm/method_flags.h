/*
 * method_flags.h - flags inside MonoMethod, for the length of a compilation
 *
 * Mono changes the word's bits without a lock, a byte at a time. (Every store
 * in the build that compile/check.c accepts was looked at.)
 *	first byte	about inlining; Mono may change it at any time
 *	second byte	with `dynamic`; Mono changes it only while it makes the
 *			method
 * So no store of Mono's undoes a change of `dynamic` made here, nor does a
 * store here undo one of Mono's. If a bit of the first byte is lost, an
 * optimization is.
 *
 * While `dynamic` is set other threads may read it:
 *	- Calls and delegates work either way.
 *	- If another thread compiles the method for another domain, that code
 *	  gets memory of its own. It is freed with the domain, or never.
 *	- Reflection may find no custom attributes, no marshalling information
 *	  and no body of this method.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <mono/metadata/object.h>

#include "vm/internals.h"

static inline uint32_t *cofm_method_flags(MonoMethod *m)
{
	return (uint32_t *)((char *)m + COFM_METHOD_BITS);
}

static inline uint16_t *cofm_method_flags_impl(MonoMethod *m)
{
	return (uint16_t *)((char *)m + COFM_METHOD_IFLAGS);
}

static inline void cofm_method_flags_set(MonoMethod *m, uint32_t bit)
{
	__atomic_fetch_or(cofm_method_flags(m), bit, __ATOMIC_SEQ_CST);
}

static inline void cofm_method_flags_clear(MonoMethod *m, uint32_t bit)
{
	__atomic_fetch_and(cofm_method_flags(m), ~bit, __ATOMIC_SEQ_CST);
}

static inline bool cofm_method_is_wrapper(MonoMethod *m)
{
	return (*cofm_method_flags(m) >> 2 & 31) != 0;
}

static inline bool cofm_method_is_inflated(MonoMethod *m)
{
	return (*cofm_method_flags(m) & COFM_BIT_INFLATED) != 0;
}

static inline bool cofm_method_is_dynamic(MonoMethod *m)
{
	return (*cofm_method_flags(m) & COFM_BIT_DYNAMIC) != 0;
}
