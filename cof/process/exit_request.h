/*
 * exit_request.h - a thread that ends the process asks SAM for the last round
 *
 * What asks and answers is api/exit_async.h.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct cof_exit_request {
	_Atomic uint32_t asked;
	_Atomic uint32_t over;		/* futex */
};

/*
 * For SAM, once it was stopped: was that to end the process? Relaxed: no other
 * data depends on `asked`, and the futex is ordered.
 */
static inline bool
cof_exit_request_is_asked(const struct cof_exit_request *request)
{
	return atomic_load_explicit((_Atomic uint32_t *)&request->asked,
				    memory_order_relaxed) != 0;
}
