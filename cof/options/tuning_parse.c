/*
 * tuning_parse.c - see tuning_parse.h
 */
#include "options/tuning_parse.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cof.h"

#define NUMBER_BYTES 32u	/* no number is written longer */

static const struct cof_tune *find(const struct cof_tune_table *table,
				   const char *name, size_t len)
{
	for (size_t i = 0; i < table->n; i++)
		if (strncmp(table->entry[i].name, name, len) == 0 &&
		    table->entry[i].name[len] == '\0')
			return &table->entry[i];
	return NULL;
}

/*
 * A decimal number, maybe with a point or an exponent: nothing else that
 * strtod(3) takes, and no locale's comma.
 */
static bool read_number(const char *s, size_t len, double *out)
{
	char text[NUMBER_BYTES], *end;

	if (len == 0 || len >= sizeof(text) ||
	    strspn(s, "0123456789.e+-") < len)
		return false;
	memcpy(text, s, len);
	text[len] = '\0';
	*out = strtod(text, &end);
	return *end == '\0';
}

static bool set(const struct cof_tune *t, void *values, double value)
{
	char *field = (char *)values + t->offset;

	if (!(value >= t->least && value <= t->most))
		return false;
	if (t->is_real) {
		*(double *)(void *)field = value;
	} else {
		if (value != (double)(uint32_t)value)
			return false;
		*(uint32_t *)(void *)field = (uint32_t)value;
	}
	return true;
}

static bool is_ours(const struct cof_tune_table *table, const char *name,
		    size_t len)
{
	size_t n = strlen(table->prefix);

	return n == 0 ? memchr(name, '.', len) == NULL :
			len >= n && memcmp(name, table->prefix, n) == 0;
}

static int parse_item(const struct cof_tune_table *table, void *values,
		      const char *s, size_t len, char *why, size_t why_bytes)
{
	const char *eq = memchr(s, '=', len);
	size_t name_len = eq ? (size_t)(eq - s) : len;
	size_t skip = strlen(table->prefix);
	const struct cof_tune *t;
	double value;

	if (!is_ours(table, s, name_len))
		return 0;
	t = find(table, s + skip, name_len - skip);
	if (t == NULL) {
		snprintf(why, why_bytes, "COF_TUNING: no constant \"%.*s\"",
			 name_len < 40 ? (int)name_len : 40, s);
		return -COF_E_INVAL;
	}
	if (eq == NULL || !read_number(eq + 1, len - name_len - 1, &value) ||
	    !set(t, values, value)) {
		snprintf(why, why_bytes,
			 "COF_TUNING: %s%s is a %snumber from %g to %g",
			 table->prefix, t->name, t->is_real ? "" : "whole ",
			 t->least, t->most);
		return -COF_E_INVAL;
	}
	return 0;
}

int cof_tuning_parse(const struct cof_tune_table *table, void *values,
		     const char *list, char *why, size_t why_bytes)
{
	while (*list != '\0') {
		size_t len = strcspn(list, ",");
		int err = len ? parse_item(table, values, list, len, why,
					   why_bytes) : 0;

		if (err)
			return err;
		list += len + (list[len] == ',');
	}
	return 0;
}
