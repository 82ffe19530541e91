/*
 * llvm.c - struct cofl_module, as libcof-llvm.so has it
 */
#include "module/llvm.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

#include "compile/data.h"
#include "dynlib/link_names.h"
#include "image/program_load.h"
#include "ir/copy.h"
#include "ir/ifunc.h"
#include "ir/libcall.h"
#include "ir/llvm_shim.h"
#include "module/callbacks.h"
#include "module/check.h"
#include "module/first_call.h"
#include "module/image_build.h"
#include "module/join.h"
#include "support/fatal.h"
#include "support/memory_reserve.h"
#include "support/tuning.h"

/*
 * Copy an interpreter's dispatch behind each handler before register
 * allocation, as LLVM did up to version 18. Newer ones do so later, and not at
 * all if the dispatch is more than a jump. Then the edges of 83 handlers meet
 * in one block, and take registers from each other (docs/design.md).
 *
 * The limits are on a block's predecessors and successors: a copy has as many
 * edges as there are handlers, so compile time would grow with their square.
 * LLVM's options are process-wide: a program that uses libLLVM has them, too.
 */
static void copy_dispatches(void)
{
	char in[48], out[48];

	snprintf(in, sizeof(in), "-tail-dup-pred-size=%u",
		 (unsigned)COFL_TUNE(tail_dup));
	snprintf(out, sizeof(out), "-tail-dup-succ-size=%u",
		 (unsigned)COFL_TUNE(tail_dup));
	LLVMParseCommandLineOptions(3, (const char *[]){ "cof", in, out }, "");
}

static void out_of_memory(const char *reason)
{
	cofl_memory_reserve_refused();
	cofl_fatal_by_llvm(reason);
}

static void init_llvm(void)
{
	static bool done;

	LLVMInstallFatalErrorHandler(cofl_fatal_by_llvm);
	if (!done)
		cofl_llvm_shim_out_of_memory(out_of_memory);
	done = true;
	copy_dispatches();
	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86Target();
	LLVMInitializeX86TargetMC();
	LLVMInitializeX86AsmPrinter();
	LLVMInitializeX86AsmParser();
}

/* The executable has the one table that leads into the body. */
static void pin(void *host, uint32_t number)
{
	((struct cofl *)host)->method[number].pinned = true;
}

static bool open_host(struct cofl *host, char *why, size_t why_bytes)
{
	init_llvm();
	host->bitcode = LLVMCreateMemoryBufferWithMemoryRange(
		host->bytes, host->n_bytes, "", 0);
	host->copy = cofl_copy_open(host->bitcode, host->numbering, why,
				    why_bytes);
	if (host->copy == NULL)
		return false;
	cofl_guest_lock_set(&host->guest_lock, &host->copy->lock);
	if (host->numbering != NULL) {
		cofl_libcalls_find(host);
		cofl_data_pin(host->copy, pin, host);
	}
	return true;
}

/* -- Linking --------------------------------------------------------------- */

static void link_names(struct cofl *host)
{
	struct cofl_copy *copy = host->copy;

	cofl_link_names_begin(host, copy->n_functions, copy->n_functions);
	for (uint32_t i = 0; i < host->n_methods; i++)
		cofl_link_names_method(host, i,
				       cofl_data_name(copy->function[i]),
				       LLVMGetAlignment(copy->function[i]));
	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(copy->module); a != NULL;
	     a = LLVMGetNextGlobalAlias(a))
		if (LLVMIsAFunction(LLVMAliasGetAliasee(a)))
			cofl_link_names_alias(host, cofl_data_name(a),
					      cofl_data_name(
						LLVMAliasGetAliasee(a)));
	for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(copy->module); i != NULL;
	     i = LLVMGetNextGlobalIFunc(i))
		cofl_link_names_ifunc(host, cofl_data_name(i));
	for (LLVMValueRef f = LLVMGetFirstFunction(copy->module); f != NULL;
	     f = LLVMGetNextFunction(f))
		if (LLVMIsDeclaration(f))
			cofl_link_names_hazard(host, cofl_data_name(f));
}

/* LLVM's static objects that are first used here must not be destroyed while
 * workers compile (exe/interpose.c). */
static int load_data(struct cofl *host, char *why, size_t why_bytes)
{
	int err;

	cof_compile_enter();
	err = cofl_data_load(host, why, why_bytes);
	cof_compile_leave();
	return err;
}

static const char *find_undefined(struct cofl *host)
{
	const char *missing;

	cof_compile_enter();
	missing = cofl_data_undefined(host);
	cof_compile_leave();
	return missing;
}

static bool link_host(struct cofl *host, char *why, size_t why_bytes)
{
	link_names(host);
	if (cofl_symbols_get(&host->symbols, "main")->address == 0) {
		snprintf(why, why_bytes, "no main function in the program");
		return false;
	}
	return load_data(host, why, why_bytes) == 0;
}

static bool bind_host(struct cofl *host, char *why, size_t why_bytes)
{
	int err = cofl_program_load_bind(host, why, why_bytes);
	const char *missing;

	LLVMDisposeMemoryBuffer(host->data);
	host->data = NULL;
	if (err != 0)
		return false;
	cofl_libcalls_find(host);
	missing = find_undefined(host);
	if (missing != NULL) {
		snprintf(why, why_bytes, "undefined symbol %.400s", missing);
		return false;
	}
	for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(host->copy->module);
	     i != NULL; i = LLVMGetNextGlobalIFunc(i))
		cofl_link_names_resolve(host, cofl_data_name(i),
					cofl_data_name(cofl_ifunc_resolver(i)));
	return true;
}

/* -- The rest -------------------------------------------------------------- */

static void *make_image(const void *bytes, size_t n_bytes,
			const uint8_t key[COFL_HASH_BYTES],
			struct cofl_image_stream *stream, size_t *n_image,
			char *why, size_t why_bytes)
{
	init_llvm();
	return cofl_image_build(bytes, n_bytes, key, stream, n_image, why,
				why_bytes);
}

static bool check(const void *bytes, size_t n_bytes, char *why,
		  size_t why_bytes)
{
	init_llvm();
	return cofl_check(bytes, n_bytes, why, why_bytes);
}

__attribute__((visibility("default")))
const struct cofl_module cofl_module_llvm = {
	.open = open_host, .callbacks = cofl_callbacks,
	.link = link_host, .bind = bind_host,
	.first_calls = cofl_first_call_ahead,
	.rebuild = cofl_callbacks_rebuild, .image = make_image,
	.check = check, .join = cofl_join,
};
