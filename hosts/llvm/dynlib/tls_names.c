/*
 * tls_names.c - find the two words, and write them; see tls_names.h
 */
#include "dynlib/tls_names.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "link/tls.h"

/* A part of struct link_map, as in glibc:include/link.h. */
struct description {
	const void *image;	/* the block's first content */
	size_t      image_bytes, bytes, align, first_byte_offset;
	size_t      distance;	/* of the block from the thread pointer */
	size_t      module;
};

#define MAP_BYTES 1200u	/* searched; struct link_map is larger */

/* The values of cof-llvm, which is the executable, so the first module. */
struct own {
	const void *image;
	size_t      image_bytes, bytes, align, distance;
};

static size_t at;	/* in a struct link_map; 0: not found */
static size_t distance;

static int note(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct own *own = arg;

	(void)size;
	if (info->dlpi_tls_modid != 1)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_TLS)
			continue;
		own->image = (const char *)info->dlpi_addr + p->p_vaddr;
		own->image_bytes = p->p_filesz;
		own->bytes = p->p_memsz;
		own->align = p->p_align;
		own->distance = (size_t)((char *)__builtin_thread_pointer() -
					 (char *)info->dlpi_tls_data);
	}
	return 1;
}

static bool fits(const struct description *d, const struct own *own)
{
	return d->image == own->image && d->image_bytes == own->image_bytes &&
	       d->bytes == own->bytes && d->align == own->align &&
	       d->distance == own->distance && d->module == 1;
}

static void find(void)
{
	const char *map = dlopen(NULL, RTLD_LAZY);	/* a struct link_map */
	struct description d;
	struct own own = { 0 };

	dl_iterate_phdr(note, &own);
	if (map == NULL || own.image == NULL)
		return;
	for (size_t i = sizeof(struct link_map);
	     i + sizeof(d) <= MAP_BYTES && at == 0; i += sizeof(void *)) {
		memcpy(&d, map + i, sizeof(d));
		if (fits(&d, &own)) {
			at = i;
			distance = own.distance;
		}
	}
}

bool cofl_tls_names_can(void)
{
	if (cofl_tls_in_room() && at == 0)
		find();
	return cofl_tls_in_room() && at != 0;
}

uint64_t cofl_tls_names_value(uintptr_t offset)
{
	return (uint64_t)((intptr_t)distance + cofl_tls_distance()) + offset;
}

void cofl_tls_names_adopt(void *object)
{
	struct description *d = (struct description *)((char *)object + at);

	d->distance = distance;
	d->module = 1;
}
