/*
 * bitcode_file.c - read bitcode, raw or from an executable; see bitcode_file.h
 */
#include "program/bitcode_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program/module.h"
#include "support/section.h"

#define MAGIC         0xdec04342u	/* "BC", 0xc0de */
#define MAGIC_WRAPPED 0x0b17c0deu	/* what Darwin puts around it */

static uint32_t word_at(const char *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

/*
 * A bitcode file is a magic word and blocks. A top-level block begins with the
 * abbreviation ENTER_SUBBLOCK, 1 in two bits, and fills the word. The next word
 * is the block's length in words (LLVM: Bitcode File Format).
 */
size_t cofl_bitcode_file_bytes(const void *bytes, size_t n)
{
	const char *p = bytes;
	size_t at = 4;

	if (n < 4 || word_at(p) != MAGIC)
		return 0;
	while (n - at >= 8 && (word_at(p + at) & 3) == 1) {
		uint64_t block = 8 + 4 * (uint64_t)word_at(p + at + 4);

		if (block > n - at)
			return 0;
		at += block;
	}
	return at > 4 ? at : 0;
}

static bool is_raw(const struct cofl_bitcode_file *file)
{
	return file->n_bytes >= 4 && (word_at(file->bytes) == MAGIC ||
				      word_at(file->bytes) == MAGIC_WRAPPED);
}

/* -- ELF ------------------------------------------------------------------- */

/* A single file is used where it is, or copied if LLVM cannot read it there.
 * Several files are joined. */
static bool take_parts(struct cofl_bitcode_file *file, const char *p, size_t n,
		       char *why, size_t why_bytes)
{
	size_t first = cofl_bitcode_file_bytes(p, n);
	const struct cofl_module *module;

	if (first == 0) {
		snprintf(why, why_bytes, "its bitcode is damaged");
		return false;
	}
	if (first == n && (uintptr_t)p % 4 == 0) {
		file->bitcode = p;
		file->n_bitcode = n;
		return true;
	}
	if (first == n) {
		file->joined = malloc(n);
		if (file->joined != NULL)
			memcpy(file->joined, p, n);
		file->n_bitcode = n;
	} else {
		module = cofl_module_load(why, why_bytes);
		if (module != NULL)
			file->joined = module->join(p, n, &file->n_bitcode, why,
						    why_bytes);
	}
	file->bitcode = file->joined;
	return file->joined != NULL;
}

static bool open_elf(struct cofl_bitcode_file *file, char *why,
		     size_t why_bytes)
{
	Elf64_Shdr section;

	file->is_elf = true;
	if (!cofl_section_find(file->bytes, file->n_bytes, COFL_SECTION_BITCODE,
			       &section) || section.sh_size == 0) {
		snprintf(why, why_bytes,
			 "no bitcode in it; compile it with cof-cc");
		return false;
	}
	return take_parts(file, file->bytes + section.sh_offset,
			  section.sh_size, why, why_bytes);
}

/* -- Files ----------------------------------------------------------------- */

static bool map_file(struct cofl_bitcode_file *file, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
		return false;
	}
	if (st.st_size == 0) {
		close(fd);
		file->bytes = "";
		return true;
	}
	p = mmap(NULL, (size_t)st.st_size, PROT_READ,
		 MAP_PRIVATE | MAP_POPULATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return false;
	file->bytes = p;
	file->n_bytes = (size_t)st.st_size;
	return true;
}

bool cofl_bitcode_file_open(struct cofl_bitcode_file *file, const char *path,
			    char *why, size_t why_bytes)
{
	*file = (struct cofl_bitcode_file){ 0 };
	if (!map_file(file, path)) {
		snprintf(why, why_bytes, "%s", strerror(errno));
		return false;
	}
	if (is_raw(file)) {
		file->bitcode = file->bytes;
		file->n_bitcode = file->n_bytes;
		return true;
	}
	if (cofl_section_is_elf(file->bytes, file->n_bytes)) {
		if (open_elf(file, why, why_bytes))
			return true;
	} else {
		snprintf(why, why_bytes, "not LLVM bitcode");
	}
	cofl_bitcode_file_close(file);
	return false;
}

void cofl_bitcode_file_close(struct cofl_bitcode_file *file)
{
	if (file->n_bytes != 0)
		munmap((void *)(uintptr_t)file->bytes, file->n_bytes);
	free(file->joined);
	*file = (struct cofl_bitcode_file){ 0 };
}
