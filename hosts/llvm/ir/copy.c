/*
 * copy.c - open bitcode lazily, and make its names unique
 */
#include "ir/copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "ir/frame.h"
#include "ir/instruction.h"
#include "ir/sink.h"
#include "support/tuning.h"
#include "support/xcalloc.h"

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *arg)
{
	struct cofl_copy *copy = arg;
	char *text;

	if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
		return;
	text = LLVMGetDiagInfoDescription(info);
	snprintf(copy->error, sizeof(copy->error), "%s", text);
	LLVMDisposeMessage(text);
}

/*
 * Name what has no name, and rename what is local to the file: a static
 * function called `read` must not be found as libc's, nor libc's as it.
 */
static void rename_local(LLVMValueRef v, const char *kind, uint32_t number)
{
	size_t length;
	const char *name = LLVMGetValueName2(v, &length);
	LLVMLinkage linkage = LLVMGetLinkage(v);
	char *other;

	if (length == 0)
		other = cofl_xcalloc_printf("cof.%s.%u", kind, number);
	else if (linkage == LLVMInternalLinkage ||
		 linkage == LLVMPrivateLinkage)
		other = cofl_xcalloc_printf("%s.cof", name);
	else
		return;
	LLVMSetValueName2(v, other, strlen(other));
	free(other);
}

/* All units see the one definition, whatever its linkage was. */
static void export(LLVMValueRef v)
{
	LLVMSetLinkage(v, LLVMExternalLinkage);
	LLVMSetVisibility(v, LLVMDefaultVisibility);
	LLVMSetComdat(v, NULL);
}

static bool is_defined(LLVMValueRef v)
{
	return !LLVMIsDeclaration(v) &&
	       LLVMGetLinkage(v) != LLVMAvailableExternallyLinkage;
}

static bool is_llvms(LLVMValueRef v)
{
	size_t length;
	const char *name = LLVMGetValueName2(v, &length);

	return length >= 5 && memcmp(name, "llvm.", 5) == 0;
}

/* "\1NAME" is NAME without a prefix, and x86-64 Linux has no prefix. */
static void unmangle(LLVMValueRef v)
{
	size_t length;
	const char *name = LLVMGetValueName2(v, &length);
	char *plain;

	if (length < 2 || *name != 1)
		return;
	plain = cofl_xcalloc_dup(name + 1);
	LLVMSetValueName2(v, plain, length - 1);
	free(plain);
}

static void unmangle_all(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL;
	     f = LLVMGetNextFunction(f))
		unmangle(f);
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g != NULL;
	     g = LLVMGetNextGlobal(g))
		unmangle(g);
	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a != NULL;
	     a = LLVMGetNextGlobalAlias(a))
		unmangle(a);
	for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(module); i != NULL;
	     i = LLVMGetNextGlobalIFunc(i))
		unmangle(i);
}

static uint32_t count_functions(const struct cofl_copy *copy)
{
	uint32_t n = 0;

	if (copy->numbering != NULL)
		return copy->numbering->n;
	for (LLVMValueRef f = LLVMGetFirstFunction(copy->module); f != NULL;
	     f = LLVMGetNextFunction(f))
		n += is_defined(f);
	return n;
}

static int64_t number_of(const struct cofl_copy *copy, LLVMValueRef f,
			 uint32_t in_file)
{
	size_t length;
	const char *name = LLVMGetValueName2(f, &length);

	return copy->numbering == NULL ? in_file :
	       copy->numbering->number(copy->numbering->ctx, name, length);
}

static void number_functions(struct cofl_copy *copy)
{
	uint32_t in_file = 0;

	copy->n_functions = count_functions(copy);
	copy->function = cofl_xcalloc(copy->n_functions,
				      sizeof(*copy->function));
	copy->is_read = cofl_xcalloc(copy->n_functions,
				     sizeof(*copy->is_read));
	for (LLVMValueRef f = LLVMGetFirstFunction(copy->module); f != NULL;
	     f = LLVMGetNextFunction(f)) {
		int64_t number;

		if (!is_defined(f))
			continue;
		number = number_of(copy, f, in_file);
		rename_local(f, "fn", in_file++);
		export(f);
		if (number < 0)
			continue;
		copy->function[number] = f;
		cofl_map_put(&copy->index, f,
			     (void *)(uintptr_t)(number + 1));
	}
}

static void name_globals(struct cofl_copy *copy)
{
	uint32_t n = 0;

	for (LLVMValueRef g = LLVMGetFirstGlobal(copy->module); g != NULL;
	     g = LLVMGetNextGlobal(g), n++) {
		if (!is_defined(g) || is_llvms(g))
			continue;
		rename_local(g, "data", n);
		export(g);
	}
	n = 0;
	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(copy->module); a != NULL;
	     a = LLVMGetNextGlobalAlias(a))
		rename_local(a, "alias", n++);
	n = 0;
	for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(copy->module); i != NULL;
	     i = LLVMGetNextGlobalIFunc(i))
		rename_local(i, "ifunc", n++);
}

/* "x86_64-pc-linux-gnu" fits; so does a file that names none. */
static bool triple_fits(const char *triple)
{
	return *triple == '\0' ||
	       (strncmp(triple, "x86_64-", 7) == 0 &&
		strstr(triple, "linux") != NULL &&
		strstr(triple, "x32") == NULL);
}

/* A file without a data layout has the machine's. */
static void fill_layout(struct cofl_copy *copy)
{
	LLVMTargetDataRef layout;

	if (*LLVMGetDataLayoutStr(copy->module) != '\0')
		return;
	layout = LLVMCreateTargetDataLayout(cofl_copy_machine(copy, COFL_FAST));
	LLVMSetModuleDataLayout(copy->module, layout);
	LLVMDisposeTargetData(layout);
}

/* What is there after a failure is cofl_copy_dispose()'s to free. */
static bool fill(struct cofl_copy *copy, LLVMMemoryBufferRef bitcode, char *why,
		 size_t why_bytes)
{
	LLVMMemoryBufferRef view;

	copy->context = LLVMContextCreate();
	LLVMContextSetDiscardValueNames(copy->context, 1);
	LLVMContextSetDiagnosticHandler(copy->context, on_diagnostic, copy);
	view = LLVMCreateMemoryBufferWithMemoryRange(
		LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode), "", 0);
	if (LLVMGetBitcodeModuleInContext2(copy->context, view,
					   &copy->module)) {
		snprintf(why, why_bytes, "not a bitcode program: %s",
			 *copy->error ? copy->error : "damaged");
		copy->module = NULL;
		return false;
	}
	if (!triple_fits(LLVMGetTarget(copy->module))) {
		snprintf(why, why_bytes,
			 "bitcode for %s, and this machine is x86_64-linux",
			 LLVMGetTarget(copy->module));
		return false;
	}
	LLVMStripModuleDebugInfo(copy->module);
	copy->builder = LLVMCreateBuilderInContext(copy->context);
	copy->reader = LLVMCreateFunctionPassManagerForModule(copy->module);
	fill_layout(copy);
	unmangle_all(copy->module);
	number_functions(copy);
	name_globals(copy);
	return true;
}

struct cofl_copy *cofl_copy_open(LLVMMemoryBufferRef bitcode,
				 const struct cofl_numbering *numbering,
				 char *why, size_t why_bytes)
{
	struct cofl_copy *copy = cofl_xcalloc(1, sizeof(*copy));

	copy->numbering = numbering;
	pthread_mutex_init(&copy->lock, NULL);
	if (fill(copy, bitcode, why, why_bytes))
		return copy;
	cofl_copy_dispose(copy);
	return NULL;
}

bool cofl_copy_try(struct cofl_copy *copy, cofl_recover_fn *f, void *arg,
		   char *why, size_t why_bytes)
{
	if (cofl_recover(f, arg, why, why_bytes))
		return true;
	copy->is_spoilt = true;
	return false;
}

void cofl_copy_drop(const struct cofl_copy *copy, LLVMModuleRef module)
{
	if (!copy->is_spoilt)
		LLVMDisposeModule(module);
}

static void free_llvms(struct cofl_copy *copy)
{
	for (int i = 0; i < COFL_LEVELS; i++)
		if (copy->machine[i] != NULL)
			LLVMDisposeTargetMachine(copy->machine[i]);
	if (copy->reader != NULL)
		LLVMDisposePassManager(copy->reader);
	if (copy->builder != NULL)
		LLVMDisposeBuilder(copy->builder);
	if (copy->module != NULL)
		LLVMDisposeModule(copy->module);
	LLVMContextDispose(copy->context);
}

void cofl_copy_dispose(struct cofl_copy *copy)
{
	if (copy == NULL)
		return;
	if (!copy->is_spoilt)
		free_llvms(copy);
	cofl_map_free(&copy->index);
	free(copy->function);
	free(copy->is_read);
	pthread_mutex_destroy(&copy->lock);
	free(copy);
}

/* The function itself is none. */
static bool is_small(void *arg, LLVMValueRef callee)
{
	struct cofl_copy *copy = arg;
	int64_t number = cofl_copy_number(copy, callee);

	return number >= 0 && cofl_copy_body(copy, (uint32_t)number) &&
	       cofl_instruction_count(callee) <=
	       COFL_TUNE(inline_recursion_callee);
}

bool cofl_copy_body(struct cofl_copy *copy, uint32_t i)
{
	LLVMValueRef f = copy->function[i];

	if (f == NULL) {
		snprintf(copy->error, sizeof(copy->error),
			 "function %u is not in the bitcode", i);
		return false;
	}
	if (copy->is_read[i])
		return true;
	/* An empty function pass manager reads the body. An error in the file
	 * goes to LLVM's fatal error handler (support/fatal.h). LLVM itself
	 * reads bodies that the addresses of labels lead into. */
	if (LLVMCountBasicBlocks(f) == 0)
		LLVMRunFunctionPassManager(copy->reader, f);
	if (LLVMVerifyFunction(f, LLVMReturnStatusAction)) {
		snprintf(copy->error, sizeof(copy->error),
			 "damaged bitcode in function %s",
			 LLVMGetValueName2(f, &(size_t){ 0 }));
		return false;
	}
	cofl_sink(f);
	cofl_frame_keep_apart(f);
	copy->is_read[i] = true;
	cofl_frame_keep_calls(f, is_small, copy);
	return true;
}

int64_t cofl_copy_number(const struct cofl_copy *copy, LLVMValueRef f)
{
	return (int64_t)(uintptr_t)cofl_map_get(&copy->index, f) - 1;
}
