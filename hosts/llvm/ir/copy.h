/*
 * copy.h - one copy of the program's bitcode, in an LLVM context of its own
 *
 * An LLVM context belongs to one thread at a time, so whoever builds takes a
 * copy that is free (module/copy_pool.h). Bodies are read when asked for.
 * Opening renames and exports what is local to the file, always in the same
 * way, so that a name means the same function in every copy.
 *
 * Thread: the holder of `lock`, but for open and dispose.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "support/map.h"
#include "support/recover.h"

enum cofl_level { COFL_FAST, COFL_LESS, COFL_DEFAULT, COFL_BEST, COFL_LEVELS };

/* The numbers of a program's functions, where the order in the file is not
 * theirs. */
struct cofl_numbering {
	uint32_t n;
	/* The number of the function that the file calls so; -1: it has none,
	 * and is no method. */
	int64_t (*number)(const void *ctx, const char *name, size_t length);
	const void *ctx;
};

struct cofl_copy {
	pthread_mutex_t      lock;
	const struct cofl_numbering *numbering;	/* NULL: as in the file */
	LLVMContextRef       context;
	LLVMModuleRef        module;
	LLVMBuilderRef       builder;
	LLVMPassManagerRef   reader;	/* empty: running it reads a body */
	LLVMTargetMachineRef machine[COFL_LEVELS];	/* made when needed */

	/* Functions with a body in the file, by number. */
	LLVMValueRef        *function;
	bool                *is_read;	/* by number: by cofl_copy_body() */
	uint32_t             n_functions;
	struct cofl_map      index;	/* LLVMValueRef -> its number + 1 */

	char                 error[256]; /* LLVM's last error, one line */
	bool                 globals_are_far; /* reached through the GOT */
	bool                 is_spoilt;	/* see cofl_copy_try() */
};

/*
 * Open a copy of `bitcode`, which must outlive it, as `numbering` must. Returns
 * NULL if the file is not a program for this machine; why[] says what is wrong
 * with it.
 */
struct cofl_copy *cofl_copy_open(LLVMMemoryBufferRef bitcode,
				 const struct cofl_numbering *numbering,
				 char *why, size_t why_bytes);
void cofl_copy_dispose(struct cofl_copy *copy);

/*
 * cofl_recover() for what uses the copy's context. False: LLVM gave up, and the
 * copy is spoilt. In its context there are references to frames that are gone.
 * So nothing of it may be used any more, and nothing of it is freed.
 */
bool cofl_copy_try(struct cofl_copy *copy, cofl_recover_fn *f, void *arg,
		   char *why, size_t why_bytes);

/* LLVMDisposeModule() for a module in the copy's context. */
void cofl_copy_drop(const struct cofl_copy *copy, LLVMModuleRef module);

/* Read the body of function number `i`. False, with copy->error: the file is
 * damaged. */
bool cofl_copy_body(struct cofl_copy *copy, uint32_t i);

/* The number of `f`, or -1 if the program has no body for it. */
int64_t cofl_copy_number(const struct cofl_copy *copy, LLVMValueRef f);

/* Owned by the copy. */
LLVMTargetMachineRef cofl_copy_machine(struct cofl_copy *copy,
				       enum cofl_level level);
