/*
 * layout.c - where each section begins; see layout.h
 */
#include "link/layout.h"

#include <string.h>

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

static bool takes_memory(const struct cofl_object *o, uint32_t i)
{
	const Elf64_Shdr *s = &o->section[i];

	return (s->sh_flags & SHF_ALLOC) && s->sh_size != 0 &&
	       !(s->sh_flags & SHF_TLS);
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
		     const struct cof_code *block, void **eh_frame)
{
	const struct cofl_object *o = place->object;
	uint64_t at = 0;

	for (enum rank rank = RANK_CODE; rank < RANKS; rank++)
		for (uint32_t i = 1; i < o->n_sections; i++)
			if (takes_memory(o, i) && rank_of(o, i) == rank)
				at = lay_out_one(place, i, at, block, eh_frame);
	return at;
}
