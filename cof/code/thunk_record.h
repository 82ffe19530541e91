/*
 * thunk_record.h - what the patcher knows of a method's counting thunk
 *
 * Thread: any, under the code lock.
 */
#ifndef COF_CODE_THUNK_RECORD_H
#define COF_CODE_THUNK_RECORD_H

#include <stdatomic.h>
#include <stdint.h>

/* Which callers go by a method's counting thunk (patcher/counting_thunk.h). */
enum cof_thunked {
	COF_THUNKED_NO,
	COF_THUNKED_SITES,	/* all, but only direct calls are counted */
	COF_THUNKED_ALL,		/* all, and what comes by the stub counts too */
};

struct cof_method_thunk {
	uintptr_t         address;	/* 0: none was needed yet */
	_Atomic uint64_t *entries;	/* counted by it; constant once made */
	enum cof_thunked   callers;	/* that go by it now */
	uint32_t          inside;	/* trials the method is part of: its own
					 * calls of counted methods are not
					 * counted */
};

#endif /* COF_CODE_THUNK_RECORD_H */
