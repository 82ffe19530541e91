/*
 * entry_x86_64.c - see entry.h
 */
#include "native/entry.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define JUMP_BYTES 5u	/* e9 rel32 */

/* False: `to` is out of reach. */
static bool encode_jump(unsigned char at[JUMP_BYTES], uintptr_t run,
			uintptr_t to)
{
	int64_t distance = (int64_t)(to - (run + JUMP_BYTES));
	int32_t narrow = (int32_t)distance;

	at[0] = 0xe9;
	memcpy(at + 1, &narrow, sizeof(narrow));
	return distance == narrow;
}

/* [at, at + n) lies in one page. */
static bool overwrite(uintptr_t at, const void *bytes, size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), offset = at & (page - 1);
	void *old = (void *)(at - offset);
	char *p = mmap(NULL, page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return false;
	memcpy(p, old, page);
	memcpy(p + offset, bytes, n);
	if (mprotect(p, page, PROT_READ | PROT_EXEC) == 0 &&
	    mremap(p, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, old) == old)
		return true;
	munmap(p, page);
	return false;
}

bool cofl_entry_redirect(uintptr_t entry, uintptr_t to)
{
	static const unsigned char back[2] = { 0xeb, 0xf9 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char bytes[JUMP_BYTES + sizeof(back)];
	bool one_page = (entry & (page - 1)) >= JUMP_BYTES;

	if (!encode_jump(bytes, entry - JUMP_BYTES, to))
		return false;
	memcpy(bytes + JUMP_BYTES, back, sizeof(back));
	if (one_page)
		return overwrite(entry - JUMP_BYTES, bytes, sizeof(bytes));
	return overwrite(entry - JUMP_BYTES, bytes, JUMP_BYTES) &&
	       overwrite(entry, back, sizeof(back));
}

bool cofl_entry_copy(uintptr_t entry, uint32_t first_bytes, void *write,
		     uintptr_t run)
{
	unsigned char *to = write;

	memcpy(to, (const void *)entry, first_bytes);
	return encode_jump(to + first_bytes, run + first_bytes,
			   entry + first_bytes);
}
