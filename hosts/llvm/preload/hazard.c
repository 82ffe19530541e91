/*
 * hazard.c - the list of functions, and the executable's imports; see hazard.h
 *
 * The executable is in memory with its dynamic symbols. Their number is not,
 * but their strings follow them, in lld's files with other tables between.
 * What is read there as a symbol names none of these functions.
 */
#include "preload/hazard.h"

#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "preload/native.h"

static const char *_Atomic noted;

static const struct {
	const char *name, *why;
} hazards[] = {
#define STACKS(f) { f, "the program makes stacks of its own (" f ")" }
#define THREADS(f) { f, "the program may start threads nobody sees (" f ")" }
	STACKS("makecontext"),
	STACKS("swapcontext"),
	STACKS("setcontext"),
	STACKS("make_fcontext"),
	STACKS("jump_fcontext"),
	THREADS("clone"),
	THREADS("aio_read"), THREADS("aio_read64"),
	THREADS("aio_write"), THREADS("aio_write64"),
	THREADS("aio_fsync"), THREADS("aio_fsync64"),
	THREADS("lio_listio"), THREADS("lio_listio64"),
	THREADS("getaddrinfo_a"),
#undef STACKS
#undef THREADS
};

static void tell(const char *why)
{
	const struct cofl_events *events = native_events();

	if (events != NULL && events->switches_stacks != NULL)
		events->switches_stacks(why);
}

void hazard_note(const char *why)
{
	const char *none = NULL;

	if (atomic_compare_exchange_strong(&noted, &none, why))
		tell(why);
}

static void look_at(const char *name)
{
	for (size_t i = 0; i < sizeof(hazards) / sizeof(*hazards); i++)
		if (strcmp(name, hazards[i].name) == 0)
			hazard_note(hazards[i].why);
}

static void look_at_imports(const struct link_map *executable)
{
	const ElfW(Sym) *symbol = NULL;
	const char *strings = NULL;
	size_t bytes = 0;

	for (const ElfW(Dyn) *d = executable->l_ld; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_SYMTAB)
			symbol = (const void *)d->d_un.d_ptr;
		if (d->d_tag == DT_STRTAB)
			strings = (const void *)d->d_un.d_ptr;
		if (d->d_tag == DT_STRSZ)
			bytes = d->d_un.d_val;
	}
	if (symbol == NULL || strings == NULL)
		return;
	for (; (const char *)(symbol + 1) <= strings; symbol++)
		if (symbol->st_shndx == SHN_UNDEF && symbol->st_name < bytes)
			look_at(strings + symbol->st_name);
}

void hazard_opened(void)
{
	const char *before = atomic_load(&noted);

	if (before != NULL)
		tell(before);
	else
		look_at_imports(_r_debug.r_map);
}
