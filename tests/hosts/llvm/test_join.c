/*
 * test_join.c - bitcode of many objects is joined to one, in time that grows as
 * its bytes do
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>

#include "ir_text.h"
#include "module/llvm.h"
#include "support/record.h"

static char  *parts;
static size_t n_parts;

static void add_bytes(const void *from, size_t n)
{
	parts = realloc(parts, n_parts + n);
	assert_non_null(parts);
	memcpy(parts + n_parts, from, n);
	n_parts += n;
}

static void add_part(const char *text)
{
	LLVMContextRef context;
	LLVMModuleRef module = ir_text(text, &context);
	LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
	struct cofl_record record;

	cofl_record_make(&record, COFL_RECORD_BITCODE,
			 LLVMGetBufferStart(bitcode),
			 LLVMGetBufferSize(bitcode));
	add_bytes(&record, sizeof(record));
	add_bytes(LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode));
	LLVMDisposeMemoryBuffer(bitcode);
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
}

/* The number of functions defined in what the parts are joined to; -1: they
 * cannot be, and `why` says so. Forgets the parts. */
static int join(char *why, size_t why_bytes)
{
	LLVMContextRef context = LLVMContextCreate();
	LLVMMemoryBufferRef bitcode;
	LLVMModuleRef module;
	int n = 0;
	size_t n_joined;
	void *joined = cofl_module_llvm.join(parts, n_parts, &n_joined, why,
					     why_bytes);

	free(parts);
	parts = NULL;
	n_parts = 0;
	if (joined == NULL)
		return -1;
	bitcode = LLVMCreateMemoryBufferWithMemoryRange(joined, n_joined, "",
							0);
	assert_false(LLVMParseBitcodeInContext2(context, bitcode, &module));
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL;
	     f = LLVMGetNextFunction(f))
		n += !LLVMIsDeclaration(f);
	LLVMDisposeMemoryBuffer(bitcode);
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	free(joined);
	return n;
}

static void parts_are_joined(void **state)
{
	char why[256];

	(void)state;
	add_part("define linkonce_odr i32 @both() {\n  ret i32 1\n}\n"
		 "define i32 @f() {\n  %x = call i32 @both()\n"
		 "  ret i32 %x\n}\n");
	add_bytes("\0\0\0", 4);		/* between sections */
	add_part("define linkonce_odr i32 @both() {\n  ret i32 1\n}\n"
		 "define i32 @g() {\n  %x = call i32 @both()\n"
		 "  ret i32 %x\n}\n");
	assert_int_equal(join(why, sizeof(why)), 3);
}

static void what_cannot_be_joined_is_said(void **state)
{
	char why[256] = "";

	(void)state;
	add_part("define i32 @f() {\n  ret i32 1\n}\n");
	add_part("define i32 @f() {\n  ret i32 2\n}\n");
	assert_int_equal(join(why, sizeof(why)), -1);
	assert_non_null(strstr(why, "'f'"));
	add_part("define i32 @f() {\n  ret i32 1\n}\n");
	add_bytes("text", 4);
	assert_int_equal(join(why, sizeof(why)), -1);
	assert_non_null(strstr(why, "damaged"));
}

/* Each part has types of its own. */
static void many_parts_are_joined(void **state)
{
	enum { PARTS = 500 };
	char text[512], why[256];

	(void)state;
	for (int i = 0; i < PARTS; i++) {
		snprintf(text, sizeof(text),
			 "%%s%d = type { [%d x i32], ptr, i64 }\n"
			 "define i64 @f%d(ptr %%p) {\n"
			 "  %%a = getelementptr %%s%d, ptr %%p, i32 0, i32 2\n"
			 "  %%x = load i64, ptr %%a\n  ret i64 %%x\n}\n", i,
			 i + 1, i, i);
		add_part(text);
	}
	assert_int_equal(join(why, sizeof(why)), PARTS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_joined),
		cmocka_unit_test(what_cannot_be_joined_is_said),
		cmocka_unit_test(many_parts_are_joined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
