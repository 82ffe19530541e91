/*
 * test_image.c - make and check images; damaged ones are refused
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "image/image.h"

static const char names[] = "main\0twice\0alias\0resolver\0start";
static const struct cofl_image_method methods[] = {
	{ 0, 12, 0 }, { 5, 3, COFL_IMAGE_PINNED },
};
static const struct cofl_image_pair aliases[] = { { 11, 5 } };
static const uint32_t starts[] = { 26, 0 };
static const char objects[64 + 6] = "an object's bytes";
static const struct cofl_image_piece pieces[] = { { 0, 18 }, { 1, 6 } };

static const uint8_t key[COFL_HASH_BYTES] = { 1, 2, 3 };

static void *make(size_t *n)
{
	struct cofl_image_parts parts = {
		.flags = COFL_IMAGE_ASSEMBLY,
		.part = { methods, aliases, NULL, starts, NULL, names, pieces,
			  objects },
		.n = { 2, 1, 0, 2, 0, sizeof(names), 2, sizeof(objects) },
	};
	void *bytes = cofl_image_make(&parts, key, n);

	assert_non_null(bytes);
	return bytes;
}

static void what_was_made_is_read_back(void **state)
{
	struct cofl_image image;
	size_t n;
	void *bytes = make(&n);

	(void)state;
	assert_true(cofl_image_open(&image, bytes, n, key));
	assert_int_equal(image.header->flags, COFL_IMAGE_ASSEMBLY);
	assert_int_equal(cofl_image_n(&image, COFL_IMAGE_METHODS), 2);
	assert_string_equal(image.names + image.method[1].name, "twice");
	assert_int_equal(image.method[0].n_instructions, 12);
	assert_int_equal(image.method[1].flags, COFL_IMAGE_PINNED);
	assert_string_equal(image.names + image.alias[0].name, "alias");
	assert_string_equal(image.names + image.alias[0].of, "twice");
	assert_int_equal(cofl_image_n(&image, COFL_IMAGE_IFUNCS), 0);
	assert_string_equal(image.names + image.start[0], "start");
	assert_int_equal(cofl_image_n(&image, COFL_IMAGE_PIECES), 2);
	assert_memory_equal(cofl_image_object(&image, 0), objects, 18);
	assert_memory_equal(cofl_image_object(&image, 1), objects + 64, 6);
	assert_int_equal((uintptr_t)(image.objects - image.bytes) % 64, 0);
	free(bytes);
}

static void equal_parts_make_equal_bytes(void **state)
{
	size_t n, m;
	void *a = make(&n), *b = make(&m);

	(void)state;
	assert_int_equal(n, m);
	assert_memory_equal(a, b, n);
	free(a);
	free(b);
}

static void another_key_is_another_image(void **state)
{
	uint8_t other[COFL_HASH_BYTES] = { 1, 2, 3 };
	struct cofl_image image;
	size_t n;
	void *bytes = make(&n);

	(void)state;
	other[COFL_HASH_BYTES - 1] = 1;
	assert_false(cofl_image_open(&image, bytes, n, other));
	assert_null(image.bytes);
	free(bytes);
}

static void no_byte_can_change_unnoticed(void **state)
{
	struct cofl_image image;
	size_t n;
	unsigned char *bytes = make(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		for (int bit = 0; bit < 8; bit++) {
			bytes[i] ^= (unsigned char)(1 << bit);
			assert_false(cofl_image_open(&image, bytes, n, key));
			bytes[i] ^= (unsigned char)(1 << bit);
		}
	}
	assert_true(cofl_image_open(&image, bytes, n, key));
	free(bytes);
}

static void a_part_of_an_image_is_none(void **state)
{
	struct cofl_image image;
	size_t n;
	char *bytes = make(&n), *longer;

	(void)state;
	for (size_t part = 0; part < n; part++) {
		char *copy = malloc(part + 1);	/* so that ASan sees overruns */

		assert_non_null(copy);
		memcpy(copy, bytes, part);
		assert_false(cofl_image_open(&image, copy, part, key));
		free(copy);
	}
	longer = calloc(1, n + 1);
	assert_non_null(longer);
	memcpy(longer, bytes, n);
	assert_false(cofl_image_open(&image, longer, n + 1, key));
	free(longer);
	free(bytes);
}

/* A header that is wrong, with a hash that is right. */
static void *lie(size_t *n, enum cofl_image_part part, uint64_t offset,
		 uint64_t elements)
{
	struct cofl_image_header *h = make(n);
	struct cof_hash hash;

	h->part[part].offset = offset;
	h->part[part].n = elements;
	memset(h->hash, 0, sizeof(h->hash));
	cof_hash_init(&hash);
	cof_hash_add(&hash, h, *n);
	cof_hash_end(&hash, h->hash);
	return h;
}

static void parts_must_lie_inside(void **state)
{
	static const struct {
		uint64_t offset, n;
	} lies[] = {
		{ UINT64_MAX, 1 }, { 0, UINT64_MAX }, { 1 << 20, 0 },
		{ UINT64_MAX - 3, 4 }, { 64, 1 << 20 },
		{ 64, UINT64_MAX / 4 + 20 },
	};
	struct cofl_image image;
	size_t n;

	(void)state;
	for (int part = 0; part < COFL_IMAGE_PARTS; part++) {
		for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
			void *bytes = lie(&n, (enum cofl_image_part)part,
					  lies[i].offset, lies[i].n);

			assert_false(cofl_image_open(&image, bytes, n, key));
			free(bytes);
		}
	}
}

static bool opens(const struct cofl_image_parts *parts)
{
	struct cofl_image image;
	size_t n;
	void *bytes = cofl_image_make(parts, key, &n);
	bool opened;

	assert_non_null(bytes);
	opened = cofl_image_open(&image, bytes, n, key);
	free(bytes);
	return opened;
}

/* The parts of an image that has names and these pieces only. */
static struct cofl_image_parts parts_of(const struct cofl_image_piece *piece,
					size_t n)
{
	return (struct cofl_image_parts){
		.part = { [COFL_IMAGE_NAMES] = names,
			  [COFL_IMAGE_PIECES] = piece,
			  [COFL_IMAGE_OBJECTS] = objects },
		.n = { [COFL_IMAGE_NAMES] = sizeof(names),
		       [COFL_IMAGE_PIECES] = n,
		       [COFL_IMAGE_OBJECTS] = sizeof(objects) },
	};
}

static void names_must_lie_among_the_names(void **state)
{
	static const struct cofl_image_method beyond = { sizeof(names), 1, 0 };
	static const struct cofl_image_pair bad_of = { 0, sizeof(names) };
	static const uint32_t far = UINT32_MAX;
	const struct {
		enum cofl_image_part part;
		const void *bad;
	} lies[] = {
		{ COFL_IMAGE_METHODS, &beyond },
		{ COFL_IMAGE_ALIASES, &bad_of },
		{ COFL_IMAGE_IFUNCS, &bad_of },
		{ COFL_IMAGE_STARTS, &far },
		{ COFL_IMAGE_ENDS, &far },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		struct cofl_image_parts parts = parts_of(pieces, 2);

		assert_true(opens(&parts));
		parts.part[lies[i].part] = lies[i].bad;
		parts.n[lies[i].part] = 1;
		assert_false(opens(&parts));
	}
}

static void pieces_must_lie_among_the_objects(void **state)
{
	static const struct cofl_image_piece lies[] = {
		{ 0, 71 }, { 1, 7 }, { 2, 0 }, { UINT32_MAX, 1 },
		{ 0, UINT32_MAX },
	};
	const size_t n_lies = sizeof(lies) / sizeof(*lies);

	(void)state;
	for (size_t i = 0; i < n_lies; i++) {
		struct cofl_image_parts parts = parts_of(&lies[i], 1);

		assert_false(opens(&parts));
	}
	assert_false(opens(&(struct cofl_image_parts){
		.part = { [COFL_IMAGE_NAMES] = names },
		.n = { [COFL_IMAGE_NAMES] = sizeof(names) } })); /* none */
}

static void the_key_follows_the_bitcode(void **state)
{
	uint8_t hash[COFL_HASH_BYTES] = { 0 }, one[COFL_HASH_BYTES];
	uint8_t again[COFL_HASH_BYTES], other[COFL_HASH_BYTES];

	(void)state;
	cofl_code_key(hash, one);
	cofl_code_key(hash, again);
	hash[7] = 1;
	cofl_code_key(hash, other);
	assert_memory_equal(one, again, sizeof(one));
	assert_memory_not_equal(one, other, sizeof(one));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_made_is_read_back),
		cmocka_unit_test(equal_parts_make_equal_bytes),
		cmocka_unit_test(another_key_is_another_image),
		cmocka_unit_test(no_byte_can_change_unnoticed),
		cmocka_unit_test(a_part_of_an_image_is_none),
		cmocka_unit_test(parts_must_lie_inside),
		cmocka_unit_test(names_must_lie_among_the_names),
		cmocka_unit_test(pieces_must_lie_among_the_objects),
		cmocka_unit_test(the_key_follows_the_bitcode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
