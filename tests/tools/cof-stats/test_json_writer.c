/*
 * test_json_writer.c - commas, colons and brackets are where JSON wants them
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cof-stats/json_writer.h"

static char buf[512];

static struct json_writer begin(void)
{
	return (struct json_writer){ .to = fmemopen(buf, sizeof(buf), "w") };
}

static const char *written(struct json_writer *w)
{
	assert_int_equal(w->depth, 0);
	fclose(w->to);
	return buf;
}

static void values_of_every_kind_are_written(void **state)
{
	struct json_writer w = begin();

	(void)state;
	json_writer_object(&w, NULL);
	json_writer_text(&w, "text", "a\"b");
	json_writer_uint(&w, "most", UINT64_MAX);
	json_writer_int(&w, "least", INT64_MIN);
	json_writer_real(&w, "real", 0.5);
	json_writer_bool(&w, "yes", true);
	json_writer_bool(&w, "no", false);
	json_writer_end(&w);
	assert_string_equal(written(&w),
			    "{\"text\":\"a\\\"b\",\"most\":18446744073709551615,"
			    "\"least\":-9223372036854775808,\"real\":0.5000,"
			    "\"yes\":true,\"no\":false}");
}

static void a_comma_stands_between_values_of_one_level_only(void **state)
{
	struct json_writer w = begin();

	(void)state;
	json_writer_array(&w, NULL);
	json_writer_object(&w, NULL);
	json_writer_array(&w, "empty");
	json_writer_end(&w);
	json_writer_array(&w, "rows");
	json_writer_uint(&w, NULL, 1);
	json_writer_uint(&w, NULL, 2);
	json_writer_end(&w);
	json_writer_end(&w);
	json_writer_object(&w, NULL);
	json_writer_end(&w);
	json_writer_end(&w);
	assert_string_equal(written(&w),
			    "[{\"empty\":[],\"rows\":[1,2]},{}]");
}

static void keys_are_escaped_as_texts_are(void **state)
{
	struct json_writer w = begin();

	(void)state;
	json_writer_object(&w, NULL);
	json_writer_bool(&w, "a\nb\"", true);
	json_writer_end(&w);
	assert_string_equal(written(&w), "{\"a\\u000ab\\\"\":true}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_every_kind_are_written),
		cmocka_unit_test(
			a_comma_stands_between_values_of_one_level_only),
		cmocka_unit_test(keys_are_escaped_as_texts_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
