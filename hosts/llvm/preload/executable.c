/*
 * executable.c - headers and records of an ELF file; see executable.h
 *
 * The dynamic linker ignores LD_PRELOAD in a process whose rights are more than
 * its user's.
 */
#include "preload/executable.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "support/record.h"
#include "support/section.h"

/* The path that its program headers name; NULL: none, it is static. */
static const char *interpreter(const char *bytes, size_t n)
{
	const Elf64_Ehdr *h = (const void *)bytes;

	for (unsigned i = 0; i < h->e_phnum; i++) {
		uint64_t at = h->e_phoff + (uint64_t)i * sizeof(Elf64_Phdr);
		Elf64_Phdr p;

		if (at < h->e_phoff || at > n || n - at < sizeof(p))
			return NULL;
		memcpy(&p, bytes + at, sizeof(p));
		if (p.p_type == PT_INTERP && p.p_offset <= n &&
		    p.p_filesz <= n - p.p_offset &&
		    memchr(bytes + p.p_offset, '\0', p.p_filesz) != NULL)
			return bytes + p.p_offset;
	}
	return NULL;
}

static bool is_glibcs(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strcmp(slash != NULL ? slash + 1 : path,
		      "ld-linux-x86-64.so.2") == 0;
}

/* Why its bitcode is of no use; NULL: it is. */
static const char *judge_bitcode(const char *bytes, size_t n)
{
	const char *at, *record;
	struct cofl_record r;
	Elf64_Shdr section;
	size_t left;

	if (!cofl_section_find(bytes, n, COFL_SECTION_BITCODE, &section))
		return "it has no bitcode";
	at = bytes + section.sh_offset;
	left = section.sh_size;
	while (cofl_record_next(&r, &record, &at, &left))
		if (r.kind == COFL_RECORD_ADDRESSES)
			return NULL;
	return left != 0 ? COFL_RECORD_DAMAGED :
			   "its bitcode does not know its addresses";
}

static const char *judge(const char *bytes, size_t n)
{
	const char *path;

	if (!cofl_section_is_elf(bytes, n))
		return "it is no executable for this machine";
	path = interpreter(bytes, n);
	if (path == NULL)
		return "it is linked statically";
	if (!is_glibcs(path))
		return "its C library is not glibc";
	return judge_bitcode(bytes, n);
}

static const char *judge_rights(int fd, const struct stat *st)
{
	if (st->st_mode & (S_ISUID | S_ISGID))
		return "it runs with the rights of its owner";
	return fgetxattr(fd, "security.capability", NULL, 0) > 0 ?
	       "it runs with capabilities of its own" : NULL;
}

bool executable_has_addresses(const char *path, char *why, size_t why_bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const char *refused = "";
	struct stat st;
	void *bytes;

	*why = '\0';
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
		refused = judge_rights(fd, &st);
		bytes = refused == NULL ? mmap(NULL, (size_t)st.st_size,
			PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
		if (bytes != MAP_FAILED) {
			refused = judge(bytes, (size_t)st.st_size);
			munmap(bytes, (size_t)st.st_size);
		}
	}
	close(fd);
	if (refused != NULL)
		snprintf(why, why_bytes, "%s", refused);
	return refused == NULL;
}
