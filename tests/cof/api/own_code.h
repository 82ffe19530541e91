/*
 * own_code.h - a host's own code, whose bare entries callers hold
 *
 * It is in one page that is writable and executable, as in such a host.
 */
#pragma once

#include <sys/mman.h>

#include "tests/support/piece.h"

#define OWN_BYTES 4096u
#define OWN_JUMP  5u		/* bytes: jmp rel32, and the first instruction
				 * of piece_return() */

static unsigned char *own_page;
static size_t         own_used;

static inline void own_open(void)
{
	own_page = mmap(NULL, OWN_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(own_page, MAP_FAILED);
	own_used = 0;
}

static inline void own_close(void)
{
	munmap(own_page, OWN_BYTES);
	own_page = NULL;
}

static inline struct cof_version_desc own_place(const struct piece *p)
{
	struct cof_version_desc d = { .size = sizeof(d) };

	assert_true(own_used + p->n <= OWN_BYTES);
	d.start = memcpy(own_page + own_used, p->byte, p->n);
	d.size_bytes = p->n;
	own_used += (p->n + 63) & ~(size_t)63;
	return d;
}

static inline struct cof_version_desc own_return(int value)
{
	struct piece p = { .n = 0 };

	piece_return(&p, value);
	piece_pad(&p, 16);
	return own_place(&p);
}

/*
 * Make `entry`, whose first instruction has OWN_JUMP bytes, jump to `to`: by
 * one store, while threads may enter. False: out of reach.
 */
static inline bool own_redirect(const void *entry, const void *to)
{
	intptr_t d = (intptr_t)to - (intptr_t)entry - (intptr_t)OWN_JUMP;
	int32_t rel32 = (int32_t)d;
	uint64_t word;

	if (rel32 != d)
		return false;
	memcpy(&word, entry, sizeof(word));
	((unsigned char *)&word)[0] = 0xe9;
	memcpy((unsigned char *)&word + 1, &rel32, sizeof(rel32));
	__atomic_store_n((uint64_t *)(uintptr_t)entry, word, __ATOMIC_SEQ_CST);
	return true;
}
