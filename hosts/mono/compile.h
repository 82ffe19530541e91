/*
 * compile.h - Mono's compiler, called for one method
 */
#ifndef COFM_COMPILE_H
#define COFM_COMPILE_H

#include <stdbool.h>
#include <stdint.h>

#include "host.h"

/* One compiled body. */
struct cofm_body {
	MonoJitInfo *info;
	uint8_t     *code;
	uint32_t     size;
	void        *manager;	/* its own code memory; NULL: Mono's, for ever */
};

/*
 * Compile `m` with the optimizations `opt`. `own`: in code memory of its own,
 * which can be freed. The caller holds host->compiling and is inside
 * cofm_enter(). 0, or -1: Mono will not.
 */
int cofm_compile(struct cofm_method *m, uint32_t opt, bool own,
		 struct cofm_body *out);

/* Nobody is in it any more. Inside cofm_enter(). */
void cofm_body_free(struct cofm *host, const struct cofm_body *body);

#endif /* COFM_COMPILE_H */
