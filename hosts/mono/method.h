/*
 * method.h - methods libcof knows of
 */
#ifndef COFM_METHOD_H
#define COFM_METHOD_H

#include "host.h"

/*
 * What Mono has compiled for `mono`, or has from an image, and is to be added.
 * Inside cofm_enter(), or on a thread of Mono's. NULL: no memory.
 */
struct cofm_method *cofm_method_new(struct cofm *host, MonoMethod *mono,
				    MonoJitInfo *info);

/*
 * Give m to libcof, with that code as version 0. Not inside cofm_enter(). False,
 * and m is gone: no memory, or it is known already.
 */
bool cofm_method_add(struct cofm_method *m);

/* The one known for `mono`; NULL: it was never sampled, or compiled in mode pgo. */
struct cofm_method *cofm_method_find(struct cofm *host, MonoMethod *mono);

/* From now on nothing is built of it. */
void cofm_method_decline(struct cofm_method *m, enum cofm_declined why);

bool cofm_is_declined(const struct cofm_method *m);

/* One line to libcof's log for each reason: methods, and samples they got. */
void cofm_declined_report(struct cofm *host);

#endif /* COFM_METHOD_H */
