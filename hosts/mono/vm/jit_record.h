/*
 * jit_record.h - MonoJitInfo: Mono's record of a compiled body
 *
 * An exception refers to the records of all bodies it passed, as long as it
 * lives. Mono reads these records when the program asks for the stack trace. So
 * a record that a stack walk has met outlives its body. Each such record is
 * about 100 bytes.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "vm/host.h"
#include "vm/internals.h"

/* Was its code compiled ahead of time? */
static inline bool cofm_jit_record_is_in_image(const MonoJitInfo *info)
{
	return (*((const uint8_t *)info + COFM_JIT_INFO_KIND) &
		COFM_JIT_INFO_IMAGE) != 0;
}

/* The record's body may be freed one day. Call it before any thread can be in
 * the body. */
void cofm_jit_record_begin(MonoJitInfo *record);

bool cofm_jit_record_is_ours(const MonoJitInfo *record);

/*
 * Mono reads the record. Any thread, often. Mono reads records in stack walks,
 * and also to find the caller of a method that is called for the first time.
 */
void cofm_jit_record_walked(MonoJitInfo *record);

/*
 * Take the record out of the domain's table. The caller is about to free the
 * code, and no thread is in it. True: the record was freed. False: it stays,
 * for stack traces. Inside cofm_attach_enter().
 */
bool cofm_jit_record_end(MonoDomain *domain, MonoJitInfo *record);

/* How many records stayed so far. */
uint64_t cofm_jit_record_kept(void);
