/*
 * executable.c - see executable.h
 */
#include "executable.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hosts/llvm/support/record.h"
#include "hosts/llvm/support/section.h"

/* A program has an interpreter, or is linked statically and says that it is no
 * library. */
static void read_kind(struct executable *e, const char *bytes, size_t n)
{
	Elf64_Shdr section;
	Elf64_Ehdr head;
	Elf64_Dyn dyn;

	memcpy(&head, bytes, sizeof(head));
	e->is_static = !cofl_section_find(bytes, n, ".interp", &section);
	e->is_program = head.e_type == ET_EXEC || !e->is_static;
	if (e->is_program || !cofl_section_find(bytes, n, ".dynamic", &section))
		return;
	for (uint64_t at = 0; at + sizeof(dyn) <= section.sh_size;
	     at += sizeof(dyn)) {
		memcpy(&dyn, bytes + section.sh_offset + at, sizeof(dyn));
		if (dyn.d_tag == DT_FLAGS_1 && dyn.d_un.d_val & DF_1_PIE)
			e->is_program = true;
	}
}

static void read_records(struct executable *e, const char *bytes, size_t n)
{
	struct cofl_record r;
	Elf64_Shdr section;
	const char *at, *in;
	size_t left;

	e->has_section = cofl_section_find(bytes, n, COFL_SECTION_BITCODE,
					   &section);
	if (!e->has_section)
		return;
	at = bytes + section.sh_offset;
	left = section.sh_size;
	while (cofl_record_next(&r, &in, &at, &left))
		e->n_bitcode += r.kind == COFL_RECORD_BITCODE;
}

void executable_read(struct executable *e, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *p;
	size_t n;

	*e = (struct executable){ .n_bitcode = 0 };
	if (fd < 0)
		return;
	e->is_file = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	n = e->is_file ? (size_t)st.st_size : 0;
	p = n != 0 ? mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	close(fd);
	if (p == MAP_FAILED)
		return;
	if (cofl_section_is_elf(p, n)) {
		read_kind(e, p, n);
		read_records(e, p, n);
	}
	munmap(p, n);
}
