/*
 * shelf.c - find records, make one
 */
#include "shelf.h"

#include <stdlib.h>
#include <string.h>

static const char magic[8] = { 'c', 'o', 'f', 'v', 'e', 'r', '\r', '\n' };

static uint64_t align_up(uint64_t n)
{
	return (n + COFL_SHELF_ALIGN - 1) & ~(uint64_t)(COFL_SHELF_ALIGN - 1);
}

/* Where the object begins; no overflow: n_inlined has 32 bits. */
static uint64_t object_at(const struct cofl_shelf_header *h)
{
	return align_up(sizeof(*h) + (uint64_t)h->n_inlined * sizeof(uint32_t));
}

static void hash_of(const struct cofl_shelf_header *h,
		    uint8_t out[COF_HASH_BYTES])
{
	struct cofl_shelf_header blank = *h;
	struct cof_hash sum;

	memset(blank.hash, 0, sizeof(blank.hash));
	cof_hash_init(&sum);
	cof_hash_add(&sum, &blank, sizeof(blank));
	cof_hash_add(&sum, (const char *)h + sizeof(*h), h->bytes - sizeof(*h));
	cof_hash_end(&sum, out);
}

/* -- Find ------------------------------------------------------------------- */

static bool is_record(const struct cofl_shelf_header *h, uint64_t room,
		      const uint8_t key[COF_HASH_BYTES])
{
	uint8_t hash[COF_HASH_BYTES];

	if (room < sizeof(*h) || memcmp(h->magic, magic, sizeof(magic)) != 0 ||
	    h->format != COFL_SHELF_FORMAT || h->kind > COFL_SHELF_JUDGED ||
	    memcmp(h->key, key, sizeof(h->key)) != 0 || h->bytes > room ||
	    h->bytes < object_at(h) || h->bytes % COFL_SHELF_ALIGN != 0 ||
	    h->object_bytes > h->bytes - object_at(h))
		return false;
	hash_of(h, hash);
	return memcmp(h->hash, hash, sizeof(hash)) == 0;
}

static struct cofl_shelf_entry *entry_of(const struct cofl_shelf *shelf,
					 uint32_t method)
{
	for (uint32_t i = 0; i < shelf->n; i++)
		if (shelf->entry[i].built->method == method)
			return &shelf->entry[i];
	return NULL;
}

uint64_t cofl_shelf_id(const struct cofl_shelf_header *built)
{
	uint64_t id;

	memcpy(&id, built->hash, sizeof(id));
	return id;
}

static bool add_built(struct cofl_shelf *shelf,
		      const struct cofl_shelf_header *h)
{
	struct cofl_shelf_entry *e = entry_of(shelf, h->method);

	if (e == NULL) {
		if (shelf->n == shelf->room) {
			uint32_t room = shelf->room ? 2 * shelf->room : 64;

			e = realloc(shelf->entry, room * sizeof(*e));
			if (e == NULL)
				return false;
			shelf->entry = e;
			shelf->room = room;
		}
		e = &shelf->entry[shelf->n++];
		*e = (struct cofl_shelf_entry){ 0 };
	} else if (cofl_shelf_id(e->built) != cofl_shelf_id(h)) {
		e->judged = NULL;	/* it was about another one */
	}
	e->built = h;
	return true;
}

static void add_judged(struct cofl_shelf *shelf,
		       const struct cofl_shelf_header *h)
{
	struct cofl_shelf_entry *e = entry_of(shelf, h->method);

	if (e != NULL && cofl_shelf_id(e->built) == h->of)
		e->judged = h;
}

bool cofl_shelf_counts(const struct cofl_shelf_entry *e)
{
	return e->judged == NULL || !(e->judged->flags & COFL_SHELF_BACK);
}

static void measure(struct cofl_shelf *shelf)
{
	for (uint32_t i = 0; i < shelf->n; i++) {
		const struct cofl_shelf_entry *e = &shelf->entry[i];

		if (cofl_shelf_counts(e))
			shelf->live += e->built->bytes +
				       (e->judged ? e->judged->bytes : 0);
	}
}

bool cofl_shelf_open(struct cofl_shelf *shelf, const void *bytes, size_t n,
		     const uint8_t key[COF_HASH_BYTES])
{
	size_t at = 0;

	*shelf = (struct cofl_shelf){ 0 };
	while (at < n) {
		const struct cofl_shelf_header *h =
			(const void *)((const char *)bytes + at);

		if (!is_record(h, n - at, key)) {
			at += COFL_SHELF_ALIGN;
			continue;
		}
		if (h->kind == COFL_SHELF_JUDGED) {
			add_judged(shelf, h);
		} else if (!add_built(shelf, h)) {
			cofl_shelf_close(shelf);
			return false;
		}
		at += h->bytes;
	}
	measure(shelf);
	return true;
}

void cofl_shelf_close(struct cofl_shelf *shelf)
{
	free(shelf->entry);
	*shelf = (struct cofl_shelf){ 0 };
}

const struct cofl_shelf_entry *
cofl_shelf_find(const struct cofl_shelf *shelf, uint32_t method,
		const uint8_t name[COF_HASH_BYTES],
		const uint8_t profile[COF_HASH_BYTES])
{
	const struct cofl_shelf_entry *e = entry_of(shelf, method);

	if (e == NULL || !cofl_shelf_counts(e) ||
	    memcmp(e->built->name, name, COF_HASH_BYTES) != 0 ||
	    memcmp(e->built->profile, profile, COF_HASH_BYTES) != 0)
		return NULL;
	return e;
}

const uint32_t *cofl_shelf_inlined(const struct cofl_shelf_header *built)
{
	return (const void *)((const char *)built + sizeof(*built));
}

const void *cofl_shelf_object(const struct cofl_shelf_header *built)
{
	return (const char *)built + object_at(built);
}

/* -- Make ------------------------------------------------------------------- */

struct cofl_shelf_header *
cofl_shelf_make(const struct cofl_shelf_header *header, const uint32_t *inlined,
		const void *object)
{
	uint64_t at = object_at(header);
	uint64_t bytes = align_up(at + header->object_bytes);
	struct cofl_shelf_header *h = calloc(1, bytes);

	if (h == NULL)
		return NULL;
	*h = *header;
	memcpy(h->magic, magic, sizeof(magic));
	h->format = COFL_SHELF_FORMAT;
	h->bytes = bytes;
	if (h->n_inlined != 0)
		memcpy((char *)h + sizeof(*h), inlined,
		       h->n_inlined * sizeof(*inlined));
	if (h->object_bytes != 0)
		memcpy((char *)h + at, object, h->object_bytes);
	hash_of(h, h->hash);
	return h;
}
