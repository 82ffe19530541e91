/*
 * new_methods.h - mode pgo: methods whose turn it is to be instrumented
 *
 *	first version added   --just_compiled-->  P/O
 *	first sample, by SAM  --cof->touched--->  P/O	(cof_host.adds_uncalled)
 *
 * A first version that is sampled stays until it was taken here: nobody else
 * replaces it in mode pgo.
 */
#pragma once

#include "optimizer/instrumented/just_compiled.h"

struct cof;
struct cof_build;
struct cof_picker;

struct cof_new_methods {
	struct cof_just_compiled just_compiled;
	struct cof_method       *taken;	/* P/O's: of these, the next one */
};

/* P/O: the next build; NULL: there is none, and nothing is left. */
struct cof_build *cof_new_methods_next(struct cof *cof,
				       struct cof_new_methods *new,
				       struct cof_picker *picker);

/* P/O has stopped: count what is left as dropped. */
void cof_new_methods_stop(struct cof *cof, struct cof_new_methods *new);
