/*
 * shared.h - generic methods: one body for many instances
 *
 * Mono compiles a generic method once for all arguments that are references.
 * The body belongs to a method with placeholders for the arguments. Mono's
 * compiler does not accept that method. It accepts an instance, and puts in the
 * placeholders by itself.
 */
#pragma once

#include "vm/host.h"

/*
 * The method that Mono's compiler has to be given to compile the body of
 * `mono`: `mono` itself, or an instance of it if it is shared. NULL: no
 * instance is known to lead to that body. Inside cofm_attach_enter().
 */
MonoMethod *cofm_shared_instance(MonoMethod *mono);
