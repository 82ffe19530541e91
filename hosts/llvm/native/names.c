/*
 * names.c - see names.h
 */
#include "native/names.h"

#include <stdlib.h>
#include <string.h>

#include "cofl.h"
#include "native/libc.h"
#include "support/xcalloc.h"

/* FNV-1a, 32 bits. */
static uint32_t hash(const char *s, size_t n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h;
}

static const char *name_of(const struct cofl_names *names, uint32_t i)
{
	const struct cofl_executable *e = names->executable;

	return e->names + e->entry[i].name;
}

int64_t cofl_names_find(const struct cofl_names *names, const char *name,
			size_t length)
{
	uint32_t at = hash(name, length) & (names->n_buckets - 1);

	for (; names->bucket[at] != 0; at = (at + 1) & (names->n_buckets - 1)) {
		uint32_t i = names->bucket[at] - 1;
		const char *known = name_of(names, i);

		if (strncmp(known, name, length) == 0 && known[length] == '\0')
			return i;
	}
	return -1;
}

static int64_t number_of(const void *ctx, const char *name, size_t length)
{
	const struct cofl_names *names = ctx;
	int64_t i = cofl_names_find(names, name, length);

	return i < names->executable->head->n_functions ? i : -1;
}

static uintptr_t in_libraries(const char *name, const char *version)
{
	return (uintptr_t)cofl_libc_find(name, version);
}

/* Do pointers to it hold what a library has? */
static bool is_in_library(const struct cofl_address *a)
{
	return a->flags & COFL_ADDRESS_LIBRARY &&
	       (a->address == 0 || a->flags & COFL_ADDRESS_PLT);
}

static void find_in_libraries(struct cofl_names *names)
{
	const struct cofl_executable *e = names->executable;

	names->library = cofl_xcalloc(e->head->n, sizeof(*names->library));
	for (uint32_t i = 0; i < e->head->n; i++) {
		const struct cofl_address *a = &e->entry[i];

		if (is_in_library(a))
			names->library[i] = in_libraries(
				name_of(names, i),
				a->version != 0 ? e->names + a->version : NULL);
	}
}

void cofl_names_init(struct cofl_names *names, struct cofl *host,
		     const struct cofl_executable *executable)
{
	uint32_t n = executable->head->n;

	*names = (struct cofl_names){ .host = host, .executable = executable,
				      .n_buckets = 256 };
	while (names->n_buckets < 2 * n)
		names->n_buckets *= 2;
	names->bucket = cofl_xcalloc(names->n_buckets, sizeof(*names->bucket));
	for (uint32_t i = 0; i < n; i++) {
		const char *name = name_of(names, i);
		uint32_t at = hash(name, strlen(name)) &
			      (names->n_buckets - 1);

		while (names->bucket[at] != 0)
			at = (at + 1) & (names->n_buckets - 1);
		names->bucket[at] = i + 1;
	}
	names->numbering = (struct cofl_numbering){
		.n = executable->head->n_functions, .number = number_of,
		.ctx = names,
	};
	find_in_libraries(names);
}

/* What a resolver returns is the same each time. */
static uintptr_t resolved(uintptr_t resolver)
{
	return ((uintptr_t (*)(void))resolver)();
}

static void define(const struct cofl_names *names, struct cofl_symbol *s,
		   uint32_t i)
{
	const struct cofl_executable *e = names->executable;
	const struct cofl_address *a = &e->entry[i];

	if (a->flags & COFL_ADDRESS_TLS && !(a->flags & COFL_ADDRESS_LIBRARY)) {
		s->is_tls = true;
		s->tls_offset = a->address;
		return;
	}
	if (i < e->head->n_functions)
		s->method = &names->host->method[i];
	if (a->flags & COFL_ADDRESS_PLT)
		s->call = cofl_executable_address(e, i);
	if (is_in_library(a))	/* of one that was not loaded yet: the PLT */
		s->address = names->library[i] != 0 ? names->library[i] :
						      s->call;
	else if (a->flags & COFL_ADDRESS_IFUNC)
		s->address = resolved(cofl_executable_address(e, i));
	else if (a->address != 0 || !(a->flags & COFL_ADDRESS_WEAK))
		s->address = cofl_executable_address(e, i);
}

/* ir/copy.c appends ".cof" to what is local to the bitcode. */
static size_t without_suffix(const char *name)
{
	size_t n = strlen(name);

	return n > 4 && strcmp(name + n - 4, ".cof") == 0 ? n - 4 : n;
}

/* What slots of vtables hold for a method (ir/vtable_compare.h). */
static bool define_slot(const struct cofl_names *names, struct cofl_symbol *s,
			const char *name)
{
	int64_t i = cofl_names_find(names, name, strlen(name));

	if (i < 0)
		i = cofl_names_find(names, name, without_suffix(name));
	if (i < 0 || i >= names->executable->head->n_functions ||
	    names->slot == NULL)
		return false;
	names->slot(&names->host->method[i], s);
	return true;
}

bool cofl_names_define(void *ctx, struct cofl_symbol *s)
{
	const struct cofl_names *names = ctx;
	int64_t i = cofl_names_find(names, s->name, strlen(s->name));
	const char *at = strchr(s->name, '@');
	size_t prefix = strlen(COFL_SYMBOL_SLOT);

	if (strncmp(s->name, COFL_SYMBOL_SLOT, prefix) == 0)
		return define_slot(names, s, s->name + prefix);

	/* A plain name is of what LLVM calls by itself, such as floor(3), and
	 * not of a function that a file has for itself; unless assembly names
	 * that one, of which no library knows. */
	if (i >= 0 &&
	    names->executable->entry[i].flags & COFL_ADDRESS_LOCAL)
		s->address = in_libraries(s->name, NULL);
	if (s->address != 0)
		return true;
	if (i < 0)
		i = cofl_names_find(names, s->name, without_suffix(s->name));
	if (i >= 0) {
		define(names, s, (uint32_t)i);
	} else if (at != NULL) {
		char *plain = cofl_xcalloc_ndup(s->name,
						(size_t)(at - s->name));

		s->address = in_libraries(plain,
					  at + strspn(at, "@"));
		free(plain);
	} else {
		s->address = in_libraries(s->name, NULL);
	}
	return s->address != 0 || s->is_tls;
}
