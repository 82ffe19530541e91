/*
 * inlined_code.h - which parts of a body are of inlined callees
 *
 * Mono's maps from code to the IL know the method's own instructions only. Code
 * of a callee counts as the last one of these before it. That is wrong where
 * the compiler has moved a block, as it moves one that ends in a throw: to the
 * end of the body. Such code is to count as the call in the method.
 */
#pragma once

#include <stdint.h>

struct cofm_inlined_part {
	uint32_t start, end;	/* native offsets */
	uint32_t il_offset;	/* of the call */
};

struct cofm_inlined_code {
	struct cofm_inlined_part *part;	/* in order; the owner frees it */
	uint32_t                  n;
};

/* `cfg`: what Mono's compiler has compiled and not destroyed yet. */
void cofm_inlined_code_read(const void *cfg, struct cofm_inlined_code *out);

/* The IL offset of the call; -1: the code is the method's own. */
int64_t cofm_inlined_code_find(const struct cofm_inlined_code *code,
			       uint32_t native_offset);
