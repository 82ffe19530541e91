#!/bin/sh
# A program that is idle keeps little of the compiler, and can build again.
#
#	hot --> idle: RSS --> hot in something else
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

clang=${CLANG:-clang-22}
need "$runtime" "$cof_stats" "$e2e_run"
make_work
cd "$work" || exit 1

cat >idle.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

__attribute__((noinline)) static unsigned first(unsigned n)
{
	unsigned s = 1;

	while (n-- > 0)
		s = s * 1664525 + (s >> 7);
	return s;
}

__attribute__((noinline)) static unsigned second(unsigned n)
{
	unsigned s = 3;

	while (n-- > 0)
		s = s * 22695477 ^ (s << 3);
	return s;
}

static unsigned hot(unsigned (*f)(unsigned), double seconds)
{
	double until = now() + seconds;
	unsigned s = 0;

	while (now() < until)
		s += f(1000);
	return s;
}

static void print_rss(void)
{
	char line[256];
	FILE *f = fopen("/proc/self/status", "r");

	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "VmRSS:", 6) == 0)
			printf("%ld\n", strtol(line + 6, NULL, 10));
	fclose(f);
}

int main(void)
{
	unsigned s = hot(first, 1.5);

	nanosleep(&(struct timespec){ .tv_sec = 2 }, NULL);
	print_rss();
	s += hot(second, 1.5);
	return s == 42;
}
EOF
"$clang" -O2 idle.c -o native && "$clang" -O2 -c -emit-llvm idle.c -o idle.bc ||
	exit 1

# in_runtime NAME IDLE_MS
in_runtime() {
	# shellcheck disable=SC2086
	run "$1" "$runtime" --cof=co $eager --cof-history=none \
		--cof-stats="$work/$1.stats" --cof-idle_ms="$2" ./idle.bc
	stats "$1.stats" >"$1.json"
}

kb() { head -n 1 "$1.out"; }

run native ./native
in_runtime never 0
in_runtime soon 200
in_runtime late 60000

for name in never soon late; do
	if [ "$(cat $name.status)" = "exit 0" ] &&
	   [ "$(counter $name.json optimizer built)" -ge 2 ]; then
		ok $name.runs
	else
		fail $name.runs "$(cat $name.status)" "$(cat $name.err)" \
			"$(counter $name.json optimizer built) built"
	fi
done
if [ "$(counter soon.json optimizer rests)" -ge 1 ]; then ok soon.rests; else
	fail soon.rests; fi
if [ "$(counter never.json optimizer rests)" -eq 0 ] &&
   [ "$(counter late.json optimizer rests)" -eq 0 ]; then
	ok late.does_not_rest
else
	fail late.does_not_rest
fi
if [ "$(kb soon)" -lt $(($(kb native) + 30 * 1024)) ] &&
   [ "$(kb soon)" -lt $(($(kb never) - 20 * 1024)) ]; then
	ok soon.is_small
else
	fail soon.is_small "KiB: $(kb soon), natively $(kb native)," \
		"without a rest $(kb never)"
fi
