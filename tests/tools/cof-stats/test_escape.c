/*
 * test_escape.c - foreign text cannot command a terminal or break JSON
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "cof-stats/escape.h"

static char buf[512];

static const char *text(const char *s, unsigned columns)
{
	FILE *f = fmemopen(buf, sizeof(buf), "w");

	buf[0] = '\0';
	escape_text(f, s, columns);
	fclose(f);
	return buf;
}

static const char *json(const char *s)
{
	FILE *f = fmemopen(buf, sizeof(buf), "w");

	escape_json(f, s);
	fclose(f);
	return buf;
}

static void plain_text_is_left_as_it_is(void **state)
{
	(void)state;
	assert_string_equal(text("Main:run (int[])", 0), "Main:run (int[])");
	assert_string_equal(
		text("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", 0),
		"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
	assert_string_equal(json("a/b"), "\"a/b\"");
	assert_string_equal(json("\xf0\x9f\x98\x80"), "\"\xf0\x9f\x98\x80\"");
	assert_string_equal(text("", 0), "");
	assert_string_equal(json(""), "\"\"");
}

static void control_characters_are_shown_as_numbers(void **state)
{
	(void)state;
	assert_string_equal(text("\033[2J\n\t\x7f", 0),
			    "\\x1b[2J\\x0a\\x09\\x7f");
	/* CSI of ISO 8859, as UTF-8; right-to-left override; zero width. */
	assert_string_equal(text("\xc2\x9b", 0), "\\xc2\\x9b");
	assert_string_equal(text("\xe2\x80\xae", 0), "\\xe2\\x80\\xae");
	assert_string_equal(text("\xe2\x80\x8b", 0), "\\xe2\\x80\\x8b");
	assert_string_equal(text("\\x1b", 0), "\\\\x1b");
	assert_string_equal(json("\033\n\"\\\x7f"),
			    "\"\\u001b\\u000a\\\"\\\\\\u007f\"");
}

static void bytes_that_are_not_utf8_are_replaced(void **state)
{
	static const char *const bad[] = {
		"\x80", "\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80",
		"\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe2\x82",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *at = text(bad[i], 0);

		for (; *at != '\0'; at++)
			assert_in_range(*at, 0x20, 0x7e);
		at = json(bad[i]);
		for (; *at != '\0'; at++)
			assert_in_range(*at, 0x20, 0x7e);
	}
	assert_string_equal(json("a\xe2\x82" "b"), "\"a\\ufffd\\ufffdb\"");
}

static void columns_pad_and_cut(void **state)
{
	(void)state;
	assert_string_equal(text("abc", 5), "abc  ");
	assert_string_equal(text("abcde", 5), "abcde");
	assert_string_equal(text("abcdef", 5), "ab...");
	assert_string_equal(text("caf\xc3\xa9", 5), "caf\xc3\xa9 ");
	assert_string_equal(text("a\033bcdef", 5), "a... ");
	assert_string_equal(text("abcdef", 2), "..");
	assert_string_equal(text("abcdef", 3), "...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_text_is_left_as_it_is),
		cmocka_unit_test(control_characters_are_shown_as_numbers),
		cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
		cmocka_unit_test(columns_pad_and_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
