/*
 * test_points.c - points in this test's own code are armed and disarmed, and
 * records that do not fit it are refused
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <stdatomic.h>
#include <sys/auxv.h>

#include "link/osr_points.h"
#include "native/points.h"

/* Returns 1 at its point, and 2 if that is armed. */
int test_points_f(void);
extern const unsigned char test_points_at[];
__asm__("	.text\n"
	"	.globl	test_points_f, test_points_at\n"
	"	.type	test_points_f, @function\n"
	"test_points_f:\n"
	"	mov	$1, %eax\n"
	"test_points_at:\n"
	"	.byte	0xa9\n"
	"	.long	1f - . - 4\n"
	"	ret\n"
	"1:	mov	$2, %eax\n"
	"	ret\n");

static struct cofl_word words[2];
static struct cofl_address entry;
static struct cofl_native_point record;
static struct cofl_executable executable;

static uintptr_t bias(void)
{
	const Elf64_Phdr *p = (const void *)getauxval(AT_PHDR);

	for (unsigned long i = 0; i < getauxval(AT_PHNUM); i++)
		if (p[i].p_type == PT_PHDR)
			return (uintptr_t)p - p[i].p_vaddr;
	return 0;
}

static int begin(void **state)
{
	(void)state;
	executable = (struct cofl_executable){
		.entry = &entry, .point = &record, .n_points = 1,
		.bias = bias() };
	entry.address = (uintptr_t)test_points_f - executable.bias;
	record = (struct cofl_native_point){
		.at = (uintptr_t)test_points_at - executable.bias,
		.entry = entry.address,
		.words = (uintptr_t)words - executable.bias,
		.loop = 1, .n_loops = 2 };
	return 0;
}

static bool is_taken(void)
{
	struct cofl_osr_points *p = cofl_points_of(&executable, 0);
	bool taken = p != NULL;

	cofl_osr_points_free(p);
	return taken;
}

static void a_point_is_armed_and_disarmed(void **state)
{
	static const bool first[2] = { true, false }, second[2] = { false,
								    true };
	struct cofl_osr_points *p = cofl_points_of(&executable, 0);

	(void)state;
	assert_non_null(p);
	assert_ptr_equal(p->word, words);
	assert_int_equal(test_points_f(), 1);
	cofl_osr_points_arm(p, first, true);
	assert_int_equal(test_points_f(), 1);
	for (int i = 0; i < 3; i++) {
		cofl_osr_points_arm(p, second, true);
		assert_int_equal(test_points_f(), 2);
		cofl_osr_points_arm(p, second, false);
		assert_int_equal(test_points_f(), 1);
	}
	cofl_osr_points_free(p);
}

static void a_function_without_points_has_none(void **state)
{
	(void)state;
	assert_true(is_taken());
	entry.address++;
	assert_false(is_taken());
}

static void what_is_no_point_is_refused(void **state)
{
	(void)state;
	record.at++;
	assert_false(is_taken());
	record.at = (uintptr_t)words - executable.bias;
	assert_false(is_taken());
	record.at = UINT64_MAX;
	assert_false(is_taken());
}

static void words_outside_the_data_are_refused(void **state)
{
	(void)state;
	record.words = record.at;
	assert_false(is_taken());
	record.words = UINT64_MAX - 7;
	assert_false(is_taken());
	begin(state);
	record.n_loops = UINT32_MAX;
	assert_false(is_taken());
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, begin)
		TEST(a_point_is_armed_and_disarmed),
		TEST(a_function_without_points_has_none),
		TEST(what_is_no_point_is_refused),
		TEST(words_outside_the_data_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
