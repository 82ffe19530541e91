/*
 * link_names.h - enter the program's names into the table of symbols
 *
 * The names come from bitcode or from an image. Thread: the one that opens the
 * program, before guest code runs.
 */
#pragma once

#include "program/host.h"

/* Allocate n_methods methods, and a table for about n_names names. */
void cofl_link_names_begin(struct cofl *host, uint32_t n_methods,
			   size_t n_names);

/* Method number `i` is called `name`, as in every copy (ir/copy.h). Its address
 * is a multiple of `align` bytes; 0: of what libcof aligns stubs to. */
void cofl_link_names_method(struct cofl *host, uint32_t i, const char *name,
			    uint32_t align);

/* `name` is another name of method `of`. */
void cofl_link_names_alias(struct cofl *host, const char *name, const char *of);

/* `name` is an ifunc: it gets a stub now, and its target from the resolver,
 * once the data is placed. */
void cofl_link_names_ifunc(struct cofl *host, const char *name);
void cofl_link_names_resolve(struct cofl *host, const char *name,
			     const char *resolver);

/* The program uses `name`, which it does not define. Disables reclaim if that
 * is a hazard (dynlib/symbol_overrides.h). Thread: any, at any time. */
void cofl_link_names_hazard(struct cofl *host, const char *name);
