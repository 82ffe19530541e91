/*
 * opts.h - the options of opts.def, as C
 *
 * Filled by cof_start() before any thread exists; read-only from then on, so
 * every thread reads it without care.
 */
#ifndef COF_OPTS_H
#define COF_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COF_OPT_STR_MAX 256	/* bytes of a string value, with its NUL */

struct cof_opts {
#define COF_OPT_UINT(name, dflt, min, max, unit, doc) uint32_t name;
#define COF_OPT_BOOL(name, dflt, doc)                 bool     name;
#define COF_OPT_ENUM(name, dflt, words, doc)          uint32_t name;
#define COF_OPT_STR(name, doc)                        char name[COF_OPT_STR_MAX];
#include "opts.def"
};

/* Values of the COF_OPT_ENUM options, in the order of their words. */
enum cof_mode {
	COF_MODE_OFF, COF_MODE_PGO, COF_MODE_CO, COF_MODE_FULL, COF_MODE_AUTO,
};
enum cof_audit_word {
	COF_AUDIT_WORD_AUTO, COF_AUDIT_WORD_OFF, COF_AUDIT_WORD_ON,
};
enum cof_source_kind {
	COF_SOURCE_AUTO, COF_SOURCE_PERF, COF_SOURCE_TIMER, COF_SOURCE_ITIMER,
	COF_SOURCE_REPLAY, COF_SOURCE_NONE,
};

void cof_opts_init(struct cof_opts *o);

/*
 * Apply "name=value,name=value"; a '-' in a name is as good as a '_', and a
 * bool without a value is true. On -COF_E_INVAL *o is as it was before, and
 * `why` (`why_bytes` long) says which word was wrong and what it may be.
 */
int  cof_opts_parse(struct cof_opts *o, const char *s, char *why,
		    size_t why_bytes);

/* Is there an option of this name (of `len` bytes)? */
bool cof_opts_known(const char *name, size_t len);

/* The value of option `name` as text, for showing. False: no such option. */
bool cof_opts_value(const struct cof_opts *o, const char *name, char *buf,
		    size_t buf_bytes);

/* One line per option: name, default, range or words, unit, meaning. */
void cof_opts_help(FILE *to);

/*
 * The options that differ from their defaults, as cof_opts_parse() reads them;
 * one that does not fit into the buffer whole is left out.
 */
void cof_opts_print(const struct cof_opts *o, char *buf, size_t buf_bytes);

#endif /* COF_OPTS_H */
