/*
 * layout.c - which sections belong together, and where each begins; see
 * layout.h
 */
#include "link/layout.h"

#include <stdio.h>
#include <string.h>

#include "base/align.h"
#include "base/units.h"

#define EH_END_BYTES 4u		/* of zeros, at the end of unwind tables */

static bool is_eh_frame(const struct cofl_object *o, uint32_t i)
{
	return strcmp(cofl_object_section_name(o, i), ".eh_frame") == 0;
}

uint64_t cofl_layout_eh_frame_bytes(const struct cofl_object *o)
{
	for (uint32_t i = 1; i < o->n_sections; i++)
		if (is_eh_frame(o, i))
			return o->section[i].sh_size;
	return 0;
}

/* Can the program refer to the section's begin and end (__start_NAME)? */
static bool is_named(const struct cofl_object *o, uint32_t i)
{
	const char *name = cofl_object_section_name(o, i);

	return *name != '.' && *name != '\0' &&
	       (o->section[i].sh_flags & SHF_ALLOC);
}

static bool same_name(const struct cofl_object *o, uint32_t i, uint32_t k)
{
	return strcmp(cofl_object_section_name(o, i),
		      cofl_object_section_name(o, k)) == 0;
}

/* -- Kinds ----------------------------------------------------------------- */

bool cofl_layout_code(const struct cofl_object *o, uint32_t i)
{
	const Elf64_Shdr *s = &o->section[i];

	return (s->sh_flags & SHF_ALLOC) && s->sh_size != 0 &&
	       !(s->sh_flags & SHF_TLS);
}

bool cofl_layout_text(const struct cofl_object *o, uint32_t i)
{
	return cofl_layout_code(o, i) &&
	       (o->section[i].sh_flags & SHF_EXECINSTR);
}

/* Is it writable, or joined with a section that is? */
static bool is_written(const struct cofl_object *o, uint32_t i)
{
	if (o->section[i].sh_flags & SHF_WRITE || !is_named(o, i))
		return o->section[i].sh_flags & SHF_WRITE;
	for (uint32_t k = 1; k < o->n_sections; k++)
		if ((o->section[k].sh_flags & SHF_WRITE) && same_name(o, i, k))
			return true;
	return false;
}

static bool is_data(const struct cofl_object *o, uint32_t i)
{
	return cofl_layout_code(o, i) && !cofl_layout_text(o, i);
}

bool cofl_layout_read_only(const struct cofl_object *o, uint32_t i)
{
	return is_data(o, i) && !is_written(o, i);
}

bool cofl_layout_writable(const struct cofl_object *o, uint32_t i)
{
	return is_data(o, i) && is_written(o, i);
}

/* -- One after the other --------------------------------------------------- */

/* The first selected section that has the name of section `i`. */
static uint32_t first_part(const struct cofl_object *o,
			   cofl_layout_takes *takes, uint32_t i)
{
	for (uint32_t k = 1; k < i; k++)
		if (is_named(o, k) && takes(o, k) && same_name(o, i, k))
			return k;
	return i;
}

static uint64_t lay_out_one(struct cofl_section_placement *place, uint32_t i,
			    uint64_t at, const struct cof_code *block,
			    void **eh_frame)
{
	const struct cofl_object *o = place->object;
	uint64_t size = o->section[i].sh_size;

	at = cofl_section_placement_align(o, i, at);
	if (block != NULL)
		cofl_section_placement_section(place, i,
					       (char *)block->write + at,
					       (uintptr_t)block->exec + at);
	if (is_eh_frame(o, i)) {
		if (block != NULL) {
			*eh_frame = (char *)block->exec + at;
			memset((char *)block->write + at + size, 0,
			       EH_END_BYTES);
		}
		at += EH_END_BYTES;
	}
	return at + size;
}

/* Code, then what has contents, then zeros: the order of linkers. */
enum rank { RANK_CODE, RANK_CONTENTS, RANK_ZEROS, RANKS };

static enum rank rank_of(const struct cofl_object *o, uint32_t i)
{
	if (o->section[i].sh_flags & SHF_EXECINSTR)
		return RANK_CODE;
	return o->section[i].sh_type == SHT_NOBITS ? RANK_ZEROS : RANK_CONTENTS;
}

uint64_t cofl_layout(struct cofl_section_placement *place,
		     cofl_layout_takes *takes, const struct cof_code *block,
		     void **eh_frame)
{
	const struct cofl_object *o = place->object;
	uint64_t at = 0;

	for (enum rank rank = RANK_CODE; rank < RANKS; rank++) {
		for (uint32_t i = 1; i < o->n_sections; i++) {
			if (!takes(o, i) || rank_of(o, i) != rank ||
			    (is_named(o, i) && first_part(o, takes, i) != i))
				continue;
			at = lay_out_one(place, i, at, block, eh_frame);
			for (uint32_t k = i + 1;
			     is_named(o, i) && k < o->n_sections; k++)
				if (takes(o, k) && first_part(o, takes, k) == i)
					at = lay_out_one(place, k, at, block,
							 eh_frame);
		}
	}
	return at;
}

/* -- Plain memory ---------------------------------------------------------- */

/* A page, or more if a section needs it. */
static uint64_t alignment_of(const struct cofl_object *o,
			     cofl_layout_takes *takes)
{
	uint64_t align = COF_PAGE_BYTES;

	for (uint32_t i = 1; i < o->n_sections; i++)
		if (takes(o, i) && o->section[i].sh_addralign > align)
			align = o->section[i].sh_addralign;
	return align;
}

int cofl_layout_plain(struct cofl_section_placement *place,
		      cofl_layout_takes *takes, void **eh_frame,
		      struct cof_code *out)
{
	uint64_t n = cofl_layout(place, takes, NULL, NULL);
	uint64_t align = alignment_of(place->object, takes);
	uintptr_t at;

	*out = (struct cof_code){ 0 };
	if (n == 0)
		return 0;
	n = cof_align_up(n, COF_PAGE_BYTES);
	at = (uintptr_t)cof_data_alloc(place->host->cof,
				       n + align - COF_PAGE_BYTES,
				       COF_PAGE_BYTES);
	out->write = out->exec = (void *)((at + align - 1) & ~(align - 1));
	out->size_bytes = n;
	if (at == 0) {
		snprintf(place->why, place->why_bytes,
			 "its data of %llu MB does not fit; "
			 "option data_mb makes room",
			 (unsigned long long)n >> 20);
		return -COF_E_NOMEM;
	}
	cofl_layout(place, takes, out, eh_frame);
	return 0;
}
