/*
 * copy_pool.h - the workers' copies of the bitcode
 *
 * Thread: any, no copy's lock held.
 */
#pragma once

struct cofl;
struct cofl_copy;

/* Lock a copy that is not in use, for the caller to unlock. If all are, open
 * another. NULL: no memory. */
struct cofl_copy *cofl_copy_pool_take(struct cofl *host);
