/*
 * callbacks.h - the host's callbacks for libcof
 */
#pragma once

#include "cof.h"

struct cofm;

/* For cof_start(). */
struct cof_host cofm_callbacks(struct cofm *host);
