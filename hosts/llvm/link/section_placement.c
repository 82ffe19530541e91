/*
 * section_placement.c - x86-64 relocations; see section_placement.h
 *
 * By the System V ABI, AMD64 supplement.
 */
#include "link/section_placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/xcalloc.h"

/* What a relocation refers to. */
struct cofl_target {
	const char         *name;	/* NULL: not looked up so far */
	struct cofl_symbol *symbol;	/* NULL: local to the object */
	uintptr_t           address;
	bool                weak;
};

void cofl_section_placement_init(struct cofl_section_placement *place,
				 struct cofl *host,
				 const struct cofl_object *object, char *why,
				 size_t why_bytes)
{
	*place = (struct cofl_section_placement){
		.host = host, .object = object, .why = why,
		.why_bytes = why_bytes,
		.write = cofl_xcalloc(object->n_sections,
				      sizeof(*place->write)),
		.run = cofl_xcalloc(object->n_sections, sizeof(*place->run)),
		.target = cofl_xcalloc(object->n_symbols,
				       sizeof(*place->target)),
	};
}

void cofl_section_placement_free(struct cofl_section_placement *place)
{
	free(place->write);
	free(place->run);
	free(place->target);
}

uint64_t cofl_section_placement_align(const struct cofl_object *object,
				      uint32_t i, uint64_t offset)
{
	const Elf64_Shdr *s = &object->section[i];
	uint64_t align = s->sh_addralign ? s->sh_addralign : 1;

	if ((s->sh_flags & SHF_EXECINSTR) && align < 16)
		align = 16;
	return (offset + align - 1) & ~(align - 1);
}

void cofl_section_placement_section(struct cofl_section_placement *place,
				    uint32_t i, char *write, uintptr_t run)
{
	const Elf64_Shdr *s = &place->object->section[i];

	place->write[i] = write;
	place->run[i] = run;
	if (s->sh_type != SHT_NOBITS)
		memcpy(write, place->object->bytes + s->sh_offset, s->sh_size);
	else if (s->sh_flags & SHF_TLS)
		memset(write, 0, s->sh_size);
}

static int fail(struct cofl_section_placement *place, const char *what,
		const char *name)
{
	snprintf(place->why, place->why_bytes, "%s %s", what, name);
	return -COF_E_INVAL;
}

static int look_up(struct cofl_section_placement *place, uint32_t i,
		   struct cofl_target *t)
{
	const struct cofl_object *o = place->object;
	const Elf64_Sym *sym = &o->symbol[i];
	bool local = ELF64_ST_BIND(sym->st_info) == STB_LOCAL;

	*t = (struct cofl_target){
		.name = cofl_object_symbol_name(o, i),
		.weak = ELF64_ST_BIND(sym->st_info) == STB_WEAK,
	};
	if (i == 0)
		return 0;
	if (sym->st_shndx == SHN_ABS) {
		t->address = sym->st_value;
		return 0;
	}
	if (!local && *t->name != '\0')
		t->symbol = cofl_symbols_resolve(&place->host->symbols,
						 t->name);
	if (t->symbol != NULL &&
	    (t->symbol->address != 0 || t->symbol->is_tls)) {
		/* A method's own name means its stub, wherever it stands. */
		t->address = t->symbol->address;
		return 0;
	}
	if (sym->st_shndx != SHN_UNDEF && sym->st_shndx < SHN_LORESERVE) {
		if (place->run[sym->st_shndx] == 0 &&
		    o->section[sym->st_shndx].sh_size != 0)
			return fail(place, "no place for", t->name);
		t->symbol = NULL;	/* only this object has it */
		t->address = place->run[sym->st_shndx] + sym->st_value;
		return 0;
	}
	if (sym->st_shndx == SHN_UNDEF &&
	    (t->weak || ELF64_ST_TYPE(sym->st_info) == STT_TLS))
		return 0;
	return fail(place, "undefined symbol", t->name);
}

/* Looks a symbol up once, however many relocations name it. */
static int find_target(struct cofl_section_placement *place, uint32_t i,
		       struct cofl_target *t)
{
	struct cofl_target *known = &place->target[i];

	if (known->name == NULL) {
		int err = look_up(place, i, known);

		if (err != 0) {
			known->name = NULL;
			return err;
		}
	}
	*t = *known;
	return 0;
}

static void add_call(struct cofl_section_placement *place, uintptr_t rel32,
		     struct cof_method *callee)
{
	if (callee == NULL)
		return;		/* it stays where it leads */
	if (place->n_calls == place->capacity) {
		place->capacity = place->capacity ? 2 * place->capacity : 32;
		place->calls = cofl_xcalloc_grow(place->calls, place->capacity,
					     sizeof(*place->calls));
	}
	place->calls[place->n_calls++] = (struct cof_call_site){
		.rel32 = (void *)rel32, .callee = callee };
}

static int put32(struct cofl_section_placement *place,
		 const struct cofl_target *t, char *at, int64_t v)
{
	int32_t narrow = (int32_t)v;

	if (v != narrow)
		return fail(place, "out of reach:", t->name);
	memcpy(at, &narrow, sizeof(narrow));
	return 0;
}

/* A word in reach that holds the target's address; 0: no memory. */
static uintptr_t got_of(struct cofl_section_placement *place,
			const struct cofl_target *t)
{
	uintptr_t *word;

	if (t->symbol != NULL)
		return cofl_symbols_got(&place->host->symbols, t->symbol);
	word = cof_data_alloc(place->host->cof, sizeof(*word), sizeof(*word));
	if (word != NULL)
		*word = t->address;
	return (uintptr_t)word;
}

/*
 * Bind a load from the GOT. If the target is in reach, the load becomes an
 * address computation (ABI B.2: mov foo@GOTPCREL(%rip) to lea foo(%rip)).
 */
static int bind_got(struct cofl_section_placement *place,
		    const struct cofl_target *t, uint32_t type, char *at,
		    uintptr_t run, int64_t addend)
{
	int64_t direct = (int64_t)(t->address - run) + addend;
	uintptr_t got;

	if (type != R_X86_64_GOTPCREL && t->address != 0 &&
	    !(t->symbol != NULL && t->symbol->moves) &&
	    (unsigned char)at[-2] == 0x8b && direct == (int32_t)direct) {
		at[-2] = (char)0x8d;
		return put32(place, t, at, direct);
	}
	got = got_of(place, t);
	if (got == 0)
		return fail(place, "no room for the address of", t->name);
	return put32(place, t, at, (int64_t)(got - run) + addend);
}

/* A thread-local variable of the executable. Those of libraries are declined:
 * where they are differs by thread, and only libc can say where. */
static int bind_tls(struct cofl_section_placement *place,
		    const struct cofl_target *t, char *at, int64_t addend)
{
	if (t->symbol == NULL || !t->symbol->is_tls)
		return fail(place, "not the executable's:", t->name);
	return put32(place, t, at, place->host->tls_distance +
		     (int64_t)t->symbol->tls_offset + addend);
}

static int bind(struct cofl_section_placement *place, uint32_t section,
		const Elf64_Rela *r)
{
	bool code = place->object->section[section].sh_flags & SHF_EXECINSTR;
	char *at = place->write[section] + r->r_offset;
	uintptr_t run = place->run[section] + r->r_offset;
	uint32_t type = (uint32_t)ELF64_R_TYPE(r->r_info);
	struct cofl_target t;
	uintptr_t v;
	int err = find_target(place, (uint32_t)ELF64_R_SYM(r->r_info), &t);

	if (err != 0)
		return err;
	switch (type) {
	case R_X86_64_NONE:
		return 0;
	case R_X86_64_64:
		v = t.address + (uintptr_t)r->r_addend;
		memcpy(at, &v, sizeof(v));
		return 0;
	case R_X86_64_PC64:
		v = t.address + (uintptr_t)r->r_addend - run;
		memcpy(at, &v, sizeof(v));
		return 0;
	case R_X86_64_PLT32:	/* a call; no other may be led elsewhere */
		if (t.symbol != NULL && t.symbol->method != NULL && code)
			add_call(place, run,
				 cofl_method_added(t.symbol->method));
		if (t.symbol != NULL) {
			/* A weak name that nothing defines gets a jump to 0:
			 * the call is never made. */
			t.address = cofl_symbols_near(&place->host->symbols,
						     t.symbol, run);
			if (t.address == 0)
				return fail(place, "no room for a jump to",
					    t.name);
		}
		/* fall through */
	case R_X86_64_PC32:
		return put32(place, &t, at, (int64_t)(t.address - run) +
			     r->r_addend);
	case R_X86_64_GOTPCREL:
	case R_X86_64_GOTPCRELX:
	case R_X86_64_REX_GOTPCRELX:
		return bind_got(place, &t, type, at, run, r->r_addend);
	case R_X86_64_TPOFF32:
		return bind_tls(place, &t, at, r->r_addend);
	case R_X86_64_32:
	case R_X86_64_32S:
		return put32(place, &t, at, (int64_t)t.address + r->r_addend);
	default:
		snprintf(place->why, place->why_bytes,
			 "relocation type %u, at %s, is not known", type,
			 t.name);
		return -COF_E_INVAL;
	}
}

int cofl_section_placement_bind(struct cofl_section_placement *place)
{
	const struct cofl_object *o = place->object;

	for (uint32_t i = 1; i < o->n_sections; i++) {
		const Elf64_Shdr *s = &o->section[i];
		const Elf64_Rela *r = (const void *)(o->bytes + s->sh_offset);

		if (s->sh_type != SHT_RELA || place->write[s->sh_info] == NULL)
			continue;
		for (uint64_t k = 0; k < s->sh_size / sizeof(*r); k++) {
			int err = bind(place, s->sh_info, &r[k]);

			if (err != 0)
				return err;
		}
	}
	return 0;
}

uintptr_t
cofl_section_placement_find(const struct cofl_section_placement *place,
			    const char *symbol)
{
	const struct cofl_object *o = place->object;

	for (uint32_t i = 1; i < o->n_symbols; i++) {
		const Elf64_Sym *s = &o->symbol[i];

		if (s->st_shndx != SHN_UNDEF && s->st_shndx < SHN_LORESERVE &&
		    place->run[s->st_shndx] != 0 &&
		    strcmp(cofl_object_symbol_name(o, i), symbol) == 0)
			return place->run[s->st_shndx] + s->st_value;
	}
	return 0;
}

const void *
cofl_section_placement_find_section(const struct cofl_section_placement *place,
				    const char *name, size_t *bytes)
{
	const struct cofl_object *o = place->object;
	const void *at = NULL;

	for (uint32_t i = 1; i < o->n_sections; i++)
		if (place->run[i] != 0 &&
		    strcmp(cofl_object_section_name(o, i), name) == 0) {
			at = (const void *)place->run[i];
			*bytes = o->section[i].sh_size;
		}
	return at;
}
