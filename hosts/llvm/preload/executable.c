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

/* What a file says goes to a terminal. */
static void make_printable(char *text)
{
	for (; *text != '\0'; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

/* `why`: its bitcode is of no use; "": it is. */
static void check_bitcode(const char *bytes, size_t n, char *why,
			  size_t why_bytes)
{
	const char *at, *record;
	struct cofl_record r;
	Elf64_Shdr section;
	size_t left;

	snprintf(why, why_bytes, "it has no bitcode; compile it with cof-cc");
	if (!cofl_section_find(bytes, n, COFL_SECTION_BITCODE, &section))
		return;
	at = bytes + section.sh_offset;
	left = section.sh_size;
	snprintf(why, why_bytes, "its bitcode does not know its addresses");
	while (cofl_record_next(&r, &record, &at, &left)) {
		if (r.kind == COFL_RECORD_ADDRESSES) {
			*why = '\0';
			return;
		}
		if (r.kind == COFL_RECORD_LEFT_OUT)
			snprintf(why, why_bytes, "it has no bitcode: cof-cc "
				 "left it out because of %.*s", (int)r.bytes,
				 record);
		else if (r.kind == COFL_RECORD_REFUSED)
			snprintf(why, why_bytes, "%.*s", (int)r.bytes, record);
	}
	if (left != 0)
		snprintf(why, why_bytes, COFL_RECORD_DAMAGED);
	make_printable(why);
}

/* Why no library is loaded into a file that is not an executable for x86-64;
 * "": execve(2) will refuse it. */
static const char *check_other(const char *bytes, size_t n)
{
	const Elf32_Ehdr *h = (const void *)bytes;

	if (n >= 2 && memcmp(bytes, "#!", 2) == 0)
		return "it is a script";
	return n >= sizeof(*h) && memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 &&
	       h->e_ident[EI_CLASS] == ELFCLASS32 && h->e_machine == EM_386 ?
	       "it is a program of 32 bits" : "";
}

/* False: `why` has the reason. */
static bool check_bytes(const char *bytes, size_t n, char *why,
			size_t why_bytes)
{
	const char *path, *refused = NULL;

	if (!cofl_section_is_elf(bytes, n)) {
		snprintf(why, why_bytes, "%s", check_other(bytes, n));
		return false;
	}
	path = interpreter(bytes, n);
	if (path == NULL)
		refused = "it is linked statically";
	else if (!is_glibcs(path))
		refused = "its C library is not glibc";
	if (refused != NULL)
		snprintf(why, why_bytes, "%s", refused);
	else
		check_bitcode(bytes, n, why, why_bytes);
	return *why == '\0';
}

static const char *check_rights(int fd, const struct stat *st)
{
	if (st->st_mode & (S_ISUID | S_ISGID))
		return "it runs with the rights of its owner";
	return fgetxattr(fd, "security.capability", NULL, 0) > 0 ?
	       "it runs with capabilities of its own" : NULL;
}

/* The same, of an open file. */
static bool check_file(int fd, char *why, size_t why_bytes)
{
	const char *refused;
	struct stat st;
	void *bytes;
	bool has;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
		return false;
	refused = check_rights(fd, &st);
	if (refused != NULL) {
		snprintf(why, why_bytes, "%s", refused);
		return false;
	}
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return false;
	has = check_bytes(bytes, (size_t)st.st_size, why, why_bytes);
	munmap(bytes, (size_t)st.st_size);
	return has;
}

bool executable_has_addresses(const char *path, char *why, size_t why_bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool has;

	*why = '\0';
	if (fd < 0)
		return false;
	has = check_file(fd, why, why_bytes);
	close(fd);
	return has;
}
