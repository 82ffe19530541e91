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

#include "ir/blockaddress.h"
#include "ir/copy.h"
#include "ir/libcall.h"
#include "ir/llvm_shim.h"
#include "module/callbacks.h"
#include "module/copy_pool.h"
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
 * This copy of LLVM is the module's alone. A program that uses LLVM has its
 * own, without these options.
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

/*
 * A variable table of blockaddresses exists once, and the executable has the
 * body that it leads into: that method is pinned. A constant table is copied
 * with each body (ir/clone.c).
 */
static void pin_methods(struct cofl *host, const struct cofl_copy *copy)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(copy->module); g != NULL;
	     g = LLVMGetNextGlobal(g)) {
		LLVMValueRef f;
		int64_t number;

		if (LLVMIsGlobalConstant(g) || LLVMGetInitializer(g) == NULL)
			continue;
		f = cofl_blockaddress_owner(LLVMGetInitializer(g));
		number = f != NULL ? cofl_copy_number(copy, f) : -1;
		if (number >= 0)
			host->method[number].pinned = true;
	}
}

static bool open_host(struct cofl *host, char *why, size_t why_bytes)
{
	struct cofl_copy *copy;

	init_llvm();
	host->bitcode = LLVMCreateMemoryBufferWithMemoryRange(
		host->bytes, host->n_bytes, "", 0);
	copy = cofl_copy_pool_begin(host, why, why_bytes);
	if (copy == NULL)
		return false;
	cofl_libcalls_find(host);
	pin_methods(host, copy);
	return true;
}

__attribute__((visibility("default")))
const struct cofl_module cofl_module_llvm = {
	.open = open_host, .callbacks = cofl_callbacks,
};
