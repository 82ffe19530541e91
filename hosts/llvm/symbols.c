/*
 * symbols.c - a table of names; see symbols.h
 */
#include "symbols.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cof.h"
#include "fatal.h"
#include "special.h"

/* FNV-1a, 32 bits. */
static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u;

	while (*s != '\0')
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h;
}

void cofl_symbols_init(struct cofl_symbols *symbols, struct cof *cof,
		       size_t expected)
{
	symbols->cof = cof;
	for (symbols->n_buckets = 256; symbols->n_buckets < 2 * expected;)
		symbols->n_buckets *= 2;
	symbols->bucket = calloc(symbols->n_buckets, sizeof(*symbols->bucket));
	if (symbols->bucket == NULL)
		cofl_fatal("out of memory");
}

void cofl_symbols_free(struct cofl_symbols *symbols)
{
	for (size_t i = 0; i < symbols->n_buckets; i++) {
		struct cofl_symbol *s = symbols->bucket[i], *next;

		for (; s != NULL; s = next) {
			next = s->next;
			free(s->name);
			free(s);
		}
	}
	free(symbols->bucket);
	*symbols = (struct cofl_symbols){ 0 };
}

struct cofl_symbol *cofl_symbol(struct cofl_symbols *symbols, const char *name)
{
	struct cofl_symbol **at =
		&symbols->bucket[hash(name) & (symbols->n_buckets - 1)];
	struct cofl_symbol *s;

	for (s = *at; s != NULL; s = s->next)
		if (strcmp(s->name, name) == 0)
			return s;
	s = calloc(1, sizeof(*s));
	if (s == NULL || (s->name = strdup(name)) == NULL)
		cofl_fatal("out of memory");
	s->next = *at;
	*at = s;
	return s;
}

struct cofl_symbol *cofl_symbol_resolve(struct cofl_symbols *symbols,
					const char *name)
{
	struct cofl_symbol *s = cofl_symbol(symbols, name);

	if (s->address == 0 && s->tls == NULL && !s->looked) {
		s->looked = true;
		s->address = cofl_special(name);
		if (s->address == 0)
			s->address = (uintptr_t)dlsym(RTLD_DEFAULT, name);
	}
	return s;
}

uintptr_t cofl_symbol_got(struct cofl_symbols *symbols,
			  struct cofl_symbol *symbol)
{
	if (symbol->got == 0) {
		uintptr_t *word = cof_data_alloc(symbols->cof, sizeof(*word),
						 sizeof(*word));

		if (word != NULL) {
			*word = symbol->address;
			symbol->got = (uintptr_t)word;
		}
	}
	return symbol->got;
}

uintptr_t cofl_symbol_near(struct cofl_symbols *symbols,
			   struct cofl_symbol *symbol, uintptr_t from)
{
	int64_t distance = (int64_t)(symbol->address - from);

	/* A margin: the displacement counts from some bytes further on. */
	if (distance > INT32_MIN + 64 && distance < INT32_MAX - 64)
		return symbol->address;
	if (symbol->near == 0)
		symbol->near = (uintptr_t)cof_stub_new(
			symbols->cof, (const void *)symbol->address);
	return symbol->near;
}
