/*
 * method.h - methods libcof knows of
 */
#ifndef COFM_METHOD_H
#define COFM_METHOD_H

#include "host.h"

/*
 * Give m to libcof as `name`, with [m->start, m->start + m->size) as version 0:
 * what Mono has compiled or has from an image. Not inside cofm_enter(). False:
 * no memory, and m is the caller's. Thread: SAM.
 */
bool cofm_method_add(struct cofm_method *m, const char *name);

/* The one known for `mono`; NULL: it was never sampled. */
struct cofm_method *cofm_method_find(struct cofm *host, MonoMethod *mono);

/* From now on nothing is built of it. */
void cofm_method_decline(struct cofm_method *m, enum cofm_declined why);

bool cofm_is_declined(const struct cofm_method *m);

/* One line to libcof's log for each reason: methods, and samples they got. */
void cofm_declined_report(struct cofm *host);

#endif /* COFM_METHOD_H */
