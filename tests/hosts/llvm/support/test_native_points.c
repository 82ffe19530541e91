/*
 * test_native_points.c - the points in an executable's code are found, and no
 * damaged record of them is taken
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "support/native_points.h"

enum { N = 4 };

static struct cofl_native_point table[N];

static int begin(void **state)
{
	static const struct cofl_native_point good[N] = {
		{ 0x1010, 0x1000, 0x8000, 0, 3 },
		{ 0x1030, 0x1000, 0x8000, 2, 3 },
		{ 0x1038, 0x1000, 0x8000, 2, 3 },	/* twice in the code */
		{ 0x2010, 0x2000, 0x8030, 0, 1 },
	};

	(void)state;
	memcpy(table, good, sizeof(good));
	return 0;
}

/* Read the first `bytes`, in a block of that size. */
static bool opens_first(size_t bytes)
{
	const struct cofl_native_point *list;
	char *copy = malloc(bytes != 0 ? bytes : 1);
	size_t n;
	bool opened;

	assert_non_null(copy);
	memcpy(copy, table, bytes);
	opened = cofl_native_points_open(&list, &n, copy, bytes);
	free(copy);
	return opened;
}

static bool opens(void)
{
	return opens_first(sizeof(table));
}

static void a_functions_points_are_found(void **state)
{
	const struct cofl_native_point *list;
	size_t n, found;

	(void)state;
	assert_true(cofl_native_points_open(&list, &n, (const char *)table,
					    sizeof(table)));
	assert_int_equal(n, N);
	assert_ptr_equal(cofl_native_points_of(list, n, 0x1000, &found),
			 &table[0]);
	assert_int_equal(found, 3);
	assert_ptr_equal(cofl_native_points_of(list, n, 0x2000, &found),
			 &table[3]);
	assert_int_equal(found, 1);
	assert_null(cofl_native_points_of(list, n, 0x1800, &found));
	assert_null(cofl_native_points_of(list, n, 0x3000, &found));
	assert_null(cofl_native_points_of(list, 0, 0x1000, &found));
}

static void a_part_of_a_record_is_refused(void **state)
{
	(void)state;
	for (size_t n = 0; n <= sizeof(table); n++)
		assert_int_equal(opens_first(n), n % sizeof(*table) == 0);
}

static void what_cannot_be_is_refused(void **state)
{
	(void)state;
	assert_true(opens());
	table[1].loop = 3;
	assert_false(opens());
	begin(state);
	table[1].words += 16;
	assert_false(opens());
	begin(state);
	table[2].n_loops++;
	assert_false(opens());
	begin(state);
	table[3].words++;
	assert_false(opens());
	begin(state);
	table[0].at = 0;
	assert_false(opens());
}

static void records_out_of_order_are_refused(void **state)
{
	(void)state;
	table[2] = table[1];
	assert_false(opens());
	begin(state);
	table[3].entry = 0x800;
	assert_false(opens());
	begin(state);
	table[1].loop = 0;
	table[0].loop = 2;
	assert_false(opens());
}

/* Whatever bit is another one: what opens can be looked through. */
static void damaged_bytes_stay_inside(void **state)
{
	const struct cofl_native_point *list;
	unsigned opened = 0;
	size_t n, found;

	(void)state;
	for (size_t i = 0; i < sizeof(table); i++) {
		for (unsigned bit = 0; bit < 8; bit++) {
			((char *)table)[i] ^= (char)(1 << bit);
			opened += opens();
			if (cofl_native_points_open(&list, &n,
						    (const char *)table,
						    sizeof(table)))
				cofl_native_points_of(list, n, 0x1000, &found);
			((char *)table)[i] ^= (char)(1 << bit);
		}
	}
	/* Addresses may be anything. */
	assert_true(opened > 0);
	assert_true(opened < 8 * sizeof(table));
}

/* -- From the linker ------------------------------------------------------- */

static const char names[] = "\0" COFL_SECTION_POINTS "\0.names";

static struct file {
	Elf64_Ehdr head;
	Elf64_Shdr section[3];
	char       names[64];
	struct cofl_native_point record[3];
} file;

static int make_file(void **state)
{
	(void)state;
	memset(&file, 0, sizeof(file));
	memcpy(file.head.e_ident, ELFMAG, SELFMAG);
	file.head.e_ident[EI_CLASS] = ELFCLASS64;
	file.head.e_ident[EI_DATA] = ELFDATA2LSB;
	file.head.e_type = ET_DYN;
	file.head.e_machine = EM_X86_64;
	file.head.e_shoff = offsetof(struct file, section);
	file.head.e_shentsize = sizeof(Elf64_Shdr);
	file.head.e_shnum = 3;
	file.head.e_shstrndx = 2;
	file.section[1] = (Elf64_Shdr){
		.sh_name = 1, .sh_type = SHT_PROGBITS,
		.sh_offset = offsetof(struct file, record),
		.sh_size = sizeof(file.record) };
	file.section[2] = (Elf64_Shdr){
		.sh_name = 1 + sizeof(COFL_SECTION_POINTS),
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct file, names),
		.sh_size = sizeof(file.names) };
	memcpy(file.names, names, sizeof(names));
	file.record[0] = (struct cofl_native_point){ 0x2010, 0x2000, 0x8030, 0,
						     1 };
	file.record[1] = (struct cofl_native_point){ 0, 0, 0x8100, 0, 1 };
	file.record[2] = (struct cofl_native_point){ 0x1010, 0x1000, 0x8000, 0,
						     3 };
	return 0;
}

static void what_the_linker_discarded_is_left_out(void **state)
{
	struct cofl_native_point *list;
	size_t n;

	(void)state;
	list = cofl_native_points_collect((const char *)&file, sizeof(file),
					  &n);
	assert_non_null(list);
	assert_int_equal(n, 2);
	assert_memory_equal(&list[0], &file.record[2], sizeof(list[0]));
	assert_memory_equal(&list[1], &file.record[0], sizeof(list[1]));
	free(list);
}

static void a_section_of_another_size_is_none(void **state)
{
	size_t n = 1;

	(void)state;
	file.section[1].sh_size--;
	assert_null(cofl_native_points_collect((const char *)&file,
					       sizeof(file), &n));
	assert_int_equal(n, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, begin)
		TEST(a_functions_points_are_found),
		TEST(a_part_of_a_record_is_refused),
		TEST(what_cannot_be_is_refused),
		TEST(records_out_of_order_are_refused),
		TEST(damaged_bytes_stay_inside),
#define FILE_TEST(name) cmocka_unit_test_setup(name, make_file)
		FILE_TEST(what_the_linker_discarded_is_left_out),
		FILE_TEST(a_section_of_another_size_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
