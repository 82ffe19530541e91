/*
 * link_names.h - names get addresses
 *
 * Used alike whether the names come from bitcode or from an image. Thread: the
 * one that opens the program, before any of its code runs.
 */
#ifndef COFL_DYNLIB_LINK_NAMES_H
#define COFL_DYNLIB_LINK_NAMES_H

#include "program/host.h"

/* Room for so many methods, and for about so many names. */
void cofl_link_names_begin(struct cofl *host, uint32_t n_methods, size_t n_names);

/* Method number `i` is called `name`, as in every copy (ir/copy.h). */
void cofl_link_names_method(struct cofl *host, uint32_t i, const char *name);

/* Another name of method `of`. */
void cofl_link_names_alias(struct cofl *host, const char *name, const char *of);

/* A name that a resolver decides on, once the data is there. */
void cofl_link_names_ifunc(struct cofl *host, const char *name);
void cofl_link_names_resolve(struct cofl *host, const char *name,
		       const char *resolver);

/* The program uses `name`, which it does not define. */
void cofl_link_names_hazard(struct cofl *host, const char *name);

#endif /* COFL_DYNLIB_LINK_NAMES_H */
