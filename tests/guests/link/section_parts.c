/*
 * section_parts.c - one section of entries of two kinds: with addresses in them
 * and without
 */
#include "guest.h"

struct test {
	const char *name;
	int         value;
};

#define TEST __attribute__((section("tests"), used))

TEST static const struct test one = { "one", 1 };
TEST static const struct test two = { NULL, 2 };
TEST static const struct test three = { "three", 3 };
TEST static const struct test four = { NULL, 4 };
TEST static const struct test five = { NULL, 5 };
TEST static const struct test six = { "six", 6 };

extern const struct test __start_tests[], __stop_tests[];

int main(void)
{
	for (const struct test *t = __start_tests; t < __stop_tests; t++)
		printf("%s %d\n", t->name ? t->name : "-", t->value);
	return 0;
}
