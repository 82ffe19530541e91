/*
 * loader.c - objects of versions, and the object of the program's data
 */
#include "loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fatal.h"
#include "module.h"
#include "place.h"
#include "point.h"
#include "startup.h"
#include "tls.h"

/* libgcc's registry of unwind tables; the terminator below ends one. */
extern void __register_frame(void *eh_frame);
extern void __deregister_frame(void *eh_frame);
#define EH_END_BYTES 4u

#define PAGE 4096u

static bool is_code(const struct cofl_object *o, uint32_t i)
{
	const Elf64_Shdr *s = &o->section[i];

	return (s->sh_flags & SHF_ALLOC) && s->sh_size != 0 &&
	       !(s->sh_flags & SHF_TLS);
}

static bool is_eh_frame(const struct cofl_object *o, uint32_t i)
{
	return strcmp(cofl_object_section_name(o, i), ".eh_frame") == 0;
}

static uint64_t eh_frame_bytes(const struct cofl_object *o)
{
	for (uint32_t i = 1; i < o->n_sections; i++)
		if (is_eh_frame(o, i))
			return o->section[i].sh_size;
	return 0;
}

typedef bool takes_fn(const struct cofl_object *o, uint32_t i);

/*
 * Could the program ask where this section begins and ends? LLVM writes several
 * of one name if some of what is in them differs in kind; a linker joins them.
 */
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

/* The first of the sections taken that are called like section `i`. */
static uint32_t first_part(const struct cofl_object *o, takes_fn *takes,
			   uint32_t i)
{
	for (uint32_t k = 1; k < i; k++)
		if (is_named(o, k) && takes(o, k) && same_name(o, i, k))
			return k;
	return i;
}

static uint64_t lay_out_one(struct cofl_place *place, uint32_t i, uint64_t at,
			    const struct cof_code *block, void **eh_frame)
{
	const struct cofl_object *o = place->object;
	uint64_t size = o->section[i].sh_size;

	at = cofl_place_align(o, i, at);
	if (block != NULL)
		cofl_place_section(place, i, (char *)block->write + at,
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

/*
 * Lay all sections that `takes` out one after the other, code first and those of
 * one name together, and measure. With a block, place them in it as well.
 */
static uint64_t lay_out(struct cofl_place *place,
			takes_fn *takes, const struct cof_code *block,
			void **eh_frame)
{
	const struct cofl_object *o = place->object;
	uint64_t at = 0;

	for (int code = 1; code >= 0; code--) {
		for (uint32_t i = 1; i < o->n_sections; i++) {
			bool is = o->section[i].sh_flags & SHF_EXECINSTR;

			if (!takes(o, i) || code != is ||
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

static uintptr_t find_body(const struct cofl_place *place, const char *body)
{
	const struct cofl_object *o = place->object;

	for (uint32_t i = 1; i < o->n_symbols; i++) {
		const Elf64_Sym *s = &o->symbol[i];

		if (s->st_shndx != SHN_UNDEF && s->st_shndx < SHN_LORESERVE &&
		    strcmp(cofl_object_symbol_name(o, i), body) == 0)
			return place->run[s->st_shndx] + s->st_value;
	}
	return 0;
}

/* Under the loader's lock. */
static int load_code(struct cofl_place *place, const char *body,
		     struct cof_version_desc *out, void **eh_frame)
{
	struct cofl *host = place->host;
	enum cof_code_area area = out->plan == COF_PLAN_NONE ? COF_CODE_FIRST :
							       COF_CODE_HOT;
	int err = cof_code_alloc(host->cof, lay_out(place, is_code, NULL, NULL),
				 area, &out->block);

	if (err != 0) {
		snprintf(place->why, place->why_bytes, "code memory is full");
		return err;
	}
	lay_out(place, is_code, &out->block, eh_frame);
	err = cofl_place_bind(place);
	out->entry = (const void *)find_body(place, body);
	if (err == 0 && out->entry == NULL) {
		snprintf(place->why, place->why_bytes, "no code for %s", body);
		err = -COF_E_INVAL;
	}
	if (err != 0)
		cof_code_free(host->cof, &out->block);
	return err;
}

static void find_records(const struct cofl_place *place,
			 struct cofl_version *version)
{
	const struct cofl_object *o = place->object;

	for (uint32_t i = 1; i < o->n_sections; i++)
		if (strcmp(cofl_object_section_name(o, i),
			   COFL_POINT_SECTION) == 0 && place->run[i] != 0) {
			version->records = (const void *)place->run[i];
			version->record_bytes = o->section[i].sh_size;
		}
}

int cofl_load_version(struct cofl *host, const void *bytes, size_t n,
		      const char *body, enum cof_plan plan,
		      struct cof_version_desc *out, char *why, size_t why_bytes)
{
	struct cofl_version *version = calloc(1, sizeof(*version));
	struct cofl_object object;
	struct cofl_place place;
	int err;

	if (version == NULL)
		cofl_fatal("out of memory");
	if (!cofl_object_open(&object, bytes, n)) {
		snprintf(why, why_bytes, "LLVM made no object file");
		free(version);
		return -COF_E_INVAL;
	}
	*out = (struct cof_version_desc){ .size = sizeof(*out), .plan = plan,
					  .data = version };
	cofl_place_init(&place, host, &object, why, why_bytes);
	pthread_mutex_lock(&host->loader_lock);
	err = load_code(&place, body, out, &version->eh_frame);
	/* Under the lock, for then no fork takes the registry's along locked. */
	if (err == 0 && version->eh_frame != NULL)
		__register_frame(version->eh_frame);
	pthread_mutex_unlock(&host->loader_lock);
	if (err == 0)
		find_records(&place, version);
	cofl_place_free(&place);
	if (err != 0) {
		free(place.calls);
		free(version);
		return err;
	}
	version->calls = place.calls;
	version->n_calls = place.n_calls;
	out->start = out->block.exec;
	out->size_bytes = out->block.size_bytes;
	out->calls = version->calls;
	out->n_calls = version->n_calls;
	out->eh_frame = version->eh_frame;
	out->eh_frame_bytes = eh_frame_bytes(&object);
	return 0;
}

void cofl_unload_version(struct cofl_version *version)
{
	if (version == NULL || version->of_image)
		return;		/* all at once, and to the end */
	if (version->eh_frame != NULL)
		__deregister_frame(version->eh_frame);
	cofl_points_free(version->points);
	free(version->calls);
	free(version);
}

/* -- Data ------------------------------------------------------------------- */

static bool is_text(const struct cofl_object *o, uint32_t i)
{
	return is_code(o, i) && (o->section[i].sh_flags & SHF_EXECINSTR);
}

/* Written to itself, or joined with one that is. */
static bool is_written(const struct cofl_object *o, uint32_t i)
{
	if (o->section[i].sh_flags & SHF_WRITE || !is_named(o, i))
		return o->section[i].sh_flags & SHF_WRITE;
	for (uint32_t k = 1; k < o->n_sections; k++)
		if ((o->section[k].sh_flags & SHF_WRITE) && same_name(o, i, k))
			return true;
	return false;
}

static bool is_read_only(const struct cofl_object *o, uint32_t i)
{
	return is_code(o, i) && !is_text(o, i) && !is_written(o, i);
}

static bool is_writable(const struct cofl_object *o, uint32_t i)
{
	return is_code(o, i) && !is_text(o, i) && is_written(o, i);
}

/* A page, or more if one of the sections asks for it. */
static uint64_t alignment_of(const struct cofl_object *o, takes_fn *takes)
{
	uint64_t align = PAGE;

	for (uint32_t i = 1; i < o->n_sections; i++)
		if (takes(o, i) && o->section[i].sh_addralign > align)
			align = o->section[i].sh_addralign;
	return align;
}

/* Plain memory for the sections that `takes`, page by page of its own. */
static int place_plain(struct cofl_place *place, takes_fn *takes,
		       void **eh_frame, struct cof_code *out)
{
	uint64_t n = lay_out(place, takes, NULL, NULL);
	uint64_t align = alignment_of(place->object, takes);
	uintptr_t at;

	*out = (struct cof_code){ 0 };
	if (n == 0)
		return 0;
	n = (n + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	at = (uintptr_t)cof_data_alloc(place->host->cof, n + align - PAGE, PAGE);
	out->write = out->exec = (void *)((at + align - 1) & ~(align - 1));
	out->size_bytes = n;
	if (at == 0) {
		snprintf(place->why, place->why_bytes,
			 "its data of %llu MB does not fit; option data_mb makes room",
			 (unsigned long long)n >> 20);
		return -COF_E_NOMEM;
	}
	lay_out(place, takes, out, eh_frame);
	return 0;
}

/* The image of thread-local variables: initialized ones first. */
static char *place_tls(struct cofl_place *place, size_t *bytes, size_t *size,
		       size_t *align)
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
				at = cofl_place_align(o, i, at);
				if (s->sh_addralign > *align)
					*align = s->sh_addralign;
				place->tls_offset[i] = at;
				if (image != NULL)
					cofl_place_section(place, i, image + at,
							   (uintptr_t)image + at);
				at += s->sh_size;
				if (!zero)
					*bytes = at;
			}
		}
		*size = at;
		if (pass == 0 && at != 0 && (image = malloc(at)) == NULL)
			cofl_fatal("out of memory");
	}
	return image;
}

static void define_tls(struct cofl_place *place, struct cofl_symbol *s,
		       uint32_t section, uint64_t value)
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

/* What the object defines becomes the program's. */
static void define_symbols(struct cofl_place *place)
{
	const struct cofl_object *o = place->object;

	for (uint32_t i = 1; i < o->n_symbols; i++) {
		const Elf64_Sym *sym = &o->symbol[i];
		struct cofl_symbol *s;

		if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE)
			continue;
		/* Local ones stand in assembly; the rest of the file that came
		 * with it knows them too. */
		if (ELF64_ST_BIND(sym->st_info) == STB_LOCAL &&
		    !is_label(o, i))
			continue;
		s = cofl_symbol(&place->host->symbols,
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

/* __start_NAME and __stop_NAME, which linkers make for sections called so. */
static void define_bounds(struct cofl_place *place)
{
	const struct cofl_object *o = place->object;

	for (uint32_t i = 1; i < o->n_sections; i++) {
		const char *name = cofl_object_section_name(o, i);
		struct cofl_symbol *start;
		char bound[256];

		if (place->run[i] == 0 || *name == '.' || *name == '\0')
			continue;
		snprintf(bound, sizeof(bound), "__start_%s", name);
		start = cofl_symbol(&place->host->symbols, bound);
		if (start->address == 0)	/* parts lie in order */
			start->address = place->run[i];
		snprintf(bound, sizeof(bound), "__stop_%s", name);
		cofl_symbol(&place->host->symbols, bound)->address =
			place->run[i] + o->section[i].sh_size;
	}
}

/* Methods whose body came with the data: their first and only version. */
static int add_pinned(struct cofl_place *place, const struct cof_code *text)
{
	struct cofl *host = place->host;

	for (uint32_t i = 0; i < host->n_methods; i++) {
		struct cofl_method *m = &host->method[i];
		struct cof_version_desc desc;
		struct cofl_version *version;
		char body[512];
		int err;

		if (!m->pinned)
			continue;
		snprintf(body, sizeof(body), "%s.pinned", m->name);
		version = calloc(1, sizeof(*version));
		if (version == NULL)
			cofl_fatal("out of memory");
		desc = (struct cof_version_desc){
			.size = sizeof(desc), .data = version,
			.start = (const void *)find_body(place, body),
			.size_bytes = 16,
		};
		if (desc.start == NULL || text->exec == NULL) {
			snprintf(place->why, place->why_bytes, "no code for %s",
				 m->name);
			return -COF_E_INVAL;
		}
		for (uint32_t k = 1; k < place->object->n_symbols; k++)
			if (strcmp(cofl_object_symbol_name(place->object, k),
				   body) == 0)
				desc.size_bytes =
					place->object->symbol[k].st_size;
		err = cof_version_add(m->method, &desc);
		if (err != 0)
			return err;
	}
	return 0;
}

/* -- Images ----------------------------------------------------------------- */

/* A method's code in the object. */
struct body {
	uintptr_t           start, end;
	struct cofl_method *method;
};

static int by_start(const void *a, const void *b)
{
	const struct body *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static int by_rel32(const void *a, const void *b)
{
	const struct cof_call_site *x = a, *y = b;

	return (x->rel32 > y->rel32) - (x->rel32 < y->rel32);
}

/* LLVM writes a section's relocations in order, so mostly there is nothing to
 * do. */
static void sort_calls(struct cof_call_site *calls, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (by_rel32(&calls[i - 1], &calls[i]) <= 0)
			continue;
		qsort(calls, n, sizeof(*calls), by_rel32);
		return;
	}
}

/* All methods' bodies, in order of address. */
static struct body *list_bodies(struct cofl_place *place, size_t *n)
{
	const struct cofl_object *o = place->object;
	struct body *list = calloc(place->host->n_methods + (size_t)1,
				   sizeof(*list));

	if (list == NULL)
		cofl_fatal("out of memory");
	*n = 0;
	for (uint32_t i = 1; i < o->n_symbols; i++) {
		const Elf64_Sym *sym = &o->symbol[i];
		struct cofl_symbol *s;

		if (ELF64_ST_TYPE(sym->st_info) != STT_FUNC ||
		    ELF64_ST_BIND(sym->st_info) == STB_LOCAL ||
		    sym->st_shndx == SHN_UNDEF ||
		    sym->st_shndx >= SHN_LORESERVE || sym->st_size == 0 ||
		    place->run[sym->st_shndx] == 0)
			continue;
		s = cofl_symbol(&place->host->symbols,
				cofl_object_symbol_name(o, i));
		if (s->method == NULL || *n == place->host->n_methods)
			continue;
		list[*n].start = place->run[sym->st_shndx] + sym->st_value;
		list[*n].end = list[*n].start + sym->st_size;
		list[(*n)++].method = s->method;
	}
	qsort(list, *n, sizeof(*list), by_start);
	return list;
}

static int add_version(struct cofl *host, const struct body *body,
		       const struct cof_call_site *calls, size_t n_calls)
{
	struct cofl_method *m = body->method;
	struct cofl_version *version = &host->image_version[m->number];
	int err;

	version->of_image = true;
	err = cof_version_add(m->method, &(struct cof_version_desc){
		.size = sizeof(struct cof_version_desc),
		.start = (const void *)body->start,
		.size_bytes = body->end - body->start,
		.plan = COF_PLAN_AVERAGE, .data = version,
		.calls = calls, .n_calls = n_calls,
	});
	atomic_store_explicit(&m->compiled, true, memory_order_release);
	return err;
}

/* The program runs: does this method want a version from the image? */
static int add_later(struct cofl *host, const struct body *body,
		     const struct cof_call_site *calls, size_t n_calls)
{
	struct cofl_method *m = body->method;
	int err = 0;

	if (m->pinned ||
	    atomic_load_explicit(&m->keeps_labels, memory_order_relaxed))
		return 0;
	/* No first version may come later than ours. */
	cofl_module_guest_lock(host);
	if (!atomic_load_explicit(&m->gathered, memory_order_relaxed))
		err = add_version(host, body, calls, n_calls);
	cofl_module_guest_unlock(host);
	return err;
}

/* A version for each method, with the calls in its body. */
static int add_versions(struct cofl_place *place, bool begins)
{
	struct cofl *host = place->host;
	struct cof_call_site *calls = place->calls;
	size_t n, at = 0, end;
	struct body *body = list_bodies(place, &n);
	int err = 0;

	sort_calls(calls, place->n_calls);
	host->image_version = calloc(host->n_methods + (size_t)1,
				     sizeof(*host->image_version));
	if (host->image_version == NULL)
		cofl_fatal("out of memory");
	for (size_t i = 0; i < n && err == 0; i++) {
		while (at < place->n_calls &&
		       (uintptr_t)calls[at].rel32 < body[i].start)
			at++;
		for (end = at; end < place->n_calls &&
			       (uintptr_t)calls[end].rel32 < body[i].end;)
			end++;
		err = (begins ? add_version : add_later)(host, &body[i],
							 calls + at, end - at);
		at = end;
	}
	if (err != 0)
		snprintf(place->why, place->why_bytes, "code memory is full");
	free(body);
	return err;
}

/* -- Whole programs --------------------------------------------------------- */

enum what {
	DATA,		/* variables, and bodies of pinned methods */
	IMAGE,		/* everything, before the program begins */
	IMAGE_LATER,	/* of a program that runs: its variables are there, so
			 * names lead to these */
};

static bool is_writable_bytes(const struct cofl_object *o, uint32_t i)
{
	return is_writable(o, i) && o->section[i].sh_type != SHT_NOBITS;
}

/* Where something of the object is that only we know of; 0: it has none. */
static uintptr_t find_own(const struct cofl_place *place, const char *name)
{
	const struct cofl_object *o = place->object;

	for (uint32_t i = 1; i < o->n_symbols; i++) {
		const Elf64_Sym *s = &o->symbol[i];

		if (s->st_shndx != SHN_UNDEF && s->st_shndx < SHN_LORESERVE &&
		    place->run[s->st_shndx] != 0 &&
		    strcmp(cofl_object_symbol_name(o, i), name) == 0)
			return place->run[s->st_shndx] + s->st_value;
	}
	return 0;
}

static void find_points(struct cofl_place *place, const struct cof_code *text)
{
	struct cofl *host = place->host;
	struct cofl_version records = { 0 };

	find_records(place, &records);
	host->image_text = *text;
	host->image_words = (void *)find_own(place, COFL_POINT_WORDS);
	host->image_bases = (const void *)find_own(place, COFL_POINT_BASES);
	if (host->image_words != NULL && host->image_bases != NULL) {
		host->image_records = records.records;
		host->image_record_bytes = records.record_bytes;
	}
}

/* Under the loader's lock. */
static int load_program(struct cofl_place *place, enum what what,
			struct cof_code *text, void **eh_frame)
{
	struct cofl *host = place->host;
	uint64_t n_text = lay_out(place, is_text, NULL, NULL);
	size_t tls_bytes, tls_size, tls_align;
	struct cof_code fixed, data;
	char *image;
	int err = 0;

	if (n_text != 0) {
		err = cof_code_alloc(host->cof, n_text, COF_CODE_FIRST, text);
		if (err != 0)
			snprintf(place->why, place->why_bytes,
				 "code memory is full");
		else
			lay_out(place, is_text, text, NULL);
	}
	if (err == 0)
		err = place_plain(place, is_read_only, eh_frame, &fixed);
	if (err == 0)
		err = place_plain(place, what == IMAGE_LATER ?
				  is_writable_bytes : is_writable, NULL, &data);
	if (err != 0)
		return err;
	if (what != IMAGE_LATER) {
		image = place_tls(place, &tls_bytes, &tls_size, &tls_align);
		define_symbols(place);
		define_bounds(place);
	}
	err = cofl_place_bind(place);
	if (err == 0 && what != DATA)
		find_points(place, text);
	if (what != IMAGE_LATER)
		cofl_tls_image(image, tls_bytes, tls_size, tls_align);
	if (err == 0 && fixed.exec != NULL &&
	    mprotect(fixed.exec, fixed.size_bytes, PROT_READ) != 0)
		err = -COF_E_PERM;
	/* Under the lock, for then no fork takes the registry's along locked. */
	if (err == 0 && *eh_frame != NULL)
		__register_frame(*eh_frame);
	return err;
}

static int load(struct cofl *host, const struct cofl_object *object,
		enum what what, char *why, size_t why_bytes)
{
	struct cofl_place place;
	struct cof_code text = { 0 };
	void *eh_frame = NULL;
	int err;

	cofl_startup_part(COFL_STARTUP_PLACE);
	cofl_place_init(&place, host, object, why, why_bytes);
	pthread_mutex_lock(&host->loader_lock);
	err = load_program(&place, what, &text, &eh_frame);
	pthread_mutex_unlock(&host->loader_lock);
	cofl_startup_part(COFL_STARTUP_VERSIONS);
	if (err == 0)
		err = what == DATA ? add_pinned(&place, &text) :
				     add_versions(&place, what == IMAGE);
	cofl_place_free(&place);
	free(place.calls);
	cofl_startup_part(COFL_STARTUP_NAMES);
	return err;
}

int cofl_load_data(struct cofl *host, const void *bytes, size_t n, char *why,
		   size_t why_bytes)
{
	struct cofl_object object;

	if (!cofl_object_open(&object, bytes, n)) {
		snprintf(why, why_bytes, "LLVM made no object file");
		return -COF_E_INVAL;
	}
	return load(host, &object, DATA, why, why_bytes);
}

int cofl_load_image(struct cofl *host, const struct cofl_object *object,
		    bool begins, char *why, size_t why_bytes)
{
	return load(host, object, begins ? IMAGE : IMAGE_LATER, why, why_bytes);
}
