/*
 * link_names.c - methods, aliases and ifuncs; see link_names.h
 */
#include "dynlib/link_names.h"

#include <stdio.h>
#include <string.h>

#include "dynlib/symbol_overrides.h"
#include "support/fatal.h"
#include "support/xcalloc.h"

void cofl_link_names_begin(struct cofl *host, uint32_t n_methods,
			   size_t n_names)
{
	host->n_methods = n_methods;
	host->method = cofl_xcalloc(n_methods, sizeof(*host->method));
	cofl_symbols_init(&host->symbols, host->cof, n_names,
			  cofl_symbol_overrides_find);
}

/* libcof shows the name as in the source, without what ir/copy.c appended. */
void cofl_link_names_method(struct cofl *host, uint32_t i, const char *name,
			    uint32_t align)
{
	struct cofl_method *m = &host->method[i];
	size_t n = strlen(name);
	struct cofl_symbol *symbol;
	char shown[256];

	if (n > 4 && strcmp(name + n - 4, ".cof") == 0)
		n -= 4;
	snprintf(shown, sizeof(shown), "%.*s", (int)(n < 255 ? n : 255), name);
	m->host = host;
	m->number = i;
	if (cof_method_add_aligned(host->cof, shown, m, align != 0 ? align : 1,
				   &m->method) != 0)
		cofl_fatal("no room for its functions; "
			   "option code_mb makes room");
	symbol = cofl_symbols_get(&host->symbols, name);
	symbol->method = m;
	symbol->address = (uintptr_t)cof_method_stub(m->method);
	m->name = symbol->name;
	m->address = symbol->address;
}

void cofl_link_names_alias(struct cofl *host, const char *name, const char *of)
{
	struct cofl_symbol *s = cofl_symbols_get(&host->symbols, of);
	struct cofl_symbol *alias = cofl_symbols_get(&host->symbols, name);

	alias->address = s->address;
	alias->method = s->method;
}

static void not_resolved(void)
{
	cofl_fatal("an ifunc was called before its resolver ran");
}

void cofl_link_names_ifunc(struct cofl *host, const char *name)
{
	cofl_symbols_get(&host->symbols, name)->address = (uintptr_t)
		cof_stub_new(host->cof, (void *)(uintptr_t)not_resolved);
}

void cofl_link_names_resolve(struct cofl *host, const char *name,
			     const char *resolver)
{
	struct cofl_symbol *s = cofl_symbols_get(&host->symbols, name);
	void *(*resolve)(void) = (void *(*)(void))
		cofl_symbols_get(&host->symbols, resolver)->address;

	cof_stub_retarget(host->cof, (void *)s->address, resolve());
}

void cofl_link_names_hazard(struct cofl *host, const char *name)
{
	const char *why = cofl_symbol_overrides_hazard(name);

	if (why != NULL)
		cof_reclaim_disable(host->cof, why);
}
