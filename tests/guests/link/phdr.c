/*
 * phdr.c - the program's variables are in a segment that dl_iterate_phdr(3)
 * tells of
 *
 * As collectors of garbage find where pointers may be.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdlib.h>

#include "guest.h"

static void *variable = &variable;
static void *zero;
static int   n_objects;

static int look(struct dl_phdr_info *info, size_t size, void *found)
{
	uintptr_t at = (uintptr_t)*(void **)found;

	if (size < sizeof(*info) || info->dlpi_name == NULL)
		return 2;
	n_objects++;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && (p->p_flags & PF_W) != 0 &&
		    at - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
			return 1;
	}
	return 0;
}

int main(void)
{
	void *found[] = { &variable, &zero, &found };

	for (int i = 0; i < 3; i++)
		printf("%d\n", dl_iterate_phdr(look, &found[i]));
	printf("objects %d\n", n_objects > 3);
	return 0;
}
