/*
 * replaced.h - allocator functions that the program defines itself
 *
 *	malloc(n) --> on a thread of the program's --> its own, if it has one
 *	         \--> before it is bound, on other threads --> the arena
 *
 * Natively what an executable defines replaces libc's and libstdc++'s
 * functions: strdup(3) allocates there, and the program frees there. So
 * cof-llvm, whose functions all libraries find, passes their calls on. Only the
 * program's threads may use its allocator. Blocks made before the program is
 * bound, and by other threads, are in the arena, where their address shows it
 * (cof/memory/arena.h).
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "memory/arena.h"

/* One line each: what it is called here, and its name. */
#define REPLACED_ALLOCATOR(X) \
	X(MALLOC, "malloc") \
	X(CALLOC, "calloc") \
	X(REALLOC, "realloc") \
	X(FREE, "free") \
	X(POSIX_MEMALIGN, "posix_memalign") \
	X(MEMALIGN, "memalign") \
	X(ALIGNED_ALLOC, "aligned_alloc") \
	X(VALLOC, "valloc") \
	X(PVALLOC, "pvalloc") \
	X(USABLE, "malloc_usable_size")

#define REPLACED_OPERATORS(X) \
	X(NEW, "_Znwm") \
	X(NEW_ARRAY, "_Znam") \
	X(NEW_NOTHROW, "_ZnwmRKSt9nothrow_t") \
	X(NEW_ARRAY_NOTHROW, "_ZnamRKSt9nothrow_t") \
	X(NEW_ALIGNED, "_ZnwmSt11align_val_t") \
	X(NEW_ARRAY_ALIGNED, "_ZnamSt11align_val_t") \
	X(NEW_ALIGNED_NOTHROW, "_ZnwmSt11align_val_tRKSt9nothrow_t") \
	X(NEW_ARRAY_ALIGNED_NOTHROW, "_ZnamSt11align_val_tRKSt9nothrow_t") \
	X(DELETE, "_ZdlPv") \
	X(DELETE_ARRAY, "_ZdaPv") \
	X(DELETE_SIZED, "_ZdlPvm") \
	X(DELETE_ARRAY_SIZED, "_ZdaPvm") \
	X(DELETE_NOTHROW, "_ZdlPvRKSt9nothrow_t") \
	X(DELETE_ARRAY_NOTHROW, "_ZdaPvRKSt9nothrow_t") \
	X(DELETE_ALIGNED, "_ZdlPvSt11align_val_t") \
	X(DELETE_ARRAY_ALIGNED, "_ZdaPvSt11align_val_t") \
	X(DELETE_SIZED_ALIGNED, "_ZdlPvmSt11align_val_t") \
	X(DELETE_ARRAY_SIZED_ALIGNED, "_ZdaPvmSt11align_val_t") \
	X(DELETE_ALIGNED_NOTHROW, "_ZdlPvSt11align_val_tRKSt9nothrow_t") \
	X(DELETE_ARRAY_ALIGNED_NOTHROW, "_ZdaPvSt11align_val_tRKSt9nothrow_t")

enum replaced {
#define X(what, name) REPLACED_##what,
	REPLACED_ALLOCATOR(X) REPLACED_OPERATORS(X)
#undef X
	N_REPLACED
};

extern const char *const replaced_name[N_REPLACED];

/* The program's functions, constant once it is bound. 0: it has none. */
extern uintptr_t replaced_by[N_REPLACED];

/* Does the program define any of the operators? The others call those. */
extern bool replaced_operators;

/* Is the calling thread the program's? */
extern _Thread_local bool replaced_on_this_thread;

/* The program is not bound yet, or has malloc(3) of its own. */
extern _Atomic bool replaced_special;

/* The program's function, if the calling thread is to call it; else 0. */
static inline uintptr_t replaced(enum replaced what)
{
	uintptr_t own = replaced_by[what];

	return __builtin_expect(own != 0, 0) && replaced_on_this_thread &&
	       !cof_mem_compiling ? own : 0;
}

/* cof-llvm begins. Until the program is bound, all blocks are in the arena. */
void replaced_begin(void);

/* The program is bound, and the calling thread is its first. find(ctx, name) is
 * the program's function that libraries find by that name, or 0. */
void replaced_bound(uintptr_t (*find)(void *ctx, const char *name), void *ctx);
