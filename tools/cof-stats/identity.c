/*
 * identity.c - hash the file, or the bitcode in it
 */
#include "identity.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hosts/llvm/support/record.h"
#include "hosts/llvm/support/section.h"
#include "base/hash.h"
#include "history/store/record.h"

static void hash(const char *bytes, size_t n, struct cof_history_id *id)
{
	Elf64_Shdr section;
	struct cofl_record r;
	const char *at;
	size_t left;

	id->bytes = COF_HASH_BYTES;
	if (cofl_section_is_elf(bytes, n) &&
	    cofl_section_find(bytes, n, COFL_SECTION_BITCODE, &section)) {
		at = bytes + section.sh_offset;
		left = section.sh_size;
		if (cofl_record_next(&r, &bytes, &at, &left)) {
			memcpy(id->byte, r.hash, sizeof(r.hash));
			return;
		}
	}
	cof_hash(bytes, n, id->byte);
}

bool identity_of(const char *path, struct cof_history_id *id)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	void *map = MAP_FAILED;

	memset(id, 0, sizeof(*id));
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
			   fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return false;
	hash(map, (size_t)st.st_size, id);
	munmap(map, (size_t)st.st_size);
	return true;
}
