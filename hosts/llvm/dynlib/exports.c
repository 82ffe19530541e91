/*
 * exports.c - thread-local variables, symbols and bounds of sections; see
 * exports.h
 */
#include "dynlib/exports.h"

#include <stdio.h>
#include <stdlib.h>

#include "link/layout.h"
#include "support/fatal.h"
#include "support/xcalloc.h"

char *cofl_exports_tls(struct cofl_section_placement *place, size_t *bytes,
		       size_t *size, size_t *align)
{
	const struct cofl_object *o = place->object;
	uint64_t at = 0;
	char *image = NULL;

	*align = 1;
	for (int pass = 0; pass < 2; pass++) {	/* measure, place */
		at = 0;
		*bytes = 0;
		for (int zero = 0; zero < 2; zero++) {
			for (uint32_t i = 1; i < o->n_sections; i++) {
				const Elf64_Shdr *s = &o->section[i];

				if (!(s->sh_flags & SHF_TLS) ||
				    zero != (s->sh_type == SHT_NOBITS))
					continue;
				at = cofl_section_placement_align(o, i, at);
				if (s->sh_addralign > *align)
					*align = s->sh_addralign;
				place->tls_offset[i] = at;
				if (image != NULL)
					cofl_section_placement_section(
						place, i, image + at,
						(uintptr_t)image + at);
				at += s->sh_size;
				if (!zero)
					*bytes = at;
			}
		}
		*size = at;
		if (pass == 0 && at != 0)
			image = cofl_xcalloc(at, 1);
	}
	return image;
}

static void define_tls(struct cofl_section_placement *place,
		       struct cofl_symbol *s, uint32_t section, uint64_t value)
{
	s->is_tls = true;
	s->tls = cof_data_alloc(place->host->cof, sizeof(*s->tls), 16);
	if (s->tls == NULL)
		cofl_fatal("code memory is full");
	*s->tls = (struct cofl_tls_index){
		.offset = place->tls_offset[section] + value };
}

static bool is_label(const struct cofl_object *o, uint32_t i)
{
	unsigned type = ELF64_ST_TYPE(o->symbol[i].st_info);

	return *cofl_object_symbol_name(o, i) != '\0' &&
	       (type == STT_NOTYPE || type == STT_FUNC || type == STT_OBJECT);
}

void cofl_exports_symbols(struct cofl_section_placement *place)
{
	const struct cofl_object *o = place->object;

	for (uint32_t i = 1; i < o->n_symbols; i++) {
		const Elf64_Sym *sym = &o->symbol[i];
		struct cofl_symbol *s;

		if (sym->st_shndx == SHN_UNDEF ||
		    sym->st_shndx >= SHN_LORESERVE)
			continue;
		/* Local symbols come from assembly; the file's other code uses
		 * them too. */
		if (ELF64_ST_BIND(sym->st_info) == STB_LOCAL &&
		    !is_label(o, i))
			continue;
		s = cofl_symbols_get(&place->host->symbols,
				cofl_object_symbol_name(o, i));
		if (s->method != NULL)
			continue;	/* its address is the stub */
		if (ELF64_ST_BIND(sym->st_info) == STB_LOCAL && s->address != 0)
			continue;
		if (ELF64_ST_TYPE(sym->st_info) == STT_TLS)
			define_tls(place, s, sym->st_shndx, sym->st_value);
		else if (place->run[sym->st_shndx] != 0)
			s->address = place->run[sym->st_shndx] + sym->st_value;
	}
}

void cofl_exports_bounds(struct cofl_section_placement *place)
{
	const struct cofl_object *o = place->object;

	for (uint32_t i = 1; i < o->n_sections; i++) {
		const char *name = cofl_object_section_name(o, i);
		struct cofl_symbol *start;
		char bound[256];

		if (place->run[i] == 0 || *name == '.' || *name == '\0')
			continue;
		snprintf(bound, sizeof(bound), "__start_%s", name);
		start = cofl_symbols_get(&place->host->symbols, bound);
		if (start->address == 0)	/* sections are in order */
			start->address = place->run[i];
		snprintf(bound, sizeof(bound), "__stop_%s", name);
		cofl_symbols_get(&place->host->symbols, bound)->address =
			place->run[i] + o->section[i].sh_size;
	}
}

/* -- end(3) ---------------------------------------------------------------- */

struct span {
	uintptr_t from, to;	/* both 0: nothing */
};

static void widen(struct span *s, const struct cofl_section_placement *place,
		  uint32_t i)
{
	uintptr_t from = place->run[i];
	uintptr_t to = from + place->object->section[i].sh_size;

	if (s->to == 0 || from < s->from)
		s->from = from;
	if (to > s->to)
		s->to = to;
}

/* A span that is nothing becomes empty, at `at`. */
static void place_empty(struct span *s, uintptr_t at)
{
	if (s->to == 0)
		s->from = s->to = at;
}

static void define_bounds(struct cofl_section_placement *place,
			  const struct span *constants,
			  const struct span *contents, const struct span *zeros)
{
	const struct { const char *name; uintptr_t is; } bound[] = {
		{ "etext", constants->from }, { "_etext", constants->from },
		{ "__etext", constants->from },
		{ "data_start", contents->from },
		{ "__data_start", contents->from },
		{ "edata", contents->to }, { "_edata", contents->to },
		{ "__bss_start", zeros->from },
		{ "end", zeros->to }, { "_end", zeros->to },
	};

	for (size_t i = 0; i < sizeof(bound) / sizeof(*bound); i++) {
		struct cofl_symbol *s = cofl_symbols_get(&place->host->symbols,
						    bound[i].name);

		if (s->address == 0 && s->method == NULL && s->tls == NULL)
			s->address = bound[i].is;
	}
}

void cofl_exports_ends(struct cofl_section_placement *place)
{
	const struct cofl_object *o = place->object;
	struct span constants = { 0 }, contents = { 0 }, zeros = { 0 };

	for (uint32_t i = 1; i < o->n_sections; i++) {
		if (place->run[i] == 0)
			continue;
		if (cofl_layout_read_only(o, i))
			widen(&constants, place, i);
		else if (!cofl_layout_writable(o, i))
			continue;
		else if (o->section[i].sh_type == SHT_NOBITS)
			widen(&zeros, place, i);
		else
			widen(&contents, place, i);
	}
	place_empty(&contents, constants.to != 0 ? constants.to : zeros.from);
	place_empty(&constants, contents.from);
	place_empty(&zeros, contents.to);
	define_bounds(place, &constants, &contents, &zeros);
}
