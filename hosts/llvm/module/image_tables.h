/*
 * image_tables.h - what an image has beside its code: names, constructors
 *
 * The tables cover all methods, in whatever piece they are. They are filled in
 * from one copy, whose bodies need not be read.
 */
#pragma once

#include "image/image.h"
#include "ir/copy.h"
#include "ir/list.h"

struct cofl_image_tables {
	uint32_t                  n_methods;
	struct cofl_image_method *method;	/* by number; the caller fills
						 * in what bodies show */
	struct cofl_list          aliases, ifuncs, starts, ends, names;
};

void cofl_image_tables(struct cofl_image_tables *t, struct cofl_copy *copy);
void cofl_image_tables_free(struct cofl_image_tables *t);

/* Add them as parts of an image. The tables must outlive it. */
void cofl_image_tables_parts(const struct cofl_image_tables *t,
			     struct cofl_image_parts *parts);
