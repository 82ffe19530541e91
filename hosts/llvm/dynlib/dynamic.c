/*
 * dynamic.c - read .dynamic and .dynsym; see dynamic.h
 */
#include "dynlib/dynamic.h"

#include <stdlib.h>
#include <string.h>

#include "support/section.h"
#include "support/xcalloc.h"

/* A table of fixed entries, and its strings. False: there is none. */
static bool find_table(const struct cofl_bitcode_file *file, const char *name,
		       Elf64_Shdr *table, Elf64_Shdr *strings)
{
	return cofl_section_find(file->bytes, file->n_bytes, name, table) &&
	       cofl_section_header(file->bytes, file->n_bytes, table->sh_link,
				   strings);
}

static void read_libraries(struct cofl_dynamic *dynamic,
			   const struct cofl_bitcode_file *file)
{
	Elf64_Shdr table, strings;
	Elf64_Dyn d;
	size_t n;

	if (!find_table(file, ".dynamic", &table, &strings))
		return;
	n = table.sh_size / sizeof(d);
	dynamic->needed = cofl_xcalloc(n, sizeof(*dynamic->needed));
	for (size_t i = 0; i < n; i++) {
		const char *s;

		memcpy(&d, file->bytes + table.sh_offset + i * sizeof(d),
		       sizeof(d));
		s = cofl_section_string(file->bytes, &strings, d.d_un.d_val);
		if (d.d_tag == DT_NEEDED) {
			dynamic->needed[dynamic->n_needed++] = s;
		} else if (d.d_tag == DT_RUNPATH ||
			   (d.d_tag == DT_RPATH && dynamic->dirs == NULL)) {
			dynamic->dirs = s;
			dynamic->dirs_tag = d.d_tag;
		}
	}
}

static bool is_exported(const Elf64_Sym *s)
{
	unsigned bind = ELF64_ST_BIND(s->st_info);
	unsigned type = ELF64_ST_TYPE(s->st_info);
	unsigned seen = ELF64_ST_VISIBILITY(s->st_other);

	return s->st_shndx != SHN_UNDEF && bind != STB_LOCAL &&
	       (seen == STV_DEFAULT || seen == STV_PROTECTED) &&
	       (type == STT_NOTYPE || type == STT_OBJECT || type == STT_FUNC ||
		type == STT_GNU_IFUNC || type == STT_TLS);
}

static void read_names(struct cofl_dynamic *dynamic,
		       const struct cofl_bitcode_file *file)
{
	Elf64_Shdr table, strings;
	Elf64_Sym s;
	size_t n;

	if (!find_table(file, ".dynsym", &table, &strings))
		return;
	n = table.sh_size / sizeof(s);
	dynamic->exported = cofl_xcalloc(n, sizeof(*dynamic->exported));
	for (size_t i = 1; i < n; i++) {
		memcpy(&s, file->bytes + table.sh_offset + i * sizeof(s),
		       sizeof(s));
		if (!is_exported(&s))
			continue;
		dynamic->exported[dynamic->n_exported++] =
			(struct cofl_dynamic_name){
				.symbol = s,
				.name = cofl_section_string(
					file->bytes, &strings, s.st_name),
			};
	}
}

void cofl_dynamic_read(struct cofl_dynamic *dynamic,
		       const struct cofl_bitcode_file *file)
{
	*dynamic = (struct cofl_dynamic){ 0 };
	if (!file->is_elf)
		return;
	read_libraries(dynamic, file);
	read_names(dynamic, file);
}

void cofl_dynamic_free(struct cofl_dynamic *dynamic)
{
	free(dynamic->needed);
	free(dynamic->exported);
	*dynamic = (struct cofl_dynamic){ 0 };
}
