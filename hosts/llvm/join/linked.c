/*
 * linked.c - see linked.h
 */
#include "join/linked.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/record.h"
#include "support/section.h"

static bool map_file(struct cofl_linked_file *file, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;
	struct stat st;
	void *bytes;

	if (fd < 0)
		return false;
	bytes = fstat(fd, &st) == 0 ?
		mmap(NULL, (size_t)st.st_size, PROT_READ,
		     MAP_PRIVATE | MAP_POPULATE, fd, 0) : MAP_FAILED;
	err = errno;
	close(fd);
	errno = err;
	file->bytes = bytes;
	file->n_bytes = (size_t)st.st_size;
	return bytes != MAP_FAILED;
}

static bool read_records(struct cofl_linked_file *file)
{
	const char *at = file->records, *bytes;
	size_t left = file->n_records;
	struct cofl_record r;

	while (cofl_record_next(&r, &bytes, &at, &left)) {
		if (!cofl_record_is_whole(&r, bytes))
			return false;
		if (r.kind != COFL_RECORD_LEFT_OUT)
			continue;
		file->left_out = bytes;
		file->n_left_out = r.bytes;
	}
	return left == 0;
}

bool cofl_linked_file_open(struct cofl_linked_file *file, const char *path,
			   char *why, size_t why_bytes)
{
	const char *refused = NULL;
	Elf64_Shdr section;

	*file = (struct cofl_linked_file){ 0 };
	if (!map_file(file, path)) {
		snprintf(why, why_bytes, "%s", strerror(errno));
		return false;
	}
	if (!cofl_section_is_elf(file->bytes, file->n_bytes) ||
	    !cofl_section_find(file->bytes, file->n_bytes,
			       COFL_SECTION_BITCODE, &section)) {
		refused = "no bitcode in it; compile it with cof-cc";
	} else {
		file->records = file->bytes + section.sh_offset;
		file->n_records = section.sh_size;
		if (!read_records(file))
			refused = COFL_RECORD_DAMAGED;
	}
	if (refused != NULL)
		snprintf(why, why_bytes, "%s", refused);
	return refused == NULL;
}
