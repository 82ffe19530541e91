/*
 * callbacks.h - the host's callbacks for libcof
 */
#ifndef COFM_COMPILE_CALLBACKS_H
#define COFM_COMPILE_CALLBACKS_H

#include "cof.h"

struct cofm;

/* For cof_start(). */
struct cof_host cofm_callbacks(struct cofm *host);

#endif /* COFM_COMPILE_CALLBACKS_H */
