/*
 * symbols.c - a table of names; see symbols.h
 */
#include "link/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "cof.h"
#include "support/xcalloc.h"

/* FNV-1a, 32 bits. */
static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u;

	while (*s != '\0')
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h;
}

void cofl_symbols_init(struct cofl_symbols *symbols, struct cof *cof,
		       size_t expected, cofl_symbols_define *define, void *ctx)
{
	symbols->cof = cof;
	symbols->define = define;
	symbols->ctx = ctx;
	for (symbols->n_buckets = 256; symbols->n_buckets < 2 * expected;)
		symbols->n_buckets *= 2;
	symbols->bucket = cofl_xcalloc(symbols->n_buckets,
				       sizeof(*symbols->bucket));
}

struct cofl_symbol *cofl_symbols_get(struct cofl_symbols *symbols,
				     const char *name)
{
	struct cofl_symbol **at =
		&symbols->bucket[hash(name) & (symbols->n_buckets - 1)];
	struct cofl_symbol *s;

	for (s = *at; s != NULL; s = s->next)
		if (strcmp(s->name, name) == 0)
			return s;
	s = cofl_xcalloc(1, sizeof(*s));
	s->name = cofl_xcalloc_dup(name);
	s->next = *at;
	*at = s;
	return s;
}

void cofl_symbols_move(struct cofl_symbol *symbol, uintptr_t address)
{
	symbol->address = address;
	if (symbol->got != 0)
		__atomic_store_n((uintptr_t *)symbol->got, address,
				 __ATOMIC_RELAXED);
}

struct cofl_symbol *cofl_symbols_resolve(struct cofl_symbols *symbols,
					 const char *name)
{
	struct cofl_symbol *s = cofl_symbols_get(symbols, name);

	if (!s->looked) {
		symbols->define(symbols->ctx, s);
		s->looked = true;	/* not if that is left for memory */
	}
	return s;
}

uintptr_t cofl_symbols_got(struct cofl_symbols *symbols,
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

uintptr_t cofl_symbols_near(struct cofl_symbols *symbols,
			    struct cofl_symbol *symbol, uintptr_t from)
{
	uintptr_t to = symbol->call != 0 ? symbol->call : symbol->address;
	int64_t distance = (int64_t)(to - from);

	/* The margin: the displacement counts from some bytes further on. */
	if (distance > INT32_MIN + 64 && distance < INT32_MAX - 64)
		return to;
	if (symbol->near == 0)
		symbol->near = (uintptr_t)cof_stub_new(symbols->cof,
						       (const void *)to);
	return symbol->near;
}
