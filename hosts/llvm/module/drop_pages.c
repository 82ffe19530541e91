/*
 * drop_pages.c - see drop_pages.h
 *
 * /proc/self/pagemap says what a page is (the kernel's
 * Documentation/admin-guide/mm/pagemap.rst). Bit 63: it is present. Bit 61: it
 * is a page of a file, not a private copy of one.
 */
#include "module/drop_pages.h"

#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define PRESENT (UINT64_C(1) << 63)
#define OF_FILE (UINT64_C(1) << 61)
#define ENTRIES 512u

static size_t drop_run(uintptr_t start, uintptr_t end)
{
	if (start == end ||
	    madvise((void *)start, end - start, MADV_DONTNEED) != 0)
		return 0;
	return end - start;
}

/* The entries are those of the pages from `at` on. */
static size_t drop_pages(const uint64_t *entry, size_t n, uintptr_t at,
			 uintptr_t page)
{
	uintptr_t run = at;
	size_t dropped = 0;

	for (size_t i = 0; i < n; i++, at += page) {
		if ((entry[i] & (PRESENT | OF_FILE)) == (PRESENT | OF_FILE))
			continue;
		dropped += drop_run(run, at);
		run = at + page;
	}
	return dropped + drop_run(run, at);
}

static size_t drop(int pagemap, uintptr_t start, uintptr_t end)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uint64_t entry[ENTRIES];
	size_t dropped = 0;

	start -= start % page;
	while (start < end) {
		size_t n = (end - start + page - 1) / page;
		ssize_t got;

		if (n > ENTRIES)
			n = ENTRIES;
		got = pread(pagemap, entry, n * sizeof(*entry),
			    (off_t)(start / page * sizeof(*entry)));
		if (got < (ssize_t)sizeof(*entry))
			break;
		n = (size_t)got / sizeof(*entry);
		dropped += drop_pages(entry, n, start, page);
		start += n * page;
	}
	return dropped;
}

static size_t drop_range(const void *start, size_t bytes)
{
	int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	size_t dropped;

	if (pagemap < 0)
		return 0;
	dropped = drop(pagemap, (uintptr_t)start, (uintptr_t)start + bytes);
	close(pagemap);
	return dropped;
}

/* -- Objects --------------------------------------------------------------- */

struct search {
	uintptr_t inside;
	size_t    dropped;
};

static bool has(const struct dl_phdr_info *info, uintptr_t address)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD &&
		    address - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
			return true;
	}
	return false;
}

static int look(struct dl_phdr_info *info, size_t bytes, void *arg)
{
	struct search *s = arg;

	(void)bytes;
	if (!has(info, s->inside))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && !(p->p_flags & PF_W))
			s->dropped += drop_range(
				(void *)(info->dlpi_addr + p->p_vaddr),
				p->p_memsz);
	}
	return 1;
}

size_t cofl_drop_pages_object(const void *inside)
{
	struct search s = { .inside = (uintptr_t)inside };

	dl_iterate_phdr(look, &s);
	return s.dropped;
}
