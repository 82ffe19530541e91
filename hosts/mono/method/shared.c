/*
 * shared.c - make an instance with Object for every placeholder
 *
 * Any reference type would do. The program has no use for the instance, which
 * may break a constraint on its arguments. That does not matter: only the
 * shared body is kept and run.
 */
#include "method/shared.h"

#include <mono/metadata/class.h>
#include <mono/utils/mono-error.h>

#include "vm/method_flags.h"
#include "vm/internals.h"

#define ARGUMENTS_MAX 16	/* placeholders are numbered below it */

/* Object for every placeholder, of classes and of methods. */
static MonoGenericContext objects(void)
{
	MonoType *object = mono_class_get_type(mono_get_object_class());
	MonoType *all[ARGUMENTS_MAX];
	MonoGenericInst *inst;

	for (uint32_t i = 0; i < ARGUMENTS_MAX; i++)
		all[i] = object;
	inst = mono_metadata_get_generic_inst(ARGUMENTS_MAX, all);
	return (MonoGenericContext){ inst, inst };
}

/* Does the compiler make the body of `mono` if it is given `instance`? */
static bool leads_to(MonoMethod *instance, MonoMethod *mono)
{
	MonoMethod *shared;
	MonoError error;

	mono_error_init(&error);
	if (!mono_method_is_generic_sharable_full(instance, 0, 0, 0))
		return false;
	shared = mini_get_shared_method_full(instance, 0, &error);
	mono_error_cleanup(&error);
	return shared == mono;
}

MonoMethod *cofm_shared_instance(MonoMethod *mono)
{
	MonoGenericContext context;
	MonoMethod *instance;
	MonoError error;

	if (!cofm_method_is_inflated(mono))
		return mono;
	context = objects();
	mono_error_init(&error);
	instance = mono_class_inflate_generic_method_checked(mono, &context,
							     &error);
	mono_error_cleanup(&error);
	if (instance == mono)
		return mono;
	return instance && leads_to(instance, mono) ? instance : NULL;
}
