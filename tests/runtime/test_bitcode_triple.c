/*
 * test_bitcode_triple.c - the triple of bitcode that LLVM wrote, and of what
 * is none
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>

#include "runtime/bitcode_triple.h"

static char *bytes;
static size_t n;

/* A module with a body, attributes and metadata. */
static void write_module(const char *triple)
{
	LLVMContextRef context = LLVMContextCreate();
	LLVMModuleRef m = LLVMModuleCreateWithNameInContext("name", context);
	LLVMTypeRef word = LLVMInt32TypeInContext(context);
	LLVMValueRef f = LLVMAddFunction(m, "f", LLVMFunctionType(word, NULL,
								  0, false));
	LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
	LLVMMemoryBufferRef buffer;

	if (triple != NULL)
		LLVMSetTarget(m, triple);
	LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)-1,
		LLVMCreateStringAttribute(context, "key", 3, "value", 5));
	LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, f,
								  ""));
	LLVMBuildRet(b, LLVMConstInt(word, 3, false));
	buffer = LLVMWriteBitcodeToMemoryBuffer(m);
	n = LLVMGetBufferSize(buffer);
	bytes = malloc(n);
	assert_non_null(bytes);
	memcpy(bytes, LLVMGetBufferStart(buffer), n);
	LLVMDisposeMemoryBuffer(buffer);
	LLVMDisposeBuilder(b);
	LLVMDisposeModule(m);
	LLVMContextDispose(context);
}

static void expect(const char *want)
{
	char got[BITCODE_TRIPLE_BYTES];

	if (want == NULL) {
		assert_false(bitcode_triple_read(bytes, n, got));
	} else {
		assert_true(bitcode_triple_read(bytes, n, got));
		assert_string_equal(got, want);
	}
	free(bytes);
}

static void a_triple_is_found(void **state)
{
	static const char longest[] =
		"x86_64-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-xxxx";
	char cut[BITCODE_TRIPLE_BYTES] = "";

	(void)state;
	write_module("x86_64-pc-linux-gnu");
	assert_true(bitcode_triple_begins(bytes, n));
	expect("x86_64-pc-linux-gnu");
	write_module("aarch64-unknown-linux-gnu");
	expect("aarch64-unknown-linux-gnu");
	memcpy(cut, longest, sizeof(cut) - 1);
	write_module(longest);
	expect(cut);
}

static void a_module_may_have_none(void **state)
{
	(void)state;
	write_module(NULL);
	expect(NULL);
}

/* magic, version, offset, size, processor; then the bitcode */
static void a_wrapper_is_looked_into(void **state)
{
	static const uint32_t head[5] = { 0x0b17c0de, 0, sizeof(head), 0, 7 };
	char *wrapped;

	(void)state;
	write_module("i386-pc-linux-gnu");
	wrapped = malloc(sizeof(head) + n);
	assert_non_null(wrapped);
	memcpy(wrapped, head, sizeof(head));
	memcpy(wrapped + sizeof(head), bytes, n);
	free(bytes);
	bytes = wrapped;
	n += sizeof(head);
	assert_true(bitcode_triple_begins(bytes, n));
	expect("i386-pc-linux-gnu");
}

/* Each copy is as long as it is, so that a tool for memory sees each byte that
 * is read behind it. */
static void all_that_is_cut_short_ends(void **state)
{
	char got[BITCODE_TRIPLE_BYTES];
	size_t whole, least = 0;

	(void)state;
	write_module("x86_64-pc-linux-gnu");
	whole = n;
	for (size_t k = whole; k-- > 0;) {
		char *part = malloc(k > 0 ? k : 1);

		assert_non_null(part);
		memcpy(part, bytes, k);
		if (bitcode_triple_read(part, k, got))
			least = k;
		free(part);
	}
	assert_in_range(least, 40, whole - 1);
	free(bytes);
}

static void any_flipped_bit_ends(void **state)
{
	char got[BITCODE_TRIPLE_BYTES];

	(void)state;
	write_module("x86_64-pc-linux-gnu");
	for (size_t bit = 0; bit < 8 * n; bit++) {
		bytes[bit / 8] ^= (char)(1 << bit % 8);
		if (bitcode_triple_read(bytes, n, got))
			assert_in_range(strlen(got), 0,
					BITCODE_TRIPLE_BYTES - 1);
		bytes[bit / 8] ^= (char)(1 << bit % 8);
	}
	expect("x86_64-pc-linux-gnu");
}

static void other_bytes_are_no_bitcode(void **state)
{
	char got[BITCODE_TRIPLE_BYTES];

	(void)state;
	assert_false(bitcode_triple_begins("BC", 2));
	assert_false(bitcode_triple_begins("\177ELF", 4));
	assert_false(bitcode_triple_read("text, and no bitcode", 20, got));
	assert_false(bitcode_triple_read("\336\300\027\013\0\0\0\0", 8, got));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_triple_is_found),
		cmocka_unit_test(a_module_may_have_none),
		cmocka_unit_test(a_wrapper_is_looked_into),
		cmocka_unit_test(all_that_is_cut_short_ends),
		cmocka_unit_test(any_flipped_bit_ends),
		cmocka_unit_test(other_bytes_are_no_bitcode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
