/*
 * map.h - a hash map from pointers to pointers, for one thread
 */
#pragma once

#include <stddef.h>

struct cofl_map {
	const void **key;
	void       **value;
	size_t       room, used;	/* room is 0 or a power of two */
};

void *cofl_map_get(const struct cofl_map *map, const void *key);

/* Key and value may not be NULL. Without memory the process cannot go on:
 * like LLVM, on which this host stands, it ends it (cofl_fatal). */
void  cofl_map_put(struct cofl_map *map, const void *key, void *value);

void  cofl_map_free(struct cofl_map *map);
