/*
 * entry_x86_64.c - see entry.h
 */
#include "native/entry.h"

#include <string.h>
#include <unistd.h>

#include "native/text_page.h"

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

bool cofl_entry_redirect(uintptr_t entry, uintptr_t to)
{
	static const unsigned char back[COFL_ENTRY_BYTES] = { 0xeb, 0xf9 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char bytes[JUMP_BYTES + sizeof(back)];
	bool one_page = (entry & (page - 1)) >= JUMP_BYTES;

	if (!encode_jump(bytes, entry - JUMP_BYTES, to))
		return false;
	memcpy(bytes + JUMP_BYTES, back, sizeof(back));
	if (one_page)
		return cofl_text_page_write(entry - JUMP_BYTES, bytes,
					    sizeof(bytes));
	return cofl_text_page_write(entry - JUMP_BYTES, bytes, JUMP_BYTES) &&
	       cofl_text_page_write(entry, back, sizeof(back));
}

/* Two bytes of an entry that is 16-aligned lie in one page. */
bool cofl_entry_restore(uintptr_t entry, const void *first)
{
	return cofl_text_page_restore(entry, first, COFL_ENTRY_BYTES);
}

bool cofl_entry_copy(uintptr_t entry, uint32_t first_bytes, void *write,
		     uintptr_t run)
{
	unsigned char *to = write;

	memcpy(to, (const void *)entry, first_bytes);
	return encode_jump(to + first_bytes, run + first_bytes,
			   entry + first_bytes);
}
