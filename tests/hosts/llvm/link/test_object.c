/*
 * test_object.c - an object file is read inside its bounds only
 */
#include "link/object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The smallest object: a header, no code, one symbol. */
static struct file {
	Elf64_Ehdr header;
	Elf64_Sym  symbol[2];
	char       names[16], section_names[32];
	Elf64_Shdr section[4];
} file;

static int setup(void **state)
{
	(void)state;
	memset(&file, 0, sizeof(file));
	memcpy(file.header.e_ident, ELFMAG, SELFMAG);
	file.header.e_ident[EI_CLASS] = ELFCLASS64;
	file.header.e_type = ET_REL;
	file.header.e_machine = EM_X86_64;
	file.header.e_shoff = offsetof(struct file, section);
	file.header.e_shnum = 4;
	file.header.e_shstrndx = 3;
	strcpy(file.names + 1, "main");
	strcpy(file.section_names + 1, ".symtab");
	file.symbol[1].st_name = 1;
	file.section[1] = (Elf64_Shdr){
		.sh_name = 1, .sh_type = SHT_SYMTAB, .sh_link = 2,
		.sh_offset = offsetof(struct file, symbol),
		.sh_size = sizeof(file.symbol) };
	file.section[2] = (Elf64_Shdr){
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct file, names),
		.sh_size = sizeof(file.names) };
	file.section[3] = (Elf64_Shdr){
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct file, section_names),
		.sh_size = sizeof(file.section_names) };
	return 0;
}

static bool opens(size_t n)
{
	struct cofl_object o;

	return cofl_object_open(&o, &file, n);
}

static void names_and_counts_are_found(void **state)
{
	struct cofl_object o;

	(void)state;
	assert_true(cofl_object_open(&o, &file, sizeof(file)));
	assert_int_equal(o.n_sections, 4);
	assert_int_equal(o.n_symbols, 2);
	assert_string_equal(cofl_object_symbol_name(&o, 1), "main");
	assert_string_equal(cofl_object_section_name(&o, 1), ".symtab");
}

static void a_truncated_file_is_refused(void **state)
{
	(void)state;
	for (size_t n = 0; n < sizeof(file); n++)
		assert_false(opens(n));
}

static void another_machine_or_kind_is_refused(void **state)
{
	(void)state;
	file.header.e_machine = EM_AARCH64;
	assert_false(opens(sizeof(file)));
	file.header.e_machine = EM_X86_64;
	file.header.e_type = ET_EXEC;
	assert_false(opens(sizeof(file)));
	file.header.e_type = ET_REL;
	file.header.e_ident[EI_CLASS] = ELFCLASS32;
	assert_false(opens(sizeof(file)));
}

static void a_section_outside_the_file_is_refused(void **state)
{
	(void)state;
	file.section[2].sh_size = sizeof(file);
	assert_false(opens(sizeof(file)));
	file.section[2].sh_size = UINT64_MAX;
	assert_false(opens(sizeof(file)));
	file.section[2].sh_type = SHT_NOBITS;	/* has no bytes */
	assert_true(opens(sizeof(file)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(names_and_counts_are_found, setup),
		cmocka_unit_test_setup(a_truncated_file_is_refused, setup),
		cmocka_unit_test_setup(another_machine_or_kind_is_refused,
				       setup),
		cmocka_unit_test_setup(a_section_outside_the_file_is_refused,
				       setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
