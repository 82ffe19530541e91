/*
 * finish_mark.h - KEY.fin: when a program's runs are to be finished
 *
 * A process that finishes what runs counted holds the lock of the file, so
 * there is one at a time. The file says how many methods were left when the
 * last one was started, and how often in a row they became no fewer: what
 * cannot be built is tried in ever fewer runs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct cofl_finish_mark {
	uint32_t left;		/* when a process was started; 0: never */
	uint32_t in_vain;	/* how many in a row left no fewer */
	uint32_t skip;		/* so many runs start none */
};

/* `left` methods are left: is a process to be started? Changes the mark.
 * Pure. */
bool cofl_finish_mark_next(struct cofl_finish_mark *mark, uint32_t left);

/* The same with the program's file; `key` as in code_key.h. False also if one
 * is under way, or there is no cache. */
bool cofl_finish_mark_due(const uint8_t key[COF_HASH_BYTES], uint64_t left);

/* Does a process finish the program's runs at this moment? */
bool cofl_finish_mark_is_held(const uint8_t key[COF_HASH_BYTES]);

/* The lock, for the caller to close(2). -1: another process has it, or there is
 * no cache. */
int  cofl_finish_mark_lock(const uint8_t key[COF_HASH_BYTES]);
