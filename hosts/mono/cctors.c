/*
 * cctors.c - in the place of Mono's function that runs them
 *
 * Where a method is compiled for the first time, by the thread that is to run it,
 * Mono may run the constructors of classes whose fields it reads. On a thread of
 * libcof's that would be the program's code in the wrong thread, and it may wait
 * for others.
 */
#include "cctors.h"

#include <string.h>

#include "internals.h"

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
	/* Without texts: not everybody would free them. */
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
