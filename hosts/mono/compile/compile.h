/*
 * compile.h - Mono's compiler, called for one method
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "compile/body.h"

/*
 * Compile `m`, which is live, with the optimizations `opt`. `own`: the code
 * gets memory of its own, which can be freed. The caller holds the domains and
 * host->compiling, and is inside cofm_attach_enter(). 0, or -1: Mono does not
 * compile it.
 */
int cofm_compile(struct cofm_method *m, uint32_t opt, bool own,
		 struct cofm_body *out);
