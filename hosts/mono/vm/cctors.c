/*
 * cctors.c - stands in for Mono's function that runs class constructors
 *
 * Mono's compiler may run the constructor of a class whose fields a method
 * reads. That is right when the thread that is to run the method compiles it.
 * On a thread of libcof's it would run the program's code in the wrong thread,
 * and that code may wait for other threads.
 */
#include "vm/cctors.h"

#include <string.h>

#include "vm/internals.h"

static _Thread_local bool held, missing;

static bool is_initialized(const MonoVTable *vtable)
{
	return __atomic_load_n((const uint8_t *)vtable +
			       COFM_VTABLE_INITIALIZED, __ATOMIC_ACQUIRE) != 0;
}

MonoBoolean __wrap_mono_runtime_class_init_full(MonoVTable *vtable,
						MonoError *error)
{
	if (!held || is_initialized(vtable))
		return __real_mono_runtime_class_init_full(vtable, error);
	missing = true;
	/* An error without texts, since not every caller frees them. */
	memset(error, 0, COFM_ERROR_BYTES);
	error->error_code = MONO_ERROR_GENERIC;
	return false;
}

void cofm_cctors_begin(void)
{
	held = true;
	missing = false;
}

bool cofm_cctors_end(void)
{
	held = false;
	return missing;
}
