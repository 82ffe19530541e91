/*
 * opts.c - parse and print options; knows no option by name
 *
 *	list  = item { "," item }		an empty item is skipped
 *	item  = name [ "=" value ]		"-" and "_" in names are the same
 *	value = any bytes but NUL; "," is written "\," and "\" is written "\\"
 */
#include "opts.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "cof.h"

enum kind { UINT, BOOL, ENUM, STR };

struct opt {
	const char *name;
	enum kind   kind;
	size_t      offset;		/* in struct cof_opts, bytes */
	uint32_t    dflt, min, max;	/* UINT; dflt also BOOL */
	const char *words;		/* ENUM: "a|b|c" */
	const char *word;		/* ENUM: the default, one of words */
	const char *unit;		/* UINT */
	const char *doc;
};

static const struct opt opts[] = {
#define COF_OPT_UINT(n, d, lo, hi, u, text) \
	{ .name = #n, .kind = UINT, .offset = offsetof(struct cof_opts, n), \
	  .dflt = d, .min = lo, .max = hi, .unit = #u, .doc = text },
#define COF_OPT_BOOL(n, d, text) \
	{ .name = #n, .kind = BOOL, .offset = offsetof(struct cof_opts, n), \
	  .dflt = d, .doc = text },
#define COF_OPT_ENUM(n, d, list, text) \
	{ .name = #n, .kind = ENUM, .offset = offsetof(struct cof_opts, n), \
	  .words = list, .word = #d, .doc = text },
#define COF_OPT_STR(n, text) \
	{ .name = #n, .kind = STR, .offset = offsetof(struct cof_opts, n), \
	  .doc = text },
#include "opts.def"
};

#define N_OPTS (sizeof(opts) / sizeof(opts[0]))

/* -- One value -------------------------------------------------------------- */

static bool *at_bool(const struct cof_opts *o, const struct opt *d)
{
	return (bool *)((char *)o + d->offset);
}

static uint32_t *at_u32(const struct cof_opts *o, const struct opt *d)
{
	return (uint32_t *)((char *)o + d->offset);
}

static char *at_str(const struct cof_opts *o, const struct opt *d)
{
	return (char *)o + d->offset;
}

/* The place of `word` among "a|b|c", or -1. */
static int word_find(const char *words, const char *word)
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

static bool parse_uint(const struct opt *d, const char *s, uint32_t *out)
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
	/* Falses have even places. */
	int i = word_find("false|true|off|on|no|yes|0|1", s);

	if (i < 0)
		return false;
	*out = i & 1;
	return true;
}

/* Any text is fine for STR: its length was checked when it was unescaped. */
static bool opt_set(struct cof_opts *o, const struct opt *d, const char *value)
{
	int i;

	switch (d->kind) {
	case UINT:
		return parse_uint(d, value, at_u32(o, d));
	case BOOL:
		return parse_bool(value, at_bool(o, d));
	case ENUM:
		i = word_find(d->words, value);
		if (i < 0)
			return false;
		*at_u32(o, d) = (uint32_t)i;
		return true;
	case STR:
		snprintf(at_str(o, d), COF_OPT_STR_MAX, "%s", value);
		return true;
	}
	return false;
}

/* The value as plain text, unescaped. */
static void opt_get(const struct cof_opts *o, const struct opt *d, char *buf,
		    size_t bytes)
{
	switch (d->kind) {
	case UINT:
		snprintf(buf, bytes, "%" PRIu32, *at_u32(o, d));
		break;
	case BOOL:
		snprintf(buf, bytes, "%s", *at_bool(o, d) ? "true" : "false");
		break;
	case ENUM:
		word_copy(d->words, *at_u32(o, d), buf, bytes);
		break;
	case STR:
		snprintf(buf, bytes, "%s", at_str(o, d));
		break;
	}
}

/* What a value may be, for messages: follows "option NAME: ". */
static void opt_range(const struct opt *d, char *buf, size_t bytes)
{
	switch (d->kind) {
	case UINT:
		snprintf(buf, bytes, "a number from %" PRIu32 " to %" PRIu32,
			 d->min, d->max);
		break;
	case BOOL:
		snprintf(buf, bytes, "true or false");
		break;
	case ENUM:
		snprintf(buf, bytes, "one of %s", d->words);
		break;
	case STR:
		snprintf(buf, bytes, "text of up to %d bytes, with \\, for a "
			 "comma and \\\\ for a backslash", COF_OPT_STR_MAX - 1);
		break;
	}
}

static bool same_letter(char a, char b)
{
	return (a == '-' ? '_' : a) == (b == '-' ? '_' : b);
}

static const struct opt *opt_find(const char *name, size_t len)
{
	for (size_t i = 0; i < N_OPTS; i++) {
		size_t k = 0;

		if (strlen(opts[i].name) != len)
			continue;
		while (k < len && same_letter(opts[i].name[k], name[k]))
			k++;
		if (k == len)
			return &opts[i];
	}
	return NULL;
}

void cof_opts_init(struct cof_opts *o)
{
	memset(o, 0, sizeof(*o));
	for (size_t i = 0; i < N_OPTS; i++) {
		const struct opt *d = &opts[i];

		if (d->kind == UINT)
			*at_u32(o, d) = d->dflt;
		else if (d->kind == BOOL)
			*at_bool(o, d) = d->dflt;
		else if (d->kind == ENUM)
			*at_u32(o, d) = (uint32_t)word_find(d->words, d->word);
	}
}

bool cof_opts_known(const char *name, size_t len)
{
	return opt_find(name, len) != NULL;
}

bool cof_opts_value(const struct cof_opts *o, const char *name, char *buf,
		    size_t bytes)
{
	const struct opt *d = opt_find(name, strlen(name));

	if (d == NULL)
		return false;
	opt_get(o, d, buf, bytes);
	return true;
}

/* -- A list ----------------------------------------------------------------- */

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

/* Undo "\," and "\\". False: another use of "\", or too long. */
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
 * A piece of the user's text for a message: cut to what a line has room for,
 * and without control characters.
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
	const struct opt *d = opt_find(s, name_len);
	char value[COF_OPT_STR_MAX], range[80], shown[QUOTE_BYTES];

	if (d == NULL) {
		snprintf(why, why_bytes,
			 "no option \"%s\"; cof-stats --options lists them",
			 quote(s, name_len, shown));
		return false;
	}
	opt_range(d, range, sizeof(range));
	if (eq == NULL) {
		if (d->kind == BOOL) {
			*at_bool(o, d) = true;
			return true;
		}
		snprintf(why, why_bytes, "no value for option %s: %s", d->name,
			 range);
		return false;
	}
	if (!unescape(eq + 1, len - name_len - 1, value) ||
	    !opt_set(o, d, value)) {
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
static size_t print_item(const struct cof_opts *o, const struct opt *d,
			 char *buf, size_t bytes)
{
	char value[COF_OPT_STR_MAX];
	int n = snprintf(buf, bytes, "%s=", d->name);
	size_t len = n > 0 ? (size_t)n : 0;

	assert(len + 2 * COF_OPT_STR_MAX <= bytes);
	opt_get(o, d, value, sizeof(value));
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
	for (size_t i = 0; i < N_OPTS; i++) {
		char item[3 * COF_OPT_STR_MAX], was[3 * COF_OPT_STR_MAX];
		size_t len = print_item(o, &opts[i], item, sizeof(item));

		print_item(&dflt, &opts[i], was, sizeof(was));
		if (strcmp(item, was) == 0 || used + 1 + len >= buf_bytes)
			continue;
		if (used > 0)
			buf[used++] = ',';
		memcpy(buf + used, item, len + 1);
		used += len;
	}
}

void cof_opts_help(FILE *to)
{
	struct cof_opts dflt;

	cof_opts_init(&dflt);
	for (size_t i = 0; i < N_OPTS; i++) {
		const struct opt *d = &opts[i];
		char value[COF_OPT_STR_MAX], range[80];

		opt_get(&dflt, d, value, sizeof(value));
		switch (d->kind) {
		case UINT:
			snprintf(range, sizeof(range), "%" PRIu32 "..%" PRIu32
				 " %s", d->min, d->max, d->unit);
			break;
		case BOOL:
			snprintf(range, sizeof(range), "true|false");
			break;
		case ENUM:
			snprintf(range, sizeof(range), "%s", d->words);
			break;
		case STR:
			snprintf(range, sizeof(range), "text");
			snprintf(value, sizeof(value), "-");
			break;
		}
		fprintf(to, "%-18s %-10s  %-36s  %s\n", d->name, value, range,
			d->doc);
	}
}
