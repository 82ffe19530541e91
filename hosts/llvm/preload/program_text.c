/*
 * program_text.c - from the program headers that the kernel shows; see
 * program_text.h
 */
#include "preload/program_text.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <sys/auxv.h>

/* From the first executable segment; from the first constants. */
static uintptr_t from, to, constants_from, constants_to;

static bool has_constants(const ElfW(Phdr) *p)
{
	return p->p_type == PT_GNU_RELRO ||
	       (p->p_type == PT_LOAD && !(p->p_flags & (PF_X | PF_W)));
}

void program_text_init(void)
{
	const ElfW(Phdr) *p = (const void *)getauxval(AT_PHDR);
	size_t n = getauxval(AT_PHNUM);
	uintptr_t base = 0;

	for (size_t i = 0; i < n; i++)
		if (p[i].p_type == PT_PHDR)
			base = (uintptr_t)p - p[i].p_vaddr;
	from = constants_from = UINTPTR_MAX;
	for (size_t i = 0; i < n; i++) {
		uintptr_t lo = base + p[i].p_vaddr, hi = lo + p[i].p_memsz;

		if (has_constants(&p[i])) {
			constants_from = lo < constants_from ? lo :
							       constants_from;
			constants_to = hi > constants_to ? hi : constants_to;
		}
		if (p[i].p_type != PT_LOAD || !(p[i].p_flags & PF_X))
			continue;
		from = lo < from ? lo : from;
		to = hi > to ? hi : to;
	}
}

bool program_text_holds(uintptr_t pc)
{
	return pc >= from && pc < to;
}

bool program_text_meets(uintptr_t lo, uintptr_t hi)
{
	return lo < to && hi > from;
}

bool program_text_meets_constants(uintptr_t lo, uintptr_t hi)
{
	return lo < constants_to && hi > constants_from;
}
