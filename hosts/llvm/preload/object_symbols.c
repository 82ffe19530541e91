/*
 * object_symbols.c - see object_symbols.h
 *
 *	table	n_buckets, first, n_filter, shift | filter[] of 64 bits
 *		| bucket[] | chain[]
 *
 * A bucket has the number of its first symbol. chain[number - first] is that
 * symbol's hash, but for the last bit, which says that it is its bucket's last.
 */
#include "preload/object_symbols.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hashed {
	uint32_t n_buckets, first, n_filter, shift;
};

static uint32_t hash(const char *name)
{
	uint32_t h = 5381;

	while (*name != '\0')
		h = h * 33 + (unsigned char)*name++;
	return h;
}

/* What the object's dynamic section says; glibc has made it an address. */
static const void *entry(const struct link_map *object, Elf64_Sxword tag)
{
	const Elf64_Dyn *d = object->l_ld;

	for (; d != NULL && d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag)
			return (const void *)(uintptr_t)d->d_un.d_ptr;
	return NULL;
}

bool object_symbols_define(const struct link_map *object, const char *name)
{
	const struct hashed *t = entry(object, DT_GNU_HASH);
	const Elf64_Sym *symbols = entry(object, DT_SYMTAB);
	const char *names = entry(object, DT_STRTAB);
	const uint32_t *bucket, *chain;
	uint32_t h = hash(name), i;

	if (t == NULL || symbols == NULL || names == NULL || t->n_buckets == 0)
		return false;
	bucket = (const uint32_t *)((const uint64_t *)(t + 1) + t->n_filter);
	chain = bucket + t->n_buckets;
	i = bucket[h % t->n_buckets];
	if (i < t->first)
		return false;	/* the bucket is empty */
	for (;; i++) {
		uint32_t is = chain[i - t->first];

		if ((is | 1) == (h | 1) && symbols[i].st_shndx != SHN_UNDEF &&
		    strcmp(names + symbols[i].st_name, name) == 0)
			return true;
		if (is & 1)
			return false;
	}
}
