/*
 * tuning_parse.h - "name=value,name=value" into the fields of a table's struct
 *
 * A table has a prefix, and reads only names that begin with it. libcof's own
 * names have no dot; those of a host begin with "HOST.". So one text sets the
 * constants of all tables, and each table reports what is wrong with its own.
 *
 * Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct cof_tune {
	const char *name;
	bool        is_real;	/* a double, else a uint32_t */
	size_t      offset;	/* of its field, bytes */
	double      least, most;
};

struct cof_tune_table {
	const char            *prefix;	/* "": names without a dot */
	const struct cof_tune *entry;
	size_t                 n;
};

/*
 * Apply `list` to `values`, the table's struct. Returns 0, or -COF_E_INVAL:
 * then `why` says which item is wrong, and the items before it were applied.
 */
int cof_tuning_parse(const struct cof_tune_table *table, void *values,
		     const char *list, char *why, size_t why_bytes);
