/*
 * identity.c - hash the file, or the bitcode in it
 */
#include "identity.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hosts/llvm/support/section.h"
#include "base/hash.h"
#include "history/store/record.h"

static void hash(const char *bytes, size_t n, struct cof_history_id *id)
{
	Elf64_Shdr bitcode;

	if (cofl_section_is_elf(bytes, n) &&
	    cofl_section_find(bytes, n, COFL_SECTION_BITCODE, &bitcode)) {
		bytes += bitcode.sh_offset;
		n = bitcode.sh_size;
	}
	cof_hash(bytes, n, id->byte);
	id->bytes = COF_HASH_BYTES;
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
