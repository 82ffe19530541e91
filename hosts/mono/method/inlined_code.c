/*
 * inlined_code.c - read the compiler's basic blocks
 *
 * A block knows where its IL is, which for a callee's is not in the method's,
 * and the offset of the call in the method.
 */
#include "method/inlined_code.h"

#include <stdbool.h>
#include <stdlib.h>

#include "vm/internals.h"

static bool is_inlined(const void *cfg, const void *block)
{
	const char *header = cofm_pointer_at(cfg, COFM_CFG_HEADER);
	const char *il = cofm_pointer_at(header, COFM_HEADER_CODE);
	const char *at = cofm_pointer_at(block, COFM_BLOCK_IL);

	return at && (uintptr_t)at - (uintptr_t)il >=
			     (uint32_t)cofm_int_at(header, COFM_HEADER_SIZE);
}

static struct cofm_inlined_part part_of(const void *block)
{
	uint32_t start = (uint32_t)cofm_int_at(block, COFM_BLOCK_NATIVE);

	return (struct cofm_inlined_part){
		start, start + (uint32_t)cofm_int_at(block, COFM_BLOCK_LENGTH),
		(uint32_t)cofm_int_at(block, COFM_BLOCK_REAL),
	};
}

/* Blocks are in the order of their code. Those of one call that follow each
 * other become one part. */
static void add(struct cofm_inlined_code *to, const struct cofm_inlined_part *p)
{
	struct cofm_inlined_part *last = to->n > 0 ? &to->part[to->n - 1] :
						     NULL;

	if (last && last->end == p->start && last->il_offset == p->il_offset)
		last->end = p->end;
	else
		to->part[to->n++] = *p;
}

void cofm_inlined_code_read(const void *cfg, struct cofm_inlined_code *out)
{
	const void *first = cofm_pointer_at(cfg, COFM_CFG_BLOCKS), *block;
	uint32_t n = 0;

	*out = (struct cofm_inlined_code){ .n = 0 };
	for (block = first; block; block = cofm_pointer_at(block,
							   COFM_BLOCK_NEXT))
		n += is_inlined(cfg, block);
	out->part = n > 0 ? calloc(n, sizeof(*out->part)) : NULL;
	if (!out->part)
		return;
	for (block = first; block; block = cofm_pointer_at(block,
							   COFM_BLOCK_NEXT)) {
		struct cofm_inlined_part p = part_of(block);

		if (is_inlined(cfg, block) && p.end > p.start)
			add(out, &p);
	}
}

int64_t cofm_inlined_code_find(const struct cofm_inlined_code *code,
			       uint32_t native_offset)
{
	for (uint32_t i = 0; i < code->n; i++)
		if (native_offset >= code->part[i].start &&
		    native_offset < code->part[i].end)
			return code->part[i].il_offset;
	return -1;
}
