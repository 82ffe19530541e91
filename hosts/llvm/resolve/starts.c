/*
 * starts.c - .init_array and its kin; see starts.h
 */
#include "resolve/starts.h"

#include <elf.h>
#include <string.h>

#include "support/section.h"

/* The word at an address: what a relocation puts there, or else what is in the
 * file, which is right in executables at fixed addresses and for relocations in
 * short form. */
static uint64_t word_at(const char *bytes, size_t n_bytes,
			const Elf64_Shdr *section, uint64_t at)
{
	uint64_t address = section->sh_addr + at, word;
	Elf64_Shdr table, names;
	Elf64_Rela r;
	Elf64_Sym s;

	memcpy(&word, bytes + section->sh_offset + at, sizeof(word));
	if (!cofl_section_find(bytes, n_bytes, ".rela.dyn", &table))
		return word;
	for (uint64_t i = 0; i + sizeof(r) <= table.sh_size; i += sizeof(r)) {
		memcpy(&r, bytes + table.sh_offset + i, sizeof(r));
		if (r.r_offset != address)
			continue;
		if (ELF64_R_TYPE(r.r_info) == R_X86_64_RELATIVE)
			return (uint64_t)r.r_addend;
		if (ELF64_R_TYPE(r.r_info) == R_X86_64_64 &&
		    cofl_section_find(bytes, n_bytes, ".dynsym", &names) &&
		    (ELF64_R_SYM(r.r_info) + 1) * sizeof(s) <= names.sh_size) {
			memcpy(&s, bytes + names.sh_offset +
			       ELF64_R_SYM(r.r_info) * sizeof(s), sizeof(s));
			return s.st_value + (uint64_t)r.r_addend;
		}
	}
	return word;
}

bool cofl_starts_each(const char *bytes, size_t n_bytes, cofl_starts_fn *fn,
		      void *arg)
{
	static const char *const lists[] = { ".preinit_array", ".init_array",
					     ".fini_array", ".ctors",
					     ".dtors" };

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		Elf64_Shdr section;

		if (!cofl_section_find(bytes, n_bytes, lists[i], &section))
			continue;
		for (uint64_t at = 0; at + 8 <= section.sh_size; at += 8) {
			uint64_t word = word_at(bytes, n_bytes, &section, at);

			/* Old lists have bounds, of these values. */
			if (word != 0 && word != UINT64_MAX && !fn(arg, word))
				return false;
		}
	}
	return true;
}

uint64_t cofl_starts_dynamic(const char *bytes, size_t n_bytes, int64_t tag)
{
	Elf64_Shdr section;
	Elf64_Dyn d;

	if (!cofl_section_find(bytes, n_bytes, ".dynamic", &section))
		return 0;
	for (uint64_t at = 0; at + sizeof(d) <= section.sh_size;
	     at += sizeof(d)) {
		memcpy(&d, bytes + section.sh_offset + at, sizeof(d));
		if (d.d_tag == tag)
			return d.d_un.d_ptr;
	}
	return 0;
}

uint64_t cofl_starts_entry(const char *bytes)
{
	Elf64_Ehdr h;

	memcpy(&h, bytes, sizeof(h));
	return h.e_entry;
}
