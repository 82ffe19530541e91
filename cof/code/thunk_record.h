/*
 * thunk_record.h - what the patcher knows of a method's counting thunk
 *
 * Thread: any, under the code lock.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* Which callers go through the counting thunk (patcher/counting_thunk.h). */
enum cof_thunked {
	COF_THUNKED_NO,
	COF_THUNKED_SITES,	/* all; it counts direct calls only */
	COF_THUNKED_ALL,	/* all; it counts calls of the stub too */
};

struct cof_method_thunk {
	uintptr_t         address;	/* 0: none was needed yet */
	_Atomic uint64_t *entries;	/* as it counts; constant once made */
	enum cof_thunked  callers;	/* that go through it now */
	uint32_t          inside;	/* trials that the method is part of: if
					 * any, its own calls of counted methods
					 * are not counted */
};
