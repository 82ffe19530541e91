/*
 * opts.c - parse and print lists of options
 *
 *	list  = item { "," item }	an empty item is skipped
 *	item  = name [ "=" value ]	"-" and "_" in names are the same
 *	value = any bytes but NUL; "," is written "\," and "\" is written "\\"
 */
#include "options/opts.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "cof.h"
#include "options/option.h"

void cof_opts_init(struct cof_opts *o)
{
	memset(o, 0, sizeof(*o));
	for (size_t i = 0; i < cof_option_table_len; i++) {
		const struct cof_option *d = &cof_option_table[i];

		if (d->kind == COF_IS_UINT)
			*cof_option_u32(o, d) = d->dflt;
		else if (d->kind == COF_IS_BOOL)
			*cof_option_bool(o, d) = d->dflt;
		else if (d->kind == COF_IS_ENUM)
			*cof_option_u32(o, d) =
				(uint32_t)cof_option_word(d->words, d->word);
	}
}

bool cof_opts_value(const struct cof_opts *o, const char *name, char *buf,
		    size_t bytes)
{
	const struct cof_option *d = cof_option_find(name, strlen(name));

	if (d == NULL)
		return false;
	cof_option_get(o, d, buf, bytes);
	return true;
}

/* Bytes up to the comma that ends this item. */
static size_t item_len(const char *s)
{
	size_t n = 0;

	while (s[n] != '\0' && s[n] != ',') {
		if (s[n] == '\\' && s[n + 1] != '\0')
			n++;
		n++;
	}
	return n;
}

/* Undo "\," and "\\". False: a "\" before another byte, or too long. */
static bool unescape(const char *s, size_t len, char buf[COF_OPT_STR_MAX])
{
	size_t out = 0;

	for (size_t i = 0; i < len; i++) {
		if (s[i] == '\\' && (++i == len || !strchr(",\\", s[i])))
			return false;
		if (out == COF_OPT_STR_MAX - 1)
			return false;
		buf[out++] = s[i];
	}
	buf[out] = '\0';
	return true;
}

/*
 * Copy a piece of the user's text for a message: cut to what a line has room
 * for, with '?' for control characters.
 */
#define QUOTE_BYTES 44
static const char *quote(const char *s, size_t len, char buf[QUOTE_BYTES])
{
	size_t n = len < QUOTE_BYTES ? len : QUOTE_BYTES - 4;

	for (size_t i = 0; i < n; i++)
		buf[i] = (unsigned char)s[i] < ' ' || s[i] == 0x7f ? '?' : s[i];
	snprintf(buf + n, QUOTE_BYTES - n, "%s", n < len ? "..." : "");
	return buf;
}

static bool parse_item(struct cof_opts *o, const char *s, size_t len,
		       char *why, size_t why_bytes)
{
	const char *eq = memchr(s, '=', len);
	size_t name_len = eq ? (size_t)(eq - s) : len;
	const struct cof_option *d = cof_option_find(s, name_len);
	char value[COF_OPT_STR_MAX], range[80], shown[QUOTE_BYTES];

	if (d == NULL) {
		snprintf(why, why_bytes,
			 "no option \"%s\"; cof-stats --options lists them",
			 quote(s, name_len, shown));
		return false;
	}
	cof_option_range(d, range, sizeof(range));
	if (eq == NULL) {
		if (d->kind == COF_IS_BOOL) {
			*cof_option_bool(o, d) = true;
			return true;
		}
		snprintf(why, why_bytes, "no value for option %s: %s", d->name,
			 range);
		return false;
	}
	if (!unescape(eq + 1, len - name_len - 1, value) ||
	    !cof_option_set(o, d, value)) {
		snprintf(why, why_bytes, "bad value \"%s\" for option %s: %s",
			 quote(eq + 1, len - name_len - 1, shown), d->name,
			 range);
		return false;
	}
	return true;
}

int cof_opts_parse(struct cof_opts *o, const char *s, char *why,
		   size_t why_bytes)
{
	struct cof_opts tmp = *o;

	while (*s != '\0') {
		size_t len = item_len(s);

		if (len > 0 && !parse_item(&tmp, s, len, why, why_bytes))
			return -COF_E_INVAL;
		s += len;
		if (*s == ',')
			s++;
	}
	*o = tmp;
	return 0;
}

/* "name=value" as parse_item() reads it. Returns its length. */
static size_t print_item(const struct cof_opts *o, const struct cof_option *d,
			 char *buf, size_t bytes)
{
	char value[COF_OPT_STR_MAX];
	int n = snprintf(buf, bytes, "%s=", d->name);
	size_t len = n > 0 ? (size_t)n : 0;

	assert(len + 2 * COF_OPT_STR_MAX <= bytes);
	cof_option_get(o, d, value, sizeof(value));
	for (const char *v = value; *v != '\0'; v++) {
		if (*v == ',' || *v == '\\')
			buf[len++] = '\\';
		buf[len++] = *v;
	}
	buf[len] = '\0';
	return len;
}

void cof_opts_print(const struct cof_opts *o, char *buf, size_t buf_bytes)
{
	struct cof_opts dflt;
	size_t used = 0;

	if (buf_bytes == 0)
		return;
	buf[0] = '\0';
	cof_opts_init(&dflt);
	for (size_t i = 0; i < cof_option_table_len; i++) {
		char item[3 * COF_OPT_STR_MAX], was[3 * COF_OPT_STR_MAX];
		size_t len = print_item(o, &cof_option_table[i], item,
					sizeof(item));

		print_item(&dflt, &cof_option_table[i], was, sizeof(was));
		if (strcmp(item, was) == 0 || used + 1 + len >= buf_bytes)
			continue;
		if (used > 0)
			buf[used++] = ',';
		memcpy(buf + used, item, len + 1);
		used += len;
	}
}

static void help_line(FILE *to, const struct cof_opts *dflt,
		      const struct cof_option *d)
{
	char value[COF_OPT_STR_MAX], range[80];

	cof_option_get(dflt, d, value, sizeof(value));
	switch (d->kind) {
	case COF_IS_UINT:
		snprintf(range, sizeof(range), "%" PRIu32 "..%" PRIu32 " %s",
			 d->min, d->max, d->unit);
		break;
	case COF_IS_BOOL:
		snprintf(range, sizeof(range), "true|false");
		break;
	case COF_IS_ENUM:
		snprintf(range, sizeof(range), "%s", d->words);
		break;
	case COF_IS_STR:
		snprintf(range, sizeof(range), "text");
		snprintf(value, sizeof(value), "-");
		break;
	}
	fprintf(to, "%-18s %-10s  %-36s  %s\n", d->name, value, range, d->doc);
}

void cof_opts_help(FILE *to)
{
	static const char *const heading[COF_OPT_GROUPS] = {
		[COF_OPT_FOR_user] = "# For users",
		[COF_OPT_FOR_tune] = "\n# For tuning",
		[COF_OPT_FOR_test] = "\n# For tests, and to find a bug",
	};
	struct cof_opts dflt;

	cof_opts_init(&dflt);
	for (int group = 0; group < COF_OPT_GROUPS; group++) {
		fprintf(to, "%s\n", heading[group]);
		for (size_t i = 0; i < cof_option_table_len; i++)
			if ((int)cof_option_table[i].group == group)
				help_line(to, &dflt, &cof_option_table[i]);
	}
}
