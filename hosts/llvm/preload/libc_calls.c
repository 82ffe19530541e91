/*
 * libc_calls.c - see libc_calls.h
 *
 * The calls go through the words of the table that DT_JMPREL describes (System
 * V ABI, x86-64, 5.2). They are bound at the start (-z now), and then the table
 * is read-only (PT_GNU_RELRO).
 */
#include "preload/libc_calls.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/units.h"
#include "preload/next.h"

/* At address 0 of the file. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

/* Addresses are those in memory: the dynamic linker changed them. */
static uintptr_t entry(ElfW(Sxword) tag)
{
	for (const ElfW(Dyn) *d = _DYNAMIC; d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag)
			return d->d_un.d_ptr;
	return 0;
}

static uintptr_t base(void)
{
	return (uintptr_t)&__ehdr_start;
}

/* The pages that the dynamic linker has made read-only, if there are any. */
static bool protect(int access)
{
	const ElfW(Phdr) *p = (const void *)(base() + __ehdr_start.e_phoff);
	uintptr_t from, to;

	for (size_t i = 0; i < __ehdr_start.e_phnum; i++) {
		if (p[i].p_type != PT_GNU_RELRO)
			continue;
		from = base() + p[i].p_vaddr;
		to = from + p[i].p_memsz;
		from -= from % COF_PAGE_BYTES;
		to -= to % COF_PAGE_BYTES;
		return next.mprotect((void *)from, to - from, access) == 0;
	}
	return true;
}

void libc_calls_bind(void)
{
	const ElfW(Rela) *r = (const void *)entry(DT_JMPREL);
	const ElfW(Rela) *end = r + entry(DT_PLTRELSZ) / sizeof(*r);
	const ElfW(Sym) *symbol = (const void *)entry(DT_SYMTAB);
	const char *name = (const char *)entry(DT_STRTAB);

	if (r == NULL || !protect(PROT_READ | PROT_WRITE))
		return;
	for (; r < end; r++) {
		const ElfW(Sym) *s = &symbol[ELF64_R_SYM(r->r_info)];
		void *libcs = s->st_shndx == SHN_UNDEF ?
			     dlsym(RTLD_NEXT, name + s->st_name) : NULL;

		if (libcs != NULL)
			*(void **)(base() + r->r_offset) = libcs;
	}
	protect(PROT_READ);
}
