/*
 * body.h - what belongs to one compiled body, and its end
 *
 * Mono has no use for a second body of a method, so it never frees one. What one
 * holds is: code in a code manager of its own, the record that stack walks find,
 * its lines (lines.h), and places in lists of jumps still to be bound.
 */
#ifndef COFM_BODY_H
#define COFM_BODY_H

#include <stdint.h>

#include "host.h"

struct cofm_body {
	MonoJitInfo *info;
	uint8_t     *code;
	uint32_t     size;
	void        *dynamic;	/* Mono's, with `manager`; NULL: as that */
	void        *manager;	/* its own code memory; NULL: Mono's, for ever */
};

/*
 * Mono ends what has code memory of its own when its domain ends, unless it forgets
 * it: what it has for `mono` is this body, just compiled. False: it has not, so it is
 * not the known Mono. Inside cofm_enter().
 */
bool cofm_body_take(struct cofm *host, MonoMethod *mono,
		    const struct cofm_body *body);

/* Nobody is in it any more. Any thread of libcof's, outside of cofm_enter(). */
void cofm_body_free(struct cofm *host, const struct cofm_body *body);

#endif /* COFM_BODY_H */
