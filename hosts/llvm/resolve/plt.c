/*
 * plt.c - see plt.h
 *
 * An entry jumps through a word that a relocation fills in: "jmp *word(%rip)",
 * maybe behind an endbr64 or a bnd prefix.
 */
#include "resolve/plt.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "support/section.h"

static bool is_plt(const char *name)
{
	return strncmp(name, ".plt", 4) == 0;
}

/* The section of the PLT that has the address. */
static bool find_plt(const char *bytes, size_t n_bytes, uint64_t address,
		     Elf64_Shdr *s)
{
	const Elf64_Ehdr *h = (const void *)bytes;
	Elf64_Shdr names;

	if (!cofl_section_header(bytes, n_bytes, h->e_shstrndx, &names))
		return false;
	for (uint32_t i = 1; i < h->e_shnum; i++)
		if (cofl_section_header(bytes, n_bytes, i, s) &&
		    s->sh_type == SHT_PROGBITS && address >= s->sh_addr &&
		    address - s->sh_addr < s->sh_size &&
		    is_plt(cofl_section_string(bytes, &names, s->sh_name)))
			return true;
	return false;
}

/* The address of the word that the entry jumps through; 0: it is no entry. */
static uint64_t word_of(const char *bytes, const Elf64_Shdr *plt,
			uint64_t address)
{
	static const unsigned char endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	uint64_t at = address - plt->sh_addr;
	const unsigned char *code = (const void *)(bytes + plt->sh_offset);
	int32_t distance;

	if (at + sizeof(endbr) <= plt->sh_size &&
	    memcmp(code + at, endbr, sizeof(endbr)) == 0)
		at += sizeof(endbr);
	if (at < plt->sh_size && code[at] == 0xf2)
		at++;
	if (at + 6 > plt->sh_size || code[at] != 0xff || code[at + 1] != 0x25)
		return 0;
	memcpy(&distance, code + at + 2, sizeof(distance));
	return plt->sh_addr + at + 6 + (uint64_t)(int64_t)distance;
}

static const char *name_of_word(const char *bytes, size_t n_bytes,
				const char *section, uint64_t word)
{
	Elf64_Shdr table, symbols, strings;
	Elf64_Rela r;
	Elf64_Sym s;

	if (!cofl_section_find(bytes, n_bytes, section, &table) ||
	    !cofl_section_find(bytes, n_bytes, ".dynsym", &symbols) ||
	    !cofl_section_header(bytes, n_bytes, symbols.sh_link, &strings))
		return NULL;
	for (uint64_t at = 0; at + sizeof(r) <= table.sh_size;
	     at += sizeof(r)) {
		uint64_t i;

		memcpy(&r, bytes + table.sh_offset + at, sizeof(r));
		i = ELF64_R_SYM(r.r_info);
		if (r.r_offset != word || i == 0 ||
		    (i + 1) * sizeof(s) > symbols.sh_size)
			continue;
		memcpy(&s, bytes + symbols.sh_offset + i * sizeof(s),
		       sizeof(s));
		return cofl_section_string(bytes, &strings, s.st_name);
	}
	return NULL;
}

const char *cofl_plt_name(const char *bytes, size_t n_bytes, uint64_t address)
{
	Elf64_Shdr plt;
	const char *name;
	uint64_t word;

	if (!find_plt(bytes, n_bytes, address, &plt))
		return NULL;
	word = word_of(bytes, &plt, address);
	name = name_of_word(bytes, n_bytes, ".rela.plt", word);
	return name != NULL ? name :
	       name_of_word(bytes, n_bytes, ".rela.dyn", word);
}
