/*
 * option.h - one option: its description, and its value in a struct cof_opts
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options/opts.h"

enum cof_option_kind { COF_IS_UINT, COF_IS_BOOL, COF_IS_ENUM, COF_IS_STR };

/* The column `for` of opts.def; help lists the groups in this order. */
enum cof_option_group {
	COF_OPT_FOR_user, COF_OPT_FOR_tune, COF_OPT_FOR_test, COF_OPT_GROUPS
};

struct cof_option {
	const char *name;
	enum cof_option_kind kind;
	enum cof_option_group group;
	size_t      offset;		/* in struct cof_opts, bytes */
	uint32_t    dflt, min, max;	/* UINT; dflt also BOOL */
	const char *words;		/* ENUM: "a|b|c" */
	const char *word;		/* ENUM: the default, one of words */
	const char *unit;		/* UINT */
	const char *doc;
};

extern const struct cof_option cof_option_table[];
extern const size_t            cof_option_table_len;

/*
 * The option whose name is the first `len` bytes of `name`. "-" is as good as
 * "_". NULL: there is none.
 */
const struct cof_option *cof_option_find(const char *name, size_t len);

/* The option's field in *o. The caller picks the function by its kind. */
bool     *cof_option_bool(const struct cof_opts *o, const struct cof_option *d);
uint32_t *cof_option_u32(const struct cof_opts *o, const struct cof_option *d);

/* Set it from text, unescaped. False: not a value of this option. */
bool cof_option_set(struct cof_opts *o, const struct cof_option *d,
		    const char *value);

/* Get it as text, unescaped. */
void cof_option_get(const struct cof_opts *o, const struct cof_option *d,
		    char *buf, size_t bytes);

/* Say what values it may have, for messages: follows "option NAME: ". */
void cof_option_range(const struct cof_option *d, char *buf, size_t bytes);

/* The place of `word` among "a|b|c", or -1. */
int  cof_option_word(const char *words, const char *word);
