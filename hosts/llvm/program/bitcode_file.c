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
#include "support/record.h"
#include "support/section.h"

#define MAGIC         0xdec04342u	/* "BC", 0xc0de */
#define MAGIC_WRAPPED 0x0b17c0deu	/* what Darwin puts around it */

static uint32_t word_at(const char *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

static bool is_raw(const struct cofl_bitcode_file *file)
{
	return file->n_bytes >= 4 && (word_at(file->bytes) == MAGIC ||
				      word_at(file->bytes) == MAGIC_WRAPPED);
}

/* -- ELF ------------------------------------------------------------------- */

/* What a section has. */
struct records {
	const char        *at;
	size_t             n;
	unsigned           n_pieces;	/* not joined */
	bool               is_joined;	/* the file has what it needs */
};

/* False: one is damaged. The bytes of bitcode are not looked at. */
static bool read_records(struct cofl_bitcode_file *file, struct records *all)
{
	const char *p = all->at, *bytes;
	struct cofl_record r;
	size_t n = all->n;

	while (cofl_record_next(&r, &bytes, &p, &n)) {
		if (r.kind == COFL_RECORD_LEFT_OUT ||
		    r.kind == COFL_RECORD_REFUSED) {
			if (!cofl_record_is_whole(&r, bytes))
				return false;
			file->no_bitcode = r;
			file->reason = bytes;
			continue;
		}
		if (r.kind == COFL_RECORD_ADDRESSES ||
		    r.kind == COFL_RECORD_POINTS)
			continue;
		all->n_pieces += r.kind == COFL_RECORD_BITCODE;
		all->is_joined = r.kind == COFL_RECORD_JOINED;
		file->bitcode = bytes;
		file->n_bitcode = r.bytes;
		memcpy(file->hash, r.hash, sizeof(file->hash));
	}
	return n == 0;
}

static bool all_whole(const struct records *all)
{
	const char *p = all->at, *bytes;
	struct cofl_record r;
	size_t n = all->n;

	while (cofl_record_next(&r, &bytes, &p, &n))
		if (!cofl_record_is_whole(&r, bytes))
			return false;
	return true;
}

/* Used where it is, or copied if LLVM cannot read it there. */
static bool use_joined(struct cofl_bitcode_file *file)
{
	if ((uintptr_t)file->bitcode % 4 == 0)
		return true;
	file->joined = malloc(file->n_bitcode);
	if (file->joined != NULL)
		memcpy(file->joined, file->bitcode, file->n_bitcode);
	file->bitcode = file->joined;
	return file->joined != NULL;
}

static bool join(struct cofl_bitcode_file *file,
		 const struct cofl_resolution *resolution, char *why,
		 size_t why_bytes)
{
	const struct cofl_module *module;

	if (file->addresses == NULL && cofl_resolution_is_plain(resolution))
		return use_joined(file);
	module = cofl_module_load(why, why_bytes);
	if (module != NULL)
		file->joined = module->join(resolution, &file->n_bitcode,
					    file->addresses, why, why_bytes);
	if (file->joined != NULL)
		cof_hash(file->joined, file->n_bitcode, file->hash);
	file->bitcode = file->joined;
	return file->joined != NULL;
}

static bool join_records(struct cofl_bitcode_file *file,
			 const struct records *all, char *why,
			 size_t why_bytes)
{
	struct cofl_resolution resolution;
	bool joined = false;

	if (!all_whole(all)) {
		snprintf(why, why_bytes, COFL_RECORD_DAMAGED);
		return false;
	}
	if (!cofl_resolution_open(&resolution, file->bytes, file->n_bytes,
				  all->at, all->n, why, why_bytes))
		return false;
	if (file->addresses == NULL && *resolution.lacks != '\0')
		snprintf(why, why_bytes, "%s", resolution.lacks);
	else
		joined = join(file, &resolution, why, why_bytes);
	cofl_resolution_close(&resolution);
	return joined;
}

static void say_reason(const struct cofl_bitcode_file *file, char *why,
		       size_t why_bytes)
{
	bool refused = file->no_bitcode.kind == COFL_RECORD_REFUSED;
	uint64_t n = file->no_bitcode.bytes;

	snprintf(why, why_bytes, "%s%.*s", refused ? "" :
		 "no bitcode in it: cof-cc left it out because of ",
		 n < 300 ? (int)n : 300, file->reason);
}

static bool take_records(struct cofl_bitcode_file *file, struct records *all,
			 char *why, size_t why_bytes)
{
	if (!read_records(file, all)) {
		snprintf(why, why_bytes, COFL_RECORD_DAMAGED);
		return false;
	}
	file->has_checksum = true;
	if (file->reason != NULL) {
		say_reason(file, why, why_bytes);
		return false;
	}
	if (all->is_joined && all->n_pieces == 0)
		return use_joined(file);
	return join_records(file, all, why, why_bytes);
}

static bool open_elf(struct cofl_bitcode_file *file, char *why,
		     size_t why_bytes)
{
	const Elf64_Ehdr *header = (const void *)file->bytes;
	Elf64_Shdr section;

	file->is_elf = true;
	if (header->e_type == ET_EXEC)
		file->fixed = header->e_entry;
	if (!cofl_section_find(file->bytes, file->n_bytes, COFL_SECTION_BITCODE,
			       &section) || section.sh_size == 0) {
		snprintf(why, why_bytes,
			 "no bitcode in it; compile it with cof-cc");
		return false;
	}
	file->is_executable = true;
	return take_records(file, &(struct records){
				    .at = file->bytes + section.sh_offset,
				    .n = section.sh_size },
			    why, why_bytes);
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

bool cofl_bitcode_file_link(struct cofl_bitcode_file *file, const char *path,
			    struct cofl_join_addresses *addresses, char *why,
			    size_t why_bytes)
{
	*file = (struct cofl_bitcode_file){ .addresses = addresses };
	if (!map_file(file, path)) {
		snprintf(why, why_bytes, "%s", strerror(errno));
		return false;
	}
	if (is_raw(file)) {
		file->bitcode = file->bytes;
		file->n_bitcode = file->n_bytes;
		cof_hash(file->bitcode, file->n_bitcode, file->hash);
		return true;
	}
	if (cofl_section_is_elf(file->bytes, file->n_bytes))
		return open_elf(file, why, why_bytes);
	snprintf(why, why_bytes, "not LLVM bitcode");
	return false;
}

bool cofl_bitcode_file_open(struct cofl_bitcode_file *file, const char *path,
			    char *why, size_t why_bytes)
{
	return cofl_bitcode_file_link(file, path, NULL, why, why_bytes);
}
