/*
 * map.h - a hash map from pointers to pointers, for one thread
 */
#pragma once

#include <stddef.h>

struct cofl_map {
	const void **key;
	void       **value;
	size_t       capacity, used;	/* capacity: 0 or a power of two */
};

/* NULL: there is none. */
void *cofl_map_get(const struct cofl_map *map, const void *key);

/* Key and value may not be NULL. Without memory it leaves (support/xcalloc.h),
 * and the map is as it was. */
void  cofl_map_put(struct cofl_map *map, const void *key, void *value);

void  cofl_map_free(struct cofl_map *map);
