/*
 * test_opts.c - the option table is sane, and bad input changes nothing
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cof.h"
#include "options/option.h"
#include "options/opts.h"

static char why[COF_WHY_BYTES];

/* Is `word` one of "a|b|c"? Not the parser's own code, on purpose. */
static bool in_words(const char *words, const char *word)
{
	char copy[200], *save, *w;

	assert_true(strlen(words) < sizeof(copy));
	strcpy(copy, words);
	for (w = strtok_r(copy, "|", &save); w; w = strtok_r(NULL, "|", &save))
		if (strcmp(w, word) == 0)
			return true;
	return false;
}

static void every_default_is_in_its_range(void **state)
{
	struct cof_opts o;

	(void)state;
	cof_opts_init(&o);
#define COF_OPT_UINT(n, group, dflt, min, max, unit, doc) \
	assert_int_equal(o.n, dflt); \
	assert_in_range((uint64_t)(dflt), min, max);
#define COF_OPT_BOOL(n, group, dflt, doc) assert_int_equal(o.n, dflt);
#define COF_OPT_ENUM(n, group, dflt, words, doc) \
	assert_true(in_words(words, #dflt));
#define COF_OPT_STR(n, group, doc) assert_string_equal(o.n, "");
#include "options/opts.def"
}

static void every_number_takes_its_bounds_and_nothing_beyond(void **state)
{
	struct cof_opts o;
	char item[100];

	(void)state;
	cof_opts_init(&o);
#define TRY(n, value, want) do { \
		snprintf(item, sizeof(item), #n "=%lld", (long long)(value)); \
		assert_int_equal(cof_opts_parse(&o, item, why, sizeof(why)), \
				 want); \
	} while (0)
#define COF_OPT_UINT(n, group, dflt, min, max, unit, doc) \
	TRY(n, min, 0); \
	assert_int_equal(o.n, min); \
	TRY(n, max, 0); \
	assert_int_equal(o.n, max); \
	TRY(n, (int64_t)(min) - 1, -COF_E_INVAL); \
	TRY(n, (int64_t)(max) + 1, -COF_E_INVAL); \
	assert_int_equal(o.n, max);
#define COF_OPT_BOOL(n, group, dflt, doc)
#define COF_OPT_ENUM(n, group, dflt, words, doc)
#define COF_OPT_STR(n, group, doc)
#include "options/opts.def"
#undef TRY
}

static void an_enum_takes_each_of_its_words(void **state)
{
	struct cof_opts o;
	char list[200], item[100], *save, *w;
	uint32_t i;

	(void)state;
	cof_opts_init(&o);
#define COF_OPT_UINT(n, group, dflt, min, max, unit, doc)
#define COF_OPT_BOOL(n, group, dflt, doc)
#define COF_OPT_ENUM(n, group, dflt, words, doc) \
	strcpy(list, words); \
	i = 0; \
	for (w = strtok_r(list, "|", &save); w; \
	     w = strtok_r(NULL, "|", &save)) { \
		snprintf(item, sizeof(item), #n "=%s", w); \
		assert_int_equal(cof_opts_parse(&o, item, why, sizeof(why)), \
				 0); \
		assert_int_equal(o.n, i); \
		i++; \
	}
#define COF_OPT_STR(n, group, doc)
#include "options/opts.def"
	assert_int_equal(o.source, COF_SOURCE_NONE);
}

static void the_c_names_of_words_are_in_the_tables_order(void **state)
{
	struct cof_opts o;

	(void)state;
	cof_opts_init(&o);
	assert_int_equal(cof_opts_parse(&o, "mode=off,source=itimer", why,
					sizeof(why)), 0);
	assert_int_equal(o.mode, COF_MODE_OFF);
	assert_int_equal(o.source, COF_SOURCE_ITIMER);
}

static void a_list_is_applied_in_order(void **state)
{
	struct cof_opts o;

	(void)state;
	cof_opts_init(&o);
	assert_int_equal(cof_opts_parse(&o,
					",sample-hz=7,,dry_run,sample_hz=8,",
					why, sizeof(why)), 0);
	assert_int_equal(o.sample_hz, 8);
	assert_true(o.dry_run);
}

static void a_bool_takes_all_its_words(void **state)
{
	static const char *const yes[] = {
		"verbose", "verbose=true", "verbose=on", "verbose=1",
		"verbose=yes",
	};
	static const char *const no[] = {
		"verbose=false", "verbose=off", "verbose=0", "verbose=no",
	};
	struct cof_opts o;

	(void)state;
	cof_opts_init(&o);
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		o.verbose = false;
		assert_int_equal(cof_opts_parse(&o, yes[i], why, sizeof(why)),
				 0);
		assert_true(o.verbose);
	}
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
		o.verbose = true;
		assert_int_equal(cof_opts_parse(&o, no[i], why, sizeof(why)),
				 0);
		assert_false(o.verbose);
	}
}

static void a_text_may_hold_commas_and_backslashes(void **state)
{
	struct cof_opts o;

	(void)state;
	cof_opts_init(&o);
	assert_int_equal(cof_opts_parse(&o,
		"replay=/a\\,b\\\\c=d,sample_hz=9", why, sizeof(why)), 0);
	assert_string_equal(o.replay, "/a,b\\c=d");
	assert_int_equal(o.sample_hz, 9);
}

static void a_text_of_255_bytes_fits_and_one_of_256_does_not(void **state)
{
	char item[7 + 256 + 1] = "replay=";
	struct cof_opts o;

	(void)state;
	cof_opts_init(&o);
	memset(item + 7, 'x', 255);
	item[7 + 255] = '\0';
	assert_int_equal(cof_opts_parse(&o, item, why, sizeof(why)), 0);
	assert_int_equal(strlen(o.replay), 255);
	o.replay[0] = '\0';
	item[7 + 255] = 'x';
	item[7 + 256] = '\0';
	assert_int_equal(cof_opts_parse(&o, item, why, sizeof(why)),
			 -COF_E_INVAL);
	assert_string_equal(o.replay, "");
}

#define HZ "a number from 1 to 50000"
#define MODE "one of off|pgo|co|full|auto"
#define TEXT "text of up to 255 bytes, with \\, for a comma and \\\\ for a " \
	"backslash"
#define LISTS "; cof-stats --options lists them"

static void a_bad_list_changes_nothing_and_says_why(void **state)
{
	static const struct { const char *list, *says; } bad[] = {
		{ "sample_hz=abc",
		  "bad value \"abc\" for option sample_hz: " HZ },
		{ "foo=1", "no option \"foo\"" LISTS },
		{ "sample=1", "no option \"sample\"" LISTS },
		{ "=1", "no option \"\"" LISTS },
		{ "sample_hz", "no value for option sample_hz: " HZ },
		{ "sample_hz=", "bad value \"\" for option sample_hz: " HZ },
		{ "sample_hz=-1",
		  "bad value \"-1\" for option sample_hz: " HZ },
		{ "sample_hz=+1",
		  "bad value \"+1\" for option sample_hz: " HZ },
		{ "sample_hz=9x",
		  "bad value \"9x\" for option sample_hz: " HZ },
		{ "sample_hz=99999999999999999999999",
		  "bad value \"99999999999999999999999\""
		  " for option sample_hz: " HZ },
		{ "drain_ms=5,verbose=maybe",
		  "bad value \"maybe\" for option verbose: true or false" },
		{ "mode=of", "bad value \"of\" for option mode: " MODE },
		{ "mode=off|co",
		  "bad value \"off|co\" for option mode: " MODE },
		{ "event=a\\b", "bad value \"a\\b\" for option event: " TEXT },
		{ "event=a\\", "bad value \"a\\\" for option event: " TEXT },
		{ "a\nb\033=1", "no option \"a?b?\"" LISTS },
	};
	struct cof_opts o, was;

	(void)state;
	cof_opts_init(&o);
	was = o;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		why[0] = '\0';
		assert_int_equal(cof_opts_parse(&o, bad[i].list, why,
						sizeof(why)), -COF_E_INVAL);
		assert_string_equal(why, bad[i].says);
#define COF_OPT_UINT(n, group, dflt, min, max, unit, doc) \
	assert_int_equal(o.n, was.n);
#define COF_OPT_BOOL(n, group, dflt, doc) assert_int_equal(o.n, was.n);
#define COF_OPT_ENUM(n, group, dflt, words, doc) assert_int_equal(o.n, was.n);
#define COF_OPT_STR(n, group, doc) assert_string_equal(o.n, was.n);
#include "options/opts.def"
	}
}

static void a_message_fits_a_small_buffer(void **state)
{
	char list[500] = "replay=";
	struct cof_opts o;

	(void)state;
	cof_opts_init(&o);
	memset(list + 7, 'y', 400);
	list[407] = '\0';
	assert_int_equal(cof_opts_parse(&o, list, why, sizeof(why)),
			 -COF_E_INVAL);
	assert_non_null(strstr(why, "yyy..."));
	assert_non_null(strstr(why, "255 bytes"));
	memset(why, 'z', sizeof(why));
	assert_int_equal(cof_opts_parse(&o, list, why, 8), -COF_E_INVAL);
	assert_int_equal(strlen(why), 7);
}

static void a_name_is_known_with_either_dash(void **state)
{
	(void)state;
	assert_non_null(cof_option_find("sample_hz", 9));
	assert_non_null(cof_option_find("sample-hz=5", 9));
	assert_null(cof_option_find("sample_h", 8));
	assert_null(cof_option_find("", 0));
}

static void what_is_printed_is_parsed_to_the_same(void **state)
{
	static const char list[] = "mode=off,source=none,event=a\\,b\\\\,"
		"sample_hz=11,limit=0,dry_run=true";
	struct cof_opts o, back;
	char buf[1024];

	(void)state;
	cof_opts_init(&o);
	cof_opts_print(&o, buf, sizeof(buf));
	assert_string_equal(buf, "");
	assert_int_equal(cof_opts_parse(&o, list, why, sizeof(why)), 0);
	cof_opts_print(&o, buf, sizeof(buf));
	assert_string_equal(buf, list);
	cof_opts_init(&back);
	assert_int_equal(cof_opts_parse(&back, buf, why, sizeof(why)), 0);
	assert_string_equal(back.event, "a,b\\");
	assert_int_equal(back.mode, COF_MODE_OFF);
	assert_true(back.dry_run);
}

static void what_does_not_fit_is_left_out_whole(void **state)
{
	struct cof_opts o;
	char buf[28];

	(void)state;
	cof_opts_init(&o);
	assert_int_equal(cof_opts_parse(&o, "event=twelve-bytes,mode=off,"
					"limit=5", why, sizeof(why)), 0);
	cof_opts_print(&o, buf, sizeof(buf));
	assert_string_equal(buf, "mode=off,event=twelve-bytes");
	cof_opts_print(&o, buf, sizeof(buf) - 1);
	assert_string_equal(buf, "mode=off,limit=5");
	cof_opts_print(&o, buf, 1);
	assert_string_equal(buf, "");
}

/* The line of `text` that begins with `start`. */
static const char *line_with(const char *text, const char *start)
{
	for (; text; text = strchr(text, '\n'), text += text != NULL)
		if (strncmp(text, start, strlen(start)) == 0)
			return text;
	return NULL;
}

static void help_has_one_line_for_each_option(void **state)
{
	size_t len, lines = 0, n = 0;
	char *text = NULL;
	FILE *f = open_memstream(&text, &len);
	const char *user, *tune, *test, *at;

	(void)state;
	assert_non_null(f);
	cof_opts_help(f);
	fclose(f);
	for (at = text; *at != '\0'; at++)
		lines += *at == '\n';
	user = line_with(text, "# For users");
	tune = line_with(text, "# For tuning");
	test = line_with(text, "# For tests");
	assert_true(user == text && user < tune && tune < test);
#define COUNT(name, group, doc) \
	at = line_with(text, #name " "); \
	assert_non_null(at); \
	assert_true(at > group); \
	assert_true(group != user || at < tune); \
	assert_true(group != tune || at < test); \
	assert_memory_equal(strchr(at, '\n') - strlen(doc), doc, strlen(doc)); \
	n++;
#define COF_OPT_UINT(name, group, dflt, min, max, unit, doc) \
	COUNT(name, group, doc)
#define COF_OPT_BOOL(name, group, dflt, doc)        COUNT(name, group, doc)
#define COF_OPT_ENUM(name, group, dflt, words, doc) COUNT(name, group, doc)
#define COF_OPT_STR(name, group, doc)               COUNT(name, group, doc)
#include "options/opts.def"
#undef COUNT
	assert_int_equal(lines, n + 5);	/* headings, and lines between */
	free(text);
}

static void a_value_can_be_asked_for_by_name(void **state)
{
	struct cof_opts o;
	char buf[32];

	(void)state;
	cof_opts_init(&o);
	assert_true(cof_opts_value(&o, "mode", buf, sizeof(buf)));
	assert_string_equal(buf, "auto");
	assert_true(cof_opts_value(&o, "sample-hz", buf, sizeof(buf)));
	assert_string_equal(buf, "250");
	assert_true(cof_opts_value(&o, "dry_run", buf, sizeof(buf)));
	assert_string_equal(buf, "false");
	assert_false(cof_opts_value(&o, "nosuch", buf, sizeof(buf)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_default_is_in_its_range),
		cmocka_unit_test(
			every_number_takes_its_bounds_and_nothing_beyond),
		cmocka_unit_test(an_enum_takes_each_of_its_words),
		cmocka_unit_test(the_c_names_of_words_are_in_the_tables_order),
		cmocka_unit_test(a_list_is_applied_in_order),
		cmocka_unit_test(a_bool_takes_all_its_words),
		cmocka_unit_test(a_text_may_hold_commas_and_backslashes),
		cmocka_unit_test(
			a_text_of_255_bytes_fits_and_one_of_256_does_not),
		cmocka_unit_test(a_bad_list_changes_nothing_and_says_why),
		cmocka_unit_test(a_message_fits_a_small_buffer),
		cmocka_unit_test(a_name_is_known_with_either_dash),
		cmocka_unit_test(what_is_printed_is_parsed_to_the_same),
		cmocka_unit_test(what_does_not_fit_is_left_out_whole),
		cmocka_unit_test(help_has_one_line_for_each_option),
		cmocka_unit_test(a_value_can_be_asked_for_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
