/*
 * image.c - check an image, and make one; see image.h
 */
#include "image/image.h"

#include <stdlib.h>
#include <string.h>

#include "cof.h"

static const char magic[8] = { 'c', 'o', 'f', 'i', 'm', 'g', '\r', '\n' };

/* Bytes of an element of each part. */
static const size_t element[COFL_IMAGE_PARTS] = {
	sizeof(struct cofl_image_method), sizeof(struct cofl_image_pair),
	sizeof(struct cofl_image_pair), sizeof(uint32_t), sizeof(uint32_t), 1,
	sizeof(struct cofl_image_piece), 1,
};

/*
 * LLVM's version is the one at build time, so LLVM need not be loaded for it.
 * An image made by a later libLLVM of the same name is as good.
 */
static void hash_of(const void *bytes, size_t n, uint8_t out[COFL_HASH_BYTES])
{
	struct cofl_image_header header;
	struct cof_hash h;

	memcpy(&header, bytes, sizeof(header));
	memset(header.hash, 0, sizeof(header.hash));
	cof_hash_init(&h);
	cof_hash_add(&h, &header, sizeof(header));
	cof_hash_add(&h, (const char *)bytes + sizeof(header),
		     n - sizeof(header));
	cof_hash_end(&h, out);
}

static bool parts_inside(const struct cofl_image_header *h, size_t n)
{
	for (int i = 0; i < COFL_IMAGE_PARTS; i++) {
		uint64_t offset = h->part[i].offset;

		if (offset > n || h->part[i].n > (n - offset) / element[i] ||
		    offset % (element[i] > 1 ? sizeof(uint32_t) : 1) != 0)
			return false;
	}
	return h->part[COFL_IMAGE_OBJECTS].offset % COFL_IMAGE_ALIGN == 0;
}

static bool names_inside(const struct cofl_image *image)
{
	size_t n = cofl_image_n(image, COFL_IMAGE_NAMES);
	const enum cofl_image_part pairs[] = { COFL_IMAGE_ALIASES,
					       COFL_IMAGE_IFUNCS };
	const struct cofl_image_pair *pair[] = { image->alias, image->ifunc };
	const enum cofl_image_part lists[] = { COFL_IMAGE_STARTS,
					       COFL_IMAGE_ENDS };
	const uint32_t *list[] = { image->start, image->end };

	if (n == 0 || image->names[n - 1] != '\0')
		return false;
	for (size_t i = 0; i < cofl_image_n(image, COFL_IMAGE_METHODS); i++)
		if (image->method[i].name >= n)
			return false;
	for (int k = 0; k < 2; k++) {
		for (size_t i = 0; i < cofl_image_n(image, pairs[k]); i++)
			if (pair[k][i].name >= n || pair[k][i].of >= n)
				return false;
		for (size_t i = 0; i < cofl_image_n(image, lists[k]); i++)
			if (list[k][i] >= n)
				return false;
	}
	return true;
}

static bool pieces_inside(const struct cofl_image *image)
{
	uint64_t n = cofl_image_n(image, COFL_IMAGE_OBJECTS);

	for (size_t i = 0; i < cofl_image_n(image, COFL_IMAGE_PIECES); i++) {
		uint64_t at = (uint64_t)image->piece[i].at * COFL_IMAGE_ALIGN;

		if (at > n || image->piece[i].bytes > n - at)
			return false;
	}
	return cofl_image_n(image, COFL_IMAGE_PIECES) != 0;
}

/* Of a file of n bytes: is it an image of this program, as far as the header
 * says? */
static bool header_fits(const struct cofl_image_header *h, uint64_t n,
			const uint8_t key[COFL_HASH_BYTES])
{
	return memcmp(h->magic, magic, sizeof(magic)) == 0 &&
	       h->format == COFL_IMAGE_FORMAT && h->bytes == n &&
	       memcmp(h->key, key, sizeof(h->key)) == 0;
}

bool cofl_image_may_be(const void *head, size_t n_head, uint64_t n,
		       const uint8_t key[COFL_HASH_BYTES])
{
	return n_head >= sizeof(struct cofl_image_header) &&
	       header_fits(head, n, key);
}

bool cofl_image_open(struct cofl_image *image, const void *bytes, size_t n,
		     const uint8_t key[COFL_HASH_BYTES])
{
	const struct cofl_image_header *h = bytes;
	uint8_t hash[COFL_HASH_BYTES];
	const char *base = bytes;

	*image = (struct cofl_image){ 0 };
	if (n < sizeof(*h) || !header_fits(h, n, key) || !parts_inside(h, n))
		return false;
	hash_of(bytes, n, hash);
	if (memcmp(h->hash, hash, sizeof(hash)) != 0)
		return false;
#define PART(which) ((const void *)(base + h->part[which].offset))
	*image = (struct cofl_image){
		.bytes = base, .n_bytes = n, .header = h,
		.method = PART(COFL_IMAGE_METHODS),
		.alias = PART(COFL_IMAGE_ALIASES),
		.ifunc = PART(COFL_IMAGE_IFUNCS),
		.start = PART(COFL_IMAGE_STARTS),
		.end = PART(COFL_IMAGE_ENDS),
		.names = PART(COFL_IMAGE_NAMES),
		.piece = PART(COFL_IMAGE_PIECES),
		.objects = PART(COFL_IMAGE_OBJECTS),
	};
#undef PART
	if (names_inside(image) && pieces_inside(image))
		return true;
	*image = (struct cofl_image){ 0 };
	return false;
}

void *cofl_image_make(const struct cofl_image_parts *parts,
		      const uint8_t key[COFL_HASH_BYTES], size_t *n_bytes)
{
	struct cofl_image_header h = { .format = COFL_IMAGE_FORMAT,
				       .flags = parts->flags };
	size_t at = sizeof(h);
	char *file;

	memcpy(h.magic, magic, sizeof(magic));
	memcpy(h.key, key, sizeof(h.key));
	for (int i = 0; i < COFL_IMAGE_PARTS; i++) {
		size_t align = i == COFL_IMAGE_OBJECTS ? COFL_IMAGE_ALIGN :
							 sizeof(uint32_t);

		at = (at + align - 1) & ~(align - 1);
		h.part[i].offset = at;
		h.part[i].n = parts->n[i];
		at += parts->n[i] * element[i];
	}
	h.bytes = at;
	file = calloc(1, at);
	if (file == NULL)
		return NULL;
	memcpy(file, &h, sizeof(h));
	for (int i = 0; i < COFL_IMAGE_PARTS; i++)
		if (parts->n[i] != 0)
			memcpy(file + h.part[i].offset, parts->part[i],
			       parts->n[i] * element[i]);
	hash_of(file, at, h.hash);
	memcpy(file, &h, sizeof(h));
	*n_bytes = at;
	return file;
}
