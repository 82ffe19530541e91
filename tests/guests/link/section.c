/*
 * section.c - a table that the linker collects between __start_ and __stop_
 *
 * guest-hot:
 */
#include <string.h>

#include "guest.h"

struct command {
	const char *name;
	uint64_t  (*run)(uint64_t);
};

#define COMMAND(n, body) \
	NOINLINE static uint64_t run_##n(uint64_t x) { return body; } \
	static const struct command command_##n \
	__attribute__((used, section("commands"))) = { #n, run_##n };

COMMAND(add, x + 3)
COMMAND(mul, x * 7)
COMMAND(xor, x ^ x >> 13)
COMMAND(hash, mix(x, 5))

extern const struct command __start_commands[], __stop_commands[];

static int counter __attribute__((used, section("counters"))) = 3;
static int counter2 __attribute__((used, section("counters"))) = 4;
extern int __start_counters[], __stop_counters[];

__attribute__((section(".text.cold"), noinline)) static int cold(int x)
{
	return x + 1;
}

__attribute__((section("own_text"), noinline)) static int elsewhere(int x)
{
	return x * 2;
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	for (int i = 0; i < 1000; i++) {
		for (const struct command *c = __start_commands;
		     c < __stop_commands; c++)
			h = c->run(h) + strlen(c->name);
		h += (uint64_t)(cold(i) + elsewhere(i));
	}
	return h;
}

int main(void)
{
	int sum = 0;

	printf("%td commands:", __stop_commands - __start_commands);
	for (const struct command *c = __start_commands; c < __stop_commands;
	     c++)
		printf(" %s", c->name);
	puts("");
	for (int *c = __start_counters; c < __stop_counters; c++)
		sum += (*c)++;
	printf("counters %d, then %d %d\n", sum, counter, counter2);
	guest_run("section", round_);
	return 0;
}
