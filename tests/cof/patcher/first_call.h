/*
 * first_call.h - a method whose host makes the first version at its first call
 */
#pragma once

#include <stdatomic.h>

#include "instance.h"
#include "tests/support/piece.h"

static struct cof        *cof;
static struct cof_method *method;
static const void        *target;	/* what the first version jumps to */
static _Atomic int        asked;
static void             (*in_first_call)(void);

static inline void first_call(void *ctx, void *data)
{
	struct piece p = { .n = 0 };

	assert_ptr_equal(ctx, &cof);
	assert_ptr_equal(data, &target);
	asked++;
	if (in_first_call)
		in_first_call();
	piece_jump_c(&p, target);
	piece_add(cof, method, &p, NULL);
}

static const struct piece *the_piece;

static inline void add_the_piece(void *ctx, void *data)
{
	(void)ctx;
	(void)data;
	asked++;
	piece_add(cof, method, the_piece, NULL);
}

static inline int first_call_setup(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "test",
				 .ctx = &cof, .first_call = first_call };

	(void)state;
	asked = 0;
	in_first_call = NULL;
	if (cof_start(&host, "mode=off,stats=none,code_mb=16", NULL, &cof) != 0)
		return -1;
	return cof_method_add(cof, "m", &target, &method);
}

static inline int first_call_teardown(void **state)
{
	(void)state;
	cof_free(cof);
	return 0;
}
