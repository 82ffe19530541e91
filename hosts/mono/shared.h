/*
 * shared.h - one body for many instances
 *
 * Mono compiles a generic method once for all arguments that are references, and
 * the body belongs to a method with placeholders for them. The compiler does not
 * take that one: it takes an instance, and finds the placeholders by itself.
 */
#ifndef COFM_SHARED_H
#define COFM_SHARED_H

#include "host.h"

/*
 * What to give Mono's compiler so that it compiles the body of `mono`: `mono`
 * itself, or if that is shared an instance of it. NULL: no instance is known to
 * lead to it. Inside cofm_enter().
 */
MonoMethod *cofm_shared_instance(MonoMethod *mono);

#endif /* COFM_SHARED_H */
