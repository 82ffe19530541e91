/*
 * entry.c - a jump over the first instructions
 *
 *	JIT code     jmp rel32 --------------------------> stub
 *	AOT image    jmp rel32 --> island: jmp [rip+0] --> stub
 *
 * Mono's code lies below 2 GiB and libcof's beside it; an AOT image is a shared
 * library, far away, and gets a page of islands in reach.
 */
#include "entry.h"

#include <linux/membarrier.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "island.h"
#include "world.h"

#define JUMP_BYTES 5u
#define WORD_BYTES 8u

static bool reaches(const uint8_t *from, const void *to)
{
	intptr_t d = (intptr_t)to - (intptr_t)(from + JUMP_BYTES);

	return d == (int32_t)d;
}

/* Code of an image is not writable; Mono's own is. */
static bool make_writable(uint8_t *at, size_t n)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t lo = (uintptr_t)at & ~(page - 1);
	uintptr_t hi = ((uintptr_t)at + n + page - 1) & ~(page - 1);

	return mprotect((void *)lo, hi - lo,
			PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
}

/* One store if it can be: who comes there meanwhile sees all or nothing of it. */
static void write_jump(uint8_t *at, const void *to)
{
	int32_t d = (int32_t)((intptr_t)to - (intptr_t)(at + JUMP_BYTES));
	uint8_t jump[WORD_BYTES];
	uint64_t word;

	memcpy(jump, at, sizeof(jump));
	jump[0] = 0xe9;
	memcpy(jump + 1, &d, sizeof(d));
	if ((uintptr_t)at % WORD_BYTES == 0) {
		memcpy(&word, jump, sizeof(word));
		__atomic_store_n((uint64_t *)(void *)at, word,
				 __ATOMIC_SEQ_CST);
	} else {
		memcpy(at, jump, JUMP_BYTES);
	}
}

enum cofm_declined cofm_entry_redirect(struct cofm_method *m)
{
	const void *to = cof_method_stub(m->method);

	if (m->size < WORD_BYTES)
		return COFM_SHORT;
	if (!reaches(m->start, to))
		to = cofm_island(m->start, to);
	if (!to || !reaches(m->start, to) ||
	    !make_writable(m->start, WORD_BYTES))
		return COFM_FAR;
	cofm_world_stop();
	write_jump(m->start, to);
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0,
		0);
	cofm_world_start();
	return COFM_ACCEPTED;
}
