/*
 * entry.c - write a jump over the first instructions
 *
 *	JIT code     jmp rel32 --------------------------> stub
 *	AOT image    jmp rel32 --> island: jmp [rip+0] --> stub
 *
 * Mono's code lies below 2 GiB, and libcof's beside it. An AOT image is a
 * shared library, which lies far away, so it gets a page of islands in reach.
 *
 * No thread may stand between the instructions that are overwritten: the world
 * is stopped meanwhile (vm/stop_world.h). No thread may come back there: a body
 * with a branch to one of them is left alone. Only a loop at the very beginning
 * has one.
 */
#include "compile/entry.h"

#include <linux/membarrier.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vm/island.h"
#include "vm/stop_world.h"

#define JUMP_BYTES 5u
#define WORD_BYTES 8u

/* Whole pages, and what they are. */
struct pages {
	void  *at;
	size_t bytes;
	bool   image;	/* of a file: read and execute */
};

static bool reaches(const uint8_t *from, const void *to)
{
	intptr_t d = (intptr_t)to - (intptr_t)(from + JUMP_BYTES);

	return d == (int32_t)d;
}

/* -- Branches back --------------------------------------------------------- */

/* Would a branch to `target` arrive inside the jump, behind its first byte? */
static bool is_inside(int64_t target)
{
	return target > 0 && target < (int64_t)JUMP_BYTES;
}

/* Is there a branch at `at`, of two bytes or five, into the jump? Of a
 * conditional branch of six bytes these are the last five. */
static bool leads_back(const struct cofm_method *m, uint32_t at)
{
	const uint8_t *p = m->start + at;
	uint32_t left = m->size - at;
	int32_t d;

	if (left >= 2 && ((p[0] & 0xf0) == 0x70 || p[0] == 0xeb ||
			  (p[0] & 0xfc) == 0xe0) &&
	    is_inside((int64_t)at + 2 + (int8_t)p[1]))
		return true;
	if (left < 5 || ((p[0] & 0xf0) != 0x80 && (p[0] & 0xfe) != 0xe8))
		return false;
	memcpy(&d, p + 1, sizeof(d));
	return is_inside((int64_t)at + 5 + d);
}

/* Do the bytes at p belong to a mov or lea that begins before them? */
static bool is_operand(const uint8_t *p)
{
	bool rex = (p[-2] & 0xf0) == 0x40;

	if (rex && (p[-1] == 0x89 || p[-1] == 0x8b))
		return true;
	return (p[-2] == 0x89 || p[-2] == 0x8b || p[-2] == 0x8d) &&
	       (p[-1] & 0xc7) == 0x05;
}

/* Is it mov [rsp + n], r, of a register that callees save? Then it saves the
 * caller's value: the method has saved no register yet, so it uses none. */
static bool is_save(const uint8_t *p)
{
	uint32_t r = (p[2] >> 3 & 7u) | (p[0] << 1 & 8u);

	return (p[0] & 0xfb) == 0x48 && p[1] == 0x89 && (p[2] & 7) == 4 &&
	       p[2] < 0xc0 && p[3] == 0x24 &&
	       (r == 3 || r == 5 || r >= 12);	/* rbx, rbp, r12 to r15 */
}

/* Do all instructions that are overwritten set up the frame? No branch goes
 * there. */
static bool begins_with_frame(const uint8_t *p)
{
	static const uint8_t base[] = { 0x55, 0x48, 0x8b, 0xec };

	if (memcmp(p, base, sizeof(base)) == 0)
		p += sizeof(base);		/* push rbp; mov rbp, rsp */
	else if (p[1] == 0x83 && !is_save(p + 4))
		return false;			/* sub rsp, imm8: 4 bytes */
	return p[0] == 0x48 && (p[1] == 0x81 || p[1] == 0x83) && p[2] == 0xec;
}

/* mov r11, imm64; call r11: Mono's call of far code. The eight bytes of the
 * address may look like a branch. */
#define FAR_CALL_BYTES 13u

static bool is_far_call(const struct cofm_method *m, uint32_t at)
{
	const uint8_t *p = m->start + at;

	return m->size - at >= FAR_CALL_BYTES && p[0] == 0x49 && p[1] == 0xbb &&
	       p[10] == 0x41 && p[11] == 0xff && p[12] == 0xd3;
}

/* Bytes that only look like a branch are taken for one. Then a method is left
 * alone without need, which is rare. */
static bool has_branch_back(const struct cofm_method *m)
{
	if (begins_with_frame(m->start))
		return false;
	for (uint32_t at = JUMP_BYTES; at < m->size; at++) {
		if (is_far_call(m, at))
			at += FAR_CALL_BYTES - 1;
		else if (leads_back(m, at) && !is_operand(m->start + at))
			return true;
	}
	return false;
}

/* -- Writing --------------------------------------------------------------- */

static struct pages pages_of(const struct cofm_method *m)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t lo = (uintptr_t)m->start & ~(page - 1);
	uintptr_t hi = ((uintptr_t)m->start + WORD_BYTES + page - 1) &
		       ~(page - 1);

	return (struct pages){ (void *)lo, hi - lo, m->from_image };
}

/* Code of an image is not writable. Mono's own code always is. */
static bool make_writable(const struct pages *p)
{
	return !p->image || mprotect(p->at, p->bytes, PROT_READ | PROT_WRITE |
						      PROT_EXEC) == 0;
}

static void make_as_it_was(const struct pages *p)
{
	if (p->image)
		mprotect(p->at, p->bytes, PROT_READ | PROT_EXEC);
}

/* One store if `at` is aligned: then a thread that arrives meanwhile sees
 * either all of the jump or nothing of it. */
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
	struct pages pages = pages_of(m);

	if (m->size < WORD_BYTES)
		return COFM_SHORT;
	if (has_branch_back(m))
		return COFM_LOOP;
	if (!reaches(m->start, to))
		to = cofm_island(m->start, to);
	if (!to || !reaches(m->start, to) || !make_writable(&pages))
		return COFM_FAR;
	cofm_stop_world_begin();
	write_jump(m->start, to);
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0,
		0);
	cofm_stop_world_end();
	make_as_it_was(&pages);
	return COFM_ACCEPTED;
}
