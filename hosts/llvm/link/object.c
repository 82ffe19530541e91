/*
 * object.c - find the tables of an object file; see object.h
 */
#include "link/object.h"

#include <string.h>

static bool inside(size_t n, uint64_t offset, uint64_t bytes)
{
	return offset <= n && bytes <= n - offset;
}

bool cofl_object_open(struct cofl_object *o, const void *bytes, size_t n)
{
	const Elf64_Ehdr *h = bytes;
	uint32_t names;

	*o = (struct cofl_object){ .bytes = bytes };
	if (n < sizeof(*h) || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 ||
	    h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_type != ET_REL ||
	    h->e_machine != EM_X86_64)
		return false;
	if (!inside(n, h->e_shoff, sizeof(Elf64_Shdr)))
		return false;
	o->section = (const void *)(o->bytes + h->e_shoff);
	/* The first header has the count if it is more than 65279. */
	o->n_sections = h->e_shnum ? h->e_shnum :
				     (uint32_t)o->section[0].sh_size;
	if (!inside(n, h->e_shoff,
		    (uint64_t)o->n_sections * sizeof(Elf64_Shdr)))
		return false;
	names = h->e_shstrndx == SHN_XINDEX ? o->section[0].sh_link :
					      h->e_shstrndx;
	o->section_names = o->bytes + o->section[names].sh_offset;
	for (uint32_t i = 1; i < o->n_sections; i++) {
		const Elf64_Shdr *s = &o->section[i];

		if (s->sh_type != SHT_NOBITS &&
		    !inside(n, s->sh_offset, s->sh_size))
			return false;
		if (s->sh_type == SHT_SYMTAB) {
			o->symbol = (const void *)(o->bytes + s->sh_offset);
			o->n_symbols = (uint32_t)(s->sh_size /
						  sizeof(Elf64_Sym));
			o->symbol_names = o->bytes +
					  o->section[s->sh_link].sh_offset;
		}
	}
	return o->symbol != NULL;
}
