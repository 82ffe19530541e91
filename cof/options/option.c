/*
 * option.c - the options of opts.def, as data; no code here names an option
 */
#include "options/option.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct cof_option cof_option_table[] = {
#define COF_OPT_UINT(n, g, d, lo, hi, u, text) \
	{ .name = #n, .group = COF_OPT_FOR_##g, .kind = COF_IS_UINT, \
	  .offset = offsetof(struct cof_opts, n), \
	  .dflt = d, .min = lo, .max = hi, .unit = #u, .doc = text },
#define COF_OPT_BOOL(n, g, d, text) \
	{ .name = #n, .group = COF_OPT_FOR_##g, .kind = COF_IS_BOOL, \
	  .offset = offsetof(struct cof_opts, n), \
	  .dflt = d, .doc = text },
#define COF_OPT_ENUM(n, g, d, list, text) \
	{ .name = #n, .group = COF_OPT_FOR_##g, .kind = COF_IS_ENUM, \
	  .offset = offsetof(struct cof_opts, n), \
	  .words = list, .word = #d, .doc = text },
#define COF_OPT_STR(n, g, text) \
	{ .name = #n, .group = COF_OPT_FOR_##g, .kind = COF_IS_STR, \
	  .offset = offsetof(struct cof_opts, n), \
	  .doc = text },
#include "options/opts.def"
};

const size_t cof_option_table_len =
	sizeof(cof_option_table) / sizeof(cof_option_table[0]);

bool *cof_option_bool(const struct cof_opts *o, const struct cof_option *d)
{
	return (bool *)((char *)o + d->offset);
}

uint32_t *cof_option_u32(const struct cof_opts *o, const struct cof_option *d)
{
	return (uint32_t *)((char *)o + d->offset);
}

static char *at_str(const struct cof_opts *o, const struct cof_option *d)
{
	return (char *)o + d->offset;
}

int cof_option_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (int i = 0; ; i++) {
		size_t n = strcspn(words, "|");

		if (n == len && memcmp(words, word, n) == 0)
			return i;
		if (words[n] == '\0')
			return -1;
		words += n + 1;
	}
}

/* Copy word number i of "a|b|c". */
static void word_copy(const char *words, uint32_t i, char *buf, size_t bytes)
{
	while (i-- > 0)
		words += strcspn(words, "|") + 1;
	snprintf(buf, bytes, "%.*s", (int)strcspn(words, "|"), words);
}

static bool parse_uint(const struct cof_option *d, const char *s, uint32_t *out)
{
	uint64_t n = 0;

	if (*s == '\0')
		return false;
	for (; *s != '\0'; s++) {
		if (*s < '0' || *s > '9')
			return false;
		n = n * 10 + (uint64_t)(*s - '0');
		if (n > d->max)
			return false;
	}
	if (n < d->min)
		return false;
	*out = (uint32_t)n;
	return true;
}

static bool parse_bool(const char *s, bool *out)
{
	/* False words have even places. */
	int i = cof_option_word("false|true|off|on|no|yes|0|1", s);

	if (i < 0)
		return false;
	*out = i & 1;
	return true;
}

/* STR takes any text: unescape() in opts.c checked its length. */
bool cof_option_set(struct cof_opts *o, const struct cof_option *d,
		    const char *value)
{
	int i;

	switch (d->kind) {
	case COF_IS_UINT:
		return parse_uint(d, value, cof_option_u32(o, d));
	case COF_IS_BOOL:
		return parse_bool(value, cof_option_bool(o, d));
	case COF_IS_ENUM:
		i = cof_option_word(d->words, value);
		if (i < 0)
			return false;
		*cof_option_u32(o, d) = (uint32_t)i;
		return true;
	case COF_IS_STR:
		snprintf(at_str(o, d), COF_OPT_STR_MAX, "%s", value);
		return true;
	}
	return false;
}

void cof_option_get(const struct cof_opts *o, const struct cof_option *d,
		    char *buf, size_t bytes)
{
	switch (d->kind) {
	case COF_IS_UINT:
		snprintf(buf, bytes, "%" PRIu32, *cof_option_u32(o, d));
		break;
	case COF_IS_BOOL:
		snprintf(buf, bytes, "%s",
			 *cof_option_bool(o, d) ? "true" : "false");
		break;
	case COF_IS_ENUM:
		word_copy(d->words, *cof_option_u32(o, d), buf, bytes);
		break;
	case COF_IS_STR:
		snprintf(buf, bytes, "%s", at_str(o, d));
		break;
	}
}

void cof_option_range(const struct cof_option *d, char *buf, size_t bytes)
{
	switch (d->kind) {
	case COF_IS_UINT:
		snprintf(buf, bytes, "a number from %" PRIu32 " to %" PRIu32,
			 d->min, d->max);
		break;
	case COF_IS_BOOL:
		snprintf(buf, bytes, "true or false");
		break;
	case COF_IS_ENUM:
		snprintf(buf, bytes, "one of %s", d->words);
		break;
	case COF_IS_STR:
		snprintf(buf, bytes, "text of up to %d bytes, with \\, for a "
			 "comma and \\\\ for a backslash", COF_OPT_STR_MAX - 1);
		break;
	}
}

static bool same_letter(char a, char b)
{
	return (a == '-' ? '_' : a) == (b == '-' ? '_' : b);
}

const struct cof_option *cof_option_find(const char *name, size_t len)
{
	for (size_t i = 0; i < cof_option_table_len; i++) {
		size_t k = 0;

		if (strlen(cof_option_table[i].name) != len)
			continue;
		while (k < len && same_letter(cof_option_table[i].name[k],
					     name[k]))
			k++;
		if (k == len)
			return &cof_option_table[i];
	}
	return NULL;
}
