/*
 * libc_calls.c - see libc_calls.h
 *
 * Words with addresses of functions are described by DT_JMPREL and DT_RELA
 * (System V ABI, x86-64, 5.2). They are bound at the start (-z now), and then
 * most are read-only (PT_GNU_RELRO). Versions of names: DT_VERSYM and
 * DT_VERNEED (Linux Standard Base, Symbol Versioning).
 */
#include "preload/libc_calls.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/units.h"
#include "preload/rtld_next.h"

#define HIDDEN 0x8000u	/* a bit of DT_VERSYM's */

/* At address 0 of the file. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static uintptr_t base(void)
{
	return (uintptr_t)&__ehdr_start;
}

static uintptr_t value(ElfW(Sxword) tag)
{
	for (const ElfW(Dyn) *d = _DYNAMIC; d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag)
			return d->d_un.d_val;
	return 0;
}

/* The dynamic linker has changed some of them to addresses in memory, and left
 * others as they are in the file. */
static const void *table(ElfW(Sxword) tag)
{
	uintptr_t at = value(tag);

	if (at != 0 && at < base())
		at += base();
	return (const void *)at;
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
		return rtld_next.mprotect((void *)from, to - from, access) == 0;
	}
	return true;
}

/* The version that the library was linked with; NULL: it needs none. */
static const char *version_of(uint32_t symbol)
{
	const ElfW(Versym) *number = table(DT_VERSYM);
	const char *need = table(DT_VERNEED);

	while (number != NULL && need != NULL) {
		const ElfW(Verneed) *n = (const void *)need;
		const char *at = need + n->vn_aux;

		for (uint32_t i = 0; i < n->vn_cnt; i++) {
			const ElfW(Vernaux) *aux = (const void *)at;

			if (aux->vna_other == (number[symbol] & ~HIDDEN))
				return (const char *)table(DT_STRTAB) +
				       aux->vna_name;
			at += aux->vna_next;
		}
		need = n->vn_next != 0 ? need + n->vn_next : NULL;
	}
	return NULL;
}

static void bind_one(const ElfW(Rela) *r)
{
	uint32_t type = ELF64_R_TYPE(r->r_info), n = ELF64_R_SYM(r->r_info);
	const ElfW(Sym) *s = (const ElfW(Sym) *)table(DT_SYMTAB) + n;
	const char *name = (const char *)table(DT_STRTAB) + s->st_name;
	const char *version;
	char *libcs;

	if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT &&
	     type != R_X86_64_64) || s->st_shndx != SHN_UNDEF ||
	    ELF64_ST_TYPE(s->st_info) != STT_FUNC ||
	    ELF64_ST_BIND(s->st_info) == STB_WEAK)
		return;
	version = version_of(n);
	libcs = version != NULL ? dlvsym(RTLD_NEXT, name, version) :
				  dlsym(RTLD_NEXT, name);
	if (libcs != NULL)
		*(char **)(base() + r->r_offset) =
			libcs + (type == R_X86_64_64 ? r->r_addend : 0);
}

static void bind_all(const ElfW(Rela) *r, size_t bytes)
{
	for (size_t i = 0; r != NULL && i < bytes / sizeof(*r); i++)
		bind_one(&r[i]);
}

void libc_calls_bind(void)
{
	if (!protect(PROT_READ | PROT_WRITE))
		return;
	bind_all(table(DT_RELA), value(DT_RELASZ));
	bind_all(table(DT_JMPREL), value(DT_PLTRELSZ));
	protect(PROT_READ);
}
