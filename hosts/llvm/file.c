/*
 * file.c - bitcode, raw or in an executable; libraries of an executable
 */
#include "file.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "module.h"

#define MAGIC         0xdec04342u	/* "BC", 0xc0de */
#define MAGIC_WRAPPED 0x0b17c0deu	/* what Darwin puts around it */

static uint32_t word_at(const char *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

/*
 * A bitcode file is a magic word and blocks. A block at the top begins with the
 * abbreviation ENTER_SUBBLOCK, 1 in two bits, and fills the word; the next word
 * is its length in words. (LLVM: Bitcode File Format.)
 */
size_t cofl_file_bitcode_bytes(const void *bytes, size_t n)
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

static bool is_raw(const struct cofl_file *file)
{
	return file->n_bytes >= 4 && (word_at(file->bytes) == MAGIC ||
				      word_at(file->bytes) == MAGIC_WRAPPED);
}

/* -- ELF -------------------------------------------------------------------- */

static bool inside(const struct cofl_file *file, uint64_t offset, uint64_t n)
{
	return offset <= file->n_bytes && n <= file->n_bytes - offset;
}

static bool is_elf(const struct cofl_file *file)
{
	const Elf64_Ehdr *h = (const void *)file->bytes;

	return file->n_bytes >= sizeof(*h) &&
	       memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 &&
	       h->e_ident[EI_CLASS] == ELFCLASS64 &&
	       h->e_machine == EM_X86_64 &&
	       (h->e_type == ET_EXEC || h->e_type == ET_DYN);
}

/* Copied, since tables may stand at any offset. */
static bool section_header(const struct cofl_file *file, uint32_t i,
			   Elf64_Shdr *out)
{
	const Elf64_Ehdr *h = (const void *)file->bytes;
	uint64_t at = h->e_shoff + (uint64_t)i * sizeof(*out);

	if (i >= h->e_shnum || at < h->e_shoff ||
	    !inside(file, at, sizeof(*out)))
		return false;
	memcpy(out, file->bytes + at, sizeof(*out));
	return out->sh_type == SHT_NOBITS ||
	       inside(file, out->sh_offset, out->sh_size);
}

/* A string of a table of strings; "": outside. */
static const char *string_at(const struct cofl_file *file,
			     const Elf64_Shdr *table, uint64_t at)
{
	const char *s = file->bytes + table->sh_offset + at;

	if (at >= table->sh_size ||
	    memchr(s, '\0', table->sh_size - at) == NULL)
		return "";
	return s;
}

static bool find_section(const struct cofl_file *file, const char *name,
			 Elf64_Shdr *out)
{
	const Elf64_Ehdr *h = (const void *)file->bytes;
	Elf64_Shdr names;

	if (!section_header(file, h->e_shstrndx, &names))
		return false;
	for (uint32_t i = 1; i < h->e_shnum; i++)
		if (section_header(file, i, out) &&
		    out->sh_type != SHT_NOBITS &&
		    strcmp(string_at(file, &names, out->sh_name), name) == 0)
			return true;
	return false;
}

/* One part is used as it is, but where LLVM can read it; several are joined. */
static bool take_parts(struct cofl_file *file, const char *p, size_t n,
		       char *why, size_t why_bytes)
{
	size_t first = cofl_file_bitcode_bytes(p, n);
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

static bool open_elf(struct cofl_file *file, char *why, size_t why_bytes)
{
	Elf64_Shdr section;

	file->is_elf = true;
	if (!find_section(file, ".cof.bc", &section) || section.sh_size == 0) {
		snprintf(why, why_bytes,
			 "no bitcode in it; compile it with cof-cc");
		return false;
	}
	return take_parts(file, file->bytes + section.sh_offset,
			  section.sh_size, why, why_bytes);
}

/* -- Files ------------------------------------------------------------------ */

static bool map_file(struct cofl_file *file, const char *path)
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

bool cofl_file_open(struct cofl_file *file, const char *path, char *why,
		    size_t why_bytes)
{
	*file = (struct cofl_file){ 0 };
	if (!map_file(file, path)) {
		snprintf(why, why_bytes, "%s", strerror(errno));
		return false;
	}
	if (is_raw(file)) {
		file->bitcode = file->bytes;
		file->n_bitcode = file->n_bytes;
		return true;
	}
	if (is_elf(file)) {
		if (open_elf(file, why, why_bytes))
			return true;
	} else {
		snprintf(why, why_bytes, "not LLVM bitcode");
	}
	cofl_file_close(file);
	return false;
}

void cofl_file_close(struct cofl_file *file)
{
	if (file->n_bytes != 0)
		munmap((void *)(uintptr_t)file->bytes, file->n_bytes);
	free(file->joined);
	*file = (struct cofl_file){ 0 };
}

/* -- Libraries -------------------------------------------------------------- */

/* Where DT_RUNPATH or DT_RPATH says, $ORIGIN in it being the file's folder; the
 * system's places come after it. */
static void *open_library(const char *name, const char *dirs, const char *origin)
{
	char path[PATH_MAX];

	while (*dirs != '\0' && strchr(name, '/') == NULL) {
		size_t n = strcspn(dirs, ":");
		size_t skip = strncmp(dirs, "$ORIGIN", 7) == 0 ? 7 :
			      strncmp(dirs, "${ORIGIN}", 9) == 0 ? 9 : 0;

		if (n >= skip &&
		    snprintf(path, sizeof(path), "%s%.*s/%s",
			     skip ? origin : "", (int)(n - skip), dirs + skip,
			     name) < (int)sizeof(path) &&
		    access(path, R_OK) == 0)
			return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
		dirs += n + (dirs[n] == ':');
	}
	return dlopen(name, RTLD_NOW | RTLD_GLOBAL);
}

bool cofl_file_libraries(const struct cofl_file *file, const char *path,
			 char *why, size_t why_bytes)
{
	const char *dirs = "";
	char origin[PATH_MAX];
	Elf64_Shdr dynamic, strings;
	Elf64_Dyn d;
	char *slash;

	if (!file->is_elf || !find_section(file, ".dynamic", &dynamic) ||
	    !section_header(file, dynamic.sh_link, &strings))
		return true;
	if (realpath(path, origin) == NULL)
		*origin = '\0';
	slash = strrchr(origin, '/');
	if (slash != NULL)
		*slash = '\0';
	for (int pass = 0; pass < 2; pass++) {
		for (uint64_t at = 0; at + sizeof(d) <= dynamic.sh_size;
		     at += sizeof(d)) {
			memcpy(&d, file->bytes + dynamic.sh_offset + at,
			       sizeof(d));
			if (pass == 0 && (d.d_tag == DT_RUNPATH ||
					  d.d_tag == DT_RPATH))
				dirs = string_at(file, &strings, d.d_un.d_val);
			if (pass == 0 || d.d_tag != DT_NEEDED ||
			    open_library(string_at(file, &strings, d.d_un.d_val),
					 dirs, origin) != NULL)
				continue;
			snprintf(why, why_bytes, "%s", dlerror());
			return false;
		}
	}
	return true;
}
