/*
 * newdelete.c - C++'s operators new and delete: the program's, else libstdc++'s
 *
 * Process-wide: cof-llvm defines them, and all libraries find them here.
 * libstdc++'s end in malloc() and free(), so the compiler's blocks stay in its
 * arena.
 */
#include <stddef.h>
#include <stdlib.h>

#include "exe/rtld_next.h"
#include "malloc/replaced.h"

#define API __attribute__((visibility("default")))

/* The next definition is libstdc++'s. */
static uintptr_t libstdcxxs(enum replaced what)
{
	static void *_Atomic known[N_REPLACED];

	return (uintptr_t)next_of(&known[what], replaced_name[what]);
}

/* The program must not free a block of the arena's. */
static uintptr_t replaced_delete(enum replaced what, const void *p)
{
	uintptr_t own = replaced(what);

	return own != 0 && !cof_arena_holds(p) ? own : 0;
}

/* NEW(what, name, types, args, first): the types and names of the arguments
 * after the size, and what is tried before libstdc++'s operator, which tries
 * the same, calls the new handler and throws. If the program has some of the
 * operators, libstdc++'s others call those. Tags are passed by reference,
 * alignments as numbers. */
#define COMMA ,
#define NEW(what, name, types, args, first) \
	void *name(size_t bytes types); \
	API void *name(size_t bytes types) \
	{ \
		uintptr_t own = replaced(REPLACED_##what); \
		void *p; \
		if (own == 0 && (p = first) != NULL) \
			return p; \
		if (own == 0) \
			own = libstdcxxs(REPLACED_##what); \
		return ((void *(*)(size_t types))own)(bytes args); \
	}
#define DELETE(what, name, types, args) \
	void name(void *p types); \
	API void name(void *p types) \
	{ \
		uintptr_t own = replaced_delete(REPLACED_##what, p); \
		if (own == 0 && replaced_operators) \
			own = libstdcxxs(REPLACED_##what); \
		if (own != 0) \
			((void (*)(void *types))own)(p args); \
		else \
			free(p); \
	}

#define TAG      COMMA const void *tag
#define ALIGN    COMMA size_t align
#define SIZE     COMMA size_t size

#define PLAIN (replaced_operators ? NULL : malloc(bytes > 0 ? bytes : 1))

NEW(NEW, _Znwm, , , PLAIN)
NEW(NEW_ARRAY, _Znam, , , PLAIN)
NEW(NEW_NOTHROW, _ZnwmRKSt9nothrow_t, TAG, COMMA tag, NULL)
NEW(NEW_ARRAY_NOTHROW, _ZnamRKSt9nothrow_t, TAG, COMMA tag, NULL)
NEW(NEW_ALIGNED, _ZnwmSt11align_val_t, ALIGN, COMMA align, NULL)
NEW(NEW_ARRAY_ALIGNED, _ZnamSt11align_val_t, ALIGN, COMMA align, NULL)
NEW(NEW_ALIGNED_NOTHROW, _ZnwmSt11align_val_tRKSt9nothrow_t, ALIGN TAG,
    COMMA align COMMA tag, NULL)
NEW(NEW_ARRAY_ALIGNED_NOTHROW, _ZnamSt11align_val_tRKSt9nothrow_t, ALIGN TAG,
    COMMA align COMMA tag, NULL)

DELETE(DELETE, _ZdlPv, , )
DELETE(DELETE_ARRAY, _ZdaPv, , )
DELETE(DELETE_SIZED, _ZdlPvm, SIZE, COMMA size)
DELETE(DELETE_ARRAY_SIZED, _ZdaPvm, SIZE, COMMA size)
DELETE(DELETE_NOTHROW, _ZdlPvRKSt9nothrow_t, TAG, COMMA tag)
DELETE(DELETE_ARRAY_NOTHROW, _ZdaPvRKSt9nothrow_t, TAG, COMMA tag)
DELETE(DELETE_ALIGNED, _ZdlPvSt11align_val_t, ALIGN, COMMA align)
DELETE(DELETE_ARRAY_ALIGNED, _ZdaPvSt11align_val_t, ALIGN, COMMA align)
DELETE(DELETE_SIZED_ALIGNED, _ZdlPvmSt11align_val_t, SIZE ALIGN,
       COMMA size COMMA align)
DELETE(DELETE_ARRAY_SIZED_ALIGNED, _ZdaPvmSt11align_val_t, SIZE ALIGN,
       COMMA size COMMA align)
DELETE(DELETE_ALIGNED_NOTHROW, _ZdlPvSt11align_val_tRKSt9nothrow_t, ALIGN TAG,
       COMMA align COMMA tag)
DELETE(DELETE_ARRAY_ALIGNED_NOTHROW, _ZdaPvSt11align_val_tRKSt9nothrow_t,
       ALIGN TAG, COMMA align COMMA tag)
