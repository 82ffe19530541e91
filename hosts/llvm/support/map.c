/*
 * map.c - open addressing, linear probing, at most half full
 */
#include "support/map.h"

#include <stdint.h>
#include <stdlib.h>

#include "support/xcalloc.h"

/* The finalizer of MurmurHash3: pointers differ in few, low bits. */
static size_t hash(const void *p)
{
	uint64_t x = (uint64_t)(uintptr_t)p;

	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdu;
	x ^= x >> 33;
	return (size_t)x;
}

static size_t slot_of(const struct cofl_map *map, const void *key)
{
	size_t i = hash(key) & (map->capacity - 1);

	while (map->key[i] != NULL && map->key[i] != key)
		i = (i + 1) & (map->capacity - 1);
	return i;
}

void *cofl_map_get(const struct cofl_map *map, const void *key)
{
	return map->capacity == 0 ? NULL : map->value[slot_of(map, key)];
}

static void grow(struct cofl_map *map)
{
	struct cofl_map old = *map;
	size_t n = old.capacity ? 2 * old.capacity : 64;
	const void **key = cofl_xcalloc(n, sizeof(*key));
	void **value = cofl_xcalloc(n, sizeof(*value));

	map->capacity = n;	/* only if there is memory for both */
	map->key = key;
	map->value = value;
	for (size_t i = 0; i < old.capacity; i++) {
		if (old.key[i] != NULL) {
			size_t to = slot_of(map, old.key[i]);

			map->key[to] = old.key[i];
			map->value[to] = old.value[i];
		}
	}
	free(old.key);
	free(old.value);
}

void cofl_map_put(struct cofl_map *map, const void *key, void *value)
{
	size_t i;

	if (2 * map->used >= map->capacity)
		grow(map);
	i = slot_of(map, key);
	if (map->key[i] == NULL) {
		map->key[i] = key;
		map->used++;
	}
	map->value[i] = value;
}

void cofl_map_free(struct cofl_map *map)
{
	free(map->key);
	free(map->value);
	*map = (struct cofl_map){ 0 };
}
