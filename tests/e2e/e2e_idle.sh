#!/bin/sh
# e2e_idle.sh - an idle program gives the compiler's memory back, and builds
# again
#
#	hot --> idle: RSS --> hot in something else
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

in_work "$cof_stats"

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
		s += f(1000 + (s & 7));	/* a new argument each time */
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

int main(int argc, char **argv)
{
	int longer = argc > 1 ? atoi(argv[1]) : 1;
	unsigned s = hot(first, 1.5 * longer);

	nanosleep(&(struct timespec){ .tv_sec = 2 * longer }, NULL);
	print_rss();
	s += hot(second, 1.5 * longer);
	return s == 42;
}
EOF
"$clang" -O2 idle.c -o native && "$clang" -O2 -c -emit-llvm idle.c -o idle.bc ||
	exit 1

kb() { head -n 1 "$1.out"; }

built_both() { [ "$(counter "$1.json" optimizer built)" -ge 2 ]; }
released() { [ "$(counter "$1.json" optimizer idle_releases)" -ge 1 ]; }
is_large() { [ "$(kb "$1")" -gt $(($(kb soon) + 20 * 1024)) ]; }
is_small() { [ "$(kb "$1")" -lt $(($(kb native) + 30 * 1024)) ]; }

# with_idle NAME IDLE_MS CHECK...: run it; if a check fails, again, for longer
with_idle() {
	name=$1 idle_ms=$2
	shift 2
	for longer in 1 4 16 64; do
		rm -rf "$work/$name.stats"
		# shellcheck disable=SC2086
		run "$name" "$runtime" $in_co --cof-history=none \
			--cof-stats="$work/$name.stats" \
			--cof-idle_ms="$idle_ms" ./idle.bc $longer
		stats "$name.stats" >"$name.json"
		for check in "$@"; do
			"$check" "$name" || continue 2
		done
		return
	done
}

run native ./native
with_idle soon 200 built_both released is_small
with_idle never 0 built_both is_large
with_idle late 3600000 built_both

tests() {
	for name in never soon late; do
		if [ "$(cat $name.status)" = "exit 0" ] &&
		   built_both $name; then
			ok $name.runs
		else
			fail $name.runs "$(cat $name.status)" \
				"$(cat $name.err)" \
				"$(counter $name.json optimizer built) built"
		fi
	done
	if released soon; then ok soon.releases; else fail soon.releases; fi
	if released never || released late; then
		fail late.does_not_release
	else
		ok late.does_not_release
	fi
	if is_small soon && is_large never; then
		ok soon.is_small
	else
		fail soon.is_small "KiB: $(kb soon), natively $(kb native)," \
			"without a release $(kb never)"
	fi
}
tests | tee all
verdict all
