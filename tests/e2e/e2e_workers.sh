#!/bin/sh
# e2e_workers.sh - the loop in forked workers and in daemons
#
#	worker   the program forks, and waits
#	daemon   the program forks, and ends
#	pool     three workers
#	late     three workers of a program that libcof is in when it forks
#
# In the others the parent uses no CPU time, so libcof comes to the workers.
#
# Workers run until their own stats files show that they run in code that libcof
# built. Each program is started three times: the second and the third know what
# the first has learned.
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

in_work "$cof_cc" "$cof_stats"

cat >workers.c <<'EOF'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int op_fn(int, int);
static int add(int a, int b) { return a + b; }
static int flip(int a, int b) { return a ^ b; }
static op_fn *ops[2] = { add, flip };
static unsigned char code[256];

/* Many times as fast with vectors. */
__attribute__((noinline)) static int mix(int x)
{
	static unsigned word[1024];
	unsigned sum = 0;

	for (unsigned i = 0; i < 1024; i++)
		word[i] = (word[i] ^ i) + (unsigned)x;
	for (unsigned i = 0; i < 1024; i++)
		sum += word[i] & 31;
	return (int)(sum & 255);
}

__attribute__((noinline)) static int interpret(const unsigned char *c, int x)
{
	for (int i = 0; i < 256; i++)
		x = c[i] == 2 ? x % 7 + 1 : ops[c[i]](x, i);
	return mix(x);
}

/* Until there is such a file. */
static int work(const char *until)
{
	int x = 1;

	alarm(600);
	do
		for (int i = 0; i < 20000; i++)
			x = interpret(code, x);
	while (access(until, F_OK) != 0);
	return x == 12345;
}

/*
 * workers N: in so many children; 0: in one, and the parent ends at once.
 * workers N late: the parent works as well, before
 */
int main(int argc, char **argv)
{
	int n = argc > 1 ? argv[1][0] - '0' : 1, sum = 0, status, own[2];

	clearenv();	/* as nginx does */
	if (pipe(own) != 0)
		return 1;
	for (int i = 0; i < 256; i++)
		code[i] = i % 3;
	if (argc > 2)
		sum += work("fork");
	for (int i = 0; i < (n ? n : 1); i++)
		if (fork() == 0) {
			close(own[0]);
			if (n == 0)
				setsid();
			close(own[1]);
			return work("stop");
		}
	/* What is left of the parent's session is killed at its end. */
	close(own[1]);
	if (n == 0 && read(own[0], &status, 1) != 0)
		return 1;
	while (n && wait(&status) > 0)
		sum += status;
	return sum != 0;
}
EOF
# Code that gains much: mode auto turns itself off where nothing does.
"$cof_cc" -O0 -Xclang -disable-O0-optnone workers.c -o workers || exit 1

# seen DIR LOOPS: how many processes have run in code that libcof built for long
# enough to gain, which takes longer than counting for a profile; and in which
# so many loops began after a fork
seen() {
	seen_n=0
	for seen_file in "$1"/*; do
		"$cof_stats" --json "$seen_file" >one.json 2>/dev/null ||
			continue
		[ "$(counter one.json threads child_loops)" -eq "$2" ] &&
			[ "$(counter one.json sampler recompiled)" -ge 600 ] &&
			seen_n=$((seen_n + 1))
	done
	echo $seen_n
}

# gone: have all processes of that folder of stats files ended?
gone() {
	for gone_file in "$1"/*; do
		gone_pid=$("$cof_stats" --json "$gone_file" 2>/dev/null |
			sed -n 's/.*"pid":\([0-9]*\).*/\1/p' | head -n 1)
		[ -n "$gone_pid" ] && kill -0 "$gone_pid" 2>/dev/null &&
			return 1
	done
	return 0
}

# wait_more: a moment, unless all of these took $seconds
wait_more() {
	waited=$((waited + 1))
	[ $waited -le $((seconds * 5)) ] && sleep 0.2
}

# with_workers NAME N OPTION...: N as the program's argument, and what is $late
late=
with_workers() {
	name=$1 n=$2
	shift 2
	want=$n
	[ "$n" -gt 0 ] || want=1
	rm -rf stop fork "$name.stats"
	mkdir -m 700 "$name.stats"
	# shellcheck disable=SC2086
	run "$name" "$runtime" --cof-stats="$work/$name.stats" "$@" \
		./workers "$n" $late &
	waited=0 loops=0
	if [ -n "$late" ]; then
		while [ "$(seen "$name.stats" 0)" -lt 1 ] && wait_more; do :
		done
		: >fork
		loops=1
	fi
	while [ "$(seen "$name.stats" $loops)" -lt "$want" ] && wait_more; do :
	done
	: >stop
	wait $!
	while ! gone "$name.stats" && wait_more; do :; done
	if [ "$(cat "$name.status")" = "exit 0" ] &&
	   [ "$(seen "$name.stats" $loops)" -ge "$want" ]; then
		ok "$name"
	else
		not_seen
	fi
}

# not_seen: what with_workers knows of workers that did not come that far
not_seen() {
	fail "$name" "$(cat "$name.status")" "$(cat "$name.err")" \
		"$(seen "$name.stats" $loops) of $want ran in new code"
	for file in "$name.stats"/*; do
		"$cof_stats" "$file" 2>&1 | sed -n '/^pid\|^loop/s/^/  /p'
	done
	stats "$name.stats" >"$name.json"
	for c in sampler.taken sampler.recompiled optimizer.built \
		threads.child_loops; do
		echo "  $c: $(counter "$name.json" ${c%.*} ${c#*.})"
	done
}

# runs_in DB: how many runs of the program does the history have?
runs_in() {
	runs=$("$cof_stats" --why=./workers --history="$1" 2>/dev/null |
		sed -n 's/^ *runs  *\([0-9]*\)$/\1/p')
	echo "${runs:-0}"
}

# How much a worker does depends on its parent: its runs have no end, and are
# not compared. The parents leave none.
compares_no_workers() {
	"$cof_stats" --json --why=./workers --history="$work/history.db" \
		>why.json
	if grep -q '"ended":0' why.json && ! grep -q '"ended":1' why.json; then
		ok "$1"
	else
		fail "$1" "$(grep -o '"ended":1' why.json | wc -l) have an end"
	fi
}

# Workers that a signal ends leave a record too.
killed() {
	rm -rf stop killed.stats
	mkdir -m 700 killed.stats
	run killed "$runtime" --cof-stats="$work/killed.stats" \
		--cof-history="$work/killed.db" --cof-cost_pct=0 \
		./workers 3 &
	waited=0
	while [ "$(runs_in killed.db)" -lt 3 ] && wait_more; do :; done
	for file in killed.stats/*; do
		kill -KILL "$("$cof_stats" --json "$file" |
			sed -n 's/.*"pid":\([0-9]*\).*/\1/p' | head -n 1)"
	done
	: >stop
	wait $!
	if [ "$(runs_in killed.db)" -ge 3 ] &&
	   [ "$(cat killed.status)" = 'exit 1' ]; then
		ok killed
	else
		fail killed "$(runs_in killed.db) runs" "$(cat killed.status)" \
			"$(cat killed.err)"
	fi
}

# remembered NAME N: has the history so many runs at least?
remembered() {
	if [ "$(runs_in history.db)" -ge "$2" ]; then
		ok "$1"
	else
		fail "$1" "$(runs_in history.db) runs"
	fi
}

# has_versions: does the cache have versions?
has_versions() { ls "$XDG_CACHE_HOME"/cof/*.ver >/dev/null 2>&1; }

# A worker puts what it builds with a profile into the cache. The program has
# cleared the environment, which names the folder.
caches() {
	rm -f stop
	run caches "$runtime" --cof-history=none --cof=full \
		$eager ./workers 1 &
	waited=0
	while ! has_versions && wait_more; do :; done
	: >stop
	wait $!
	if has_versions && [ "$(cat caches.status)" = 'exit 0' ]; then
		ok caches
	else
		fail caches "$(ls "$XDG_CACHE_HOME/cof" 2>&1)" \
			"$(cat caches.status)" "$(cat caches.err)"
	fi
}

tests() {
	# shellcheck disable=SC2086
	with_workers co.worker 1 $in_co --cof-history=none
	# shellcheck disable=SC2086
	with_workers full.pool 3 --cof=full $eager --cof-history=none
	late=late
	# shellcheck disable=SC2086
	with_workers full.late 3 --cof=full $eager --cof-history=none
	with_workers auto.late 3 --cof-history="$work/late.db" --cof-cost_pct=0
	late=
	auto="--cof-history=$work/history.db $eager --cof-cost_pct=0"
	for round in first second third; do
		with_workers auto.worker.$round 1 $auto
		with_workers auto.daemon.$round 0 $auto
		with_workers auto.pool.$round 3 $auto
	done
	remembered auto.remembered 15
	compares_no_workers auto.compares_no_workers
	killed
	caches
}
tests | tee all
verdict all
