/*
 * executable.c - see executable.h
 */
#include "native/executable.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/linked_tail.h"
#include "support/section.h"

/* Not by its path: that file may be another one by now. */
static bool map_file(struct cofl_executable *e)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;
	struct cofl_linked_tail tail;
	void *p = MAP_FAILED;

	if (fd >= 0 && cofl_linked_tail_read(&tail, fd)) {
		e->is_linked = true;
		memcpy(e->identity, tail.file, sizeof(e->identity));
	}
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0) {
		e->n_bytes = (size_t)st.st_size;
		/* A probe on the program (uprobe) changes private mappings.
		 * Some file systems have no others. */
		p = mmap(NULL, e->n_bytes, PROT_READ, MAP_SHARED, fd, 0);
		if (p == MAP_FAILED)
			p = mmap(NULL, e->n_bytes, PROT_READ, MAP_PRIVATE, fd,
				 0);
	}
	if (fd >= 0)
		close(fd);
	e->bytes = p;
	return p != MAP_FAILED;
}

static bool read_records(struct cofl_executable *e)
{
	Elf64_Shdr section;
	struct cofl_record r;
	const char *at, *bytes;
	size_t left;

	if (!cofl_section_is_elf(e->bytes, e->n_bytes) ||
	    !cofl_section_find(e->bytes, e->n_bytes, COFL_SECTION_BITCODE,
			       &section))
		return false;
	at = e->bytes + section.sh_offset;
	left = section.sh_size;
	while (cofl_record_next(&r, &bytes, &at, &left)) {
		if (r.kind == COFL_RECORD_JOINED) {
			e->bitcode = bytes;
			e->n_bitcode = r.bytes;
			memcpy(e->hash, r.hash, sizeof(e->hash));
		} else if (r.kind == COFL_RECORD_ADDRESSES &&
			   (!cofl_record_is_whole(&r, bytes) ||
			    !cofl_addresses_open(&e->head, &e->entry,
						 &e->names, bytes, r.bytes))) {
			return false;
		} else if (r.kind == COFL_RECORD_POINTS &&
			   (!cofl_record_is_whole(&r, bytes) ||
			    !cofl_native_points_open(&e->point, &e->n_points,
						     bytes, r.bytes))) {
			return false;
		}
	}
	return left == 0 && e->bitcode != NULL && e->head != NULL;
}

/*
 * The kernel says where the program headers are. Thread-local variables of the
 * executable end at the thread pointer (variant II in Drepper, "ELF Handling
 * For Thread-Local Storage").
 */
static bool read_place(struct cofl_executable *e)
{
	const Elf64_Phdr *p = (const void *)getauxval(AT_PHDR);
	unsigned long n = getauxval(AT_PHNUM);
	bool known = false;

	for (unsigned long i = 0; p != NULL && i < n; i++) {
		uint64_t align = p[i].p_align != 0 ? p[i].p_align : 1;

		if (p[i].p_type == PT_PHDR) {
			e->bias = (uintptr_t)p - p[i].p_vaddr;
			known = true;
		} else if (p[i].p_type == PT_TLS) {
			e->tls = -(intptr_t)((p[i].p_memsz + align - 1) &
					     ~(align - 1));
		}
	}
	return known;
}

/* From the first to the last segment that has all of `flags`. */
static void read_extent(uintptr_t *at, size_t *n, uintptr_t bias,
			uint32_t flags)
{
	const Elf64_Phdr *p = (const void *)getauxval(AT_PHDR);
	uintptr_t from = UINTPTR_MAX, to = 0;

	for (unsigned long i = 0; i < getauxval(AT_PHNUM); i++) {
		uintptr_t lo = bias + p[i].p_vaddr, hi = lo + p[i].p_memsz;

		if (p[i].p_type != PT_LOAD || (p[i].p_flags & flags) != flags)
			continue;
		from = lo < from ? lo : from;
		to = hi > to ? hi : to;
	}
	*at = from < to ? from : 0;
	*n = from < to ? to - from : 0;
}

bool cofl_executable_open(struct cofl_executable *e, char *why,
			  size_t why_bytes)
{
	*e = (struct cofl_executable){ .bytes = NULL };
	if (!map_file(e)) {
		snprintf(why, why_bytes, "its file cannot be read: %s",
			 strerror(errno));
		return false;
	}
	if (!read_records(e) || !read_place(e)) {
		snprintf(why, why_bytes, "no bitcode with addresses in it");
		munmap((void *)(uintptr_t)e->bytes, e->n_bytes);
		return false;
	}
	if (!e->is_linked)
		memcpy(e->identity, e->hash, sizeof(e->identity));
	read_extent(&e->image, &e->n_image, e->bias, 0);
	read_extent(&e->text, &e->n_text, e->bias, PF_X);
	return true;
}

uintptr_t cofl_executable_address(const struct cofl_executable *e, uint32_t i)
{
	const struct cofl_address *a = &e->entry[i];

	return a->address + (a->flags & COFL_ADDRESS_ABSOLUTE ? 0 : e->bias);
}
