/*
 * wrapped.c - see wrapped.h
 */
#include "resolve/wrapped.h"

#include <stdio.h>
#include <string.h>

#define PREFIX "__wrap_"

/* Functions that compilers call without being asked to. */
static bool is_called_unasked(const char *name)
{
	static const char *const names[] = { "memcpy", "memmove", "memset",
					     "memcmp", "bcmp" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

typedef bool name_fn(void *arg, struct cofl_definition *d);

/* False: `fn` returned that. */
static bool each_name(struct cofl_definitions *all, name_fn *fn, void *arg)
{
	for (size_t p = 0; p < all->n_pieces; p++)
		for (size_t i = 0; i < all->piece[p].n_names; i++)
			if (!fn(arg, &all->piece[p].name[i]))
				return false;
	return true;
}

struct wrapping {
	const struct cofl_elf_symbol *by;	/* the symbol __wrap_NAME */
	const char                   *name;
	bool                          defined;	/* by a piece */
	bool                          wrapped;
};

static bool look(void *arg, struct cofl_definition *d)
{
	struct wrapping *w = arg;

	if (!(d->flags & COFL_LINKAGE_DEFINED) ||
	    d->own != w->by->value || strcmp(d->name, w->by->name) != 0)
		return true;
	w->defined = true;
	w->wrapped |= d->resolved != d->own;
	return true;
}

static bool correct(void *arg, struct cofl_definition *d)
{
	const struct wrapping *w = arg;

	if (strcmp(d->name, w->by->name) == 0 ||
	    (!(d->flags & COFL_LINKAGE_DEFINED) &&
	     strcmp(d->name, w->name) == 0))
		d->resolved = w->by->value;
	return true;
}

static bool is_not_named(void *arg, struct cofl_definition *d)
{
	const struct wrapping *w = arg;

	return d->flags & COFL_LINKAGE_DEFINED ||
	       strcmp(d->name, w->name) != 0;
}

static bool apply(struct cofl_definitions *all, const struct cofl_elf_symbol *s,
		  char *why, size_t why_bytes)
{
	struct wrapping w = { .by = s, .name = s->name + strlen(PREFIX) };

	each_name(all, look, &w);
	if ((!w.defined && !each_name(all, is_not_named, &w)) ||
	    (w.wrapped && is_called_unasked(w.name))) {
		snprintf(why, why_bytes, "it may be linked with --wrap=%.300s",
			 w.name);
		return false;
	}
	if (w.wrapped)
		each_name(all, correct, &w);
	return true;
}

/* Is it a function that its file keeps to itself? Linkers make what is hidden
 * local as well. */
static bool is_static(void *arg, struct cofl_definition *d)
{
	const struct cofl_elf_symbol *s = arg;

	return !(d->flags & COFL_LINKAGE_DEFINED) ||
	       d->flags & COFL_LINKAGE_LOCAL || d->own != s->value ||
	       strcmp(d->name, s->name) != 0;
}

static bool is_named(struct cofl_definitions *all,
		     const struct cofl_elf_symbol *s)
{
	struct wrapping w = { .name = s->name };

	return !each_name(all, is_not_named, &w);
}

/* A local symbol of that name may wrap if a piece defines it for others, or
 * none has it and one names what it would wrap. */
static bool may_wrap(struct cofl_definitions *all,
		     const struct cofl_elf_symbol *s)
{
	struct cofl_elf_symbol same = *s;

	return s->bind != STB_LOCAL || is_named(all, s) ||
	       !each_name(all, is_static, &same);
}

bool cofl_wrapped_apply(struct cofl_definitions *all,
			const struct cofl_elf_symbols *symbols, char *why,
			size_t why_bytes)
{
	for (size_t i = 0; i < symbols->n; i++) {
		const struct cofl_elf_symbol *s = &symbols->symbol[i];

		if (strncmp(s->name, PREFIX, strlen(PREFIX)) == 0 &&
		    may_wrap(all, s) && !apply(all, s, why, why_bytes))
			return false;
	}
	return true;
}
