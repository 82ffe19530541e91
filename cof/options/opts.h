/*
 * opts.h - the options of opts.def, as C
 *
 * cof_start() fills in struct cof_opts before any thread exists. Nothing writes
 * to it afterwards, so any thread may read it without a lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COF_OPT_STR_MAX 256	/* bytes of a string value, with its NUL */

struct cof_opts {
#define COF_OPT_UINT(name, group, dflt, min, max, unit, doc) uint32_t name;
#define COF_OPT_BOOL(name, group, dflt, doc)                 bool     name;
#define COF_OPT_ENUM(name, group, dflt, words, doc)          uint32_t name;
#define COF_OPT_STR(name, group, doc)          char name[COF_OPT_STR_MAX];
#include "options/opts.def"
};

/* Values of COF_OPT_ENUM options, in the order of their words. */
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

/* Set all options to their defaults. */
void cof_opts_init(struct cof_opts *o);

/*
 * Apply "name=value,name=value". A name may have '-' for '_'. A bool without a
 * value is true. Returns 0 or -COF_E_INVAL. Then *o is unchanged, and `why`, of
 * `why_bytes` bytes, says which word is wrong and what it may be.
 */
int  cof_opts_parse(struct cof_opts *o, const char *s, char *why,
		    size_t why_bytes);

/* Get the value of option `name` as text. False: there is no such option. */
bool cof_opts_value(const struct cof_opts *o, const char *name, char *buf,
		    size_t buf_bytes);

/*
 * Print the options in their three groups. Each group is a heading that begins
 * with "#", then one line per option: name, default, range or words, unit,
 * meaning. A blank line separates groups.
 */
void cof_opts_help(FILE *to);

/*
 * Print the options that differ from their defaults, as cof_opts_parse() reads
 * them. It leaves out an option that does not fit into the buffer.
 */
void cof_opts_print(const struct cof_opts *o, char *buf, size_t buf_bytes);
