/*
 * image_tables.h - what an image has beside its code: names, and what is run when
 *
 * Of all methods, in whatever piece they are; filled from one copy, whose bodies
 * need not be read.
 */
#pragma once

#include "ir/copy.h"
#include "image/image.h"
#include "ir/list.h"

struct cofl_image_tables {
	uint32_t                  n_methods;
	struct cofl_image_method *method;	/* by number; what a body shows is
						 * the caller's to fill in */
	struct cofl_list          aliases, ifuncs, starts, ends, names;
};

void cofl_image_tables(struct cofl_image_tables *t, struct cofl_copy *copy);
void cofl_image_tables_free(struct cofl_image_tables *t);

/* As parts of an image; the tables must outlive them. */
void cofl_image_tables_parts(const struct cofl_image_tables *t,
			     struct cofl_image_parts *parts);
