/*
 * section.c - headers and strings, bounds checked; see section.h
 */
#include "support/section.h"

#include <string.h>

static bool inside(size_t n_bytes, uint64_t offset, uint64_t n)
{
	return offset <= n_bytes && n <= n_bytes - offset;
}

bool cofl_section_is_elf(const char *bytes, size_t n_bytes)
{
	const Elf64_Ehdr *h = (const void *)bytes;

	return n_bytes >= sizeof(*h) &&
	       memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 &&
	       h->e_ident[EI_CLASS] == ELFCLASS64 &&
	       h->e_machine == EM_X86_64 &&
	       (h->e_type == ET_EXEC || h->e_type == ET_DYN);
}

bool cofl_section_header(const char *bytes, size_t n_bytes, uint32_t i,
			 Elf64_Shdr *out)
{
	const Elf64_Ehdr *h = (const void *)bytes;
	uint64_t at = h->e_shoff + (uint64_t)i * sizeof(*out);

	if (i >= h->e_shnum || at < h->e_shoff ||
	    !inside(n_bytes, at, sizeof(*out)))
		return false;
	memcpy(out, bytes + at, sizeof(*out));
	return out->sh_type == SHT_NOBITS ||
	       inside(n_bytes, out->sh_offset, out->sh_size);
}

const char *cofl_section_string(const char *bytes, const Elf64_Shdr *table,
				uint64_t at)
{
	const char *s = bytes + table->sh_offset + at;

	if (at >= table->sh_size || table->sh_type == SHT_NOBITS ||
	    memchr(s, '\0', table->sh_size - at) == NULL)
		return "";
	return s;
}

bool cofl_section_find(const char *bytes, size_t n_bytes, const char *name,
		       Elf64_Shdr *out)
{
	const Elf64_Ehdr *h = (const void *)bytes;
	Elf64_Shdr names;

	if (!cofl_section_header(bytes, n_bytes, h->e_shstrndx, &names))
		return false;
	for (uint32_t i = 1; i < h->e_shnum; i++)
		if (cofl_section_header(bytes, n_bytes, i, out) &&
		    out->sh_type != SHT_NOBITS &&
		    strcmp(cofl_section_string(bytes, &names, out->sh_name),
			   name) == 0)
			return true;
	return false;
}
