#!/bin/sh
# demo.sh - show what libcof does
#
# It builds libcof, runs Lua and SQLite's speedtest1 under `runtime`, and prints
# what was recompiled, and the times beside those of native code.
#
# Environment: BUILD, the build folder (build-demo); JOBS.
set -eu

cd "$(dirname "$0")"
src=$(pwd)
build=${BUILD:-$src/build-demo}

step() { printf '\n== %s\n' "$*"; }

step "packages, build, programs"
scripts/packages.sh
[ -e configure ] || ./autogen.sh >/dev/null 2>&1
mkdir -p "$build"
cd "$build"
[ -e Makefile ] || "$src/configure" >/dev/null
make -s -j"${JOBS:-2}" all
status=0
"$src/scripts/programs.sh" programs lua sqlite || status=$?
if [ "$status" -eq 77 ]; then
	echo "demo.sh: the programs' sources are not to be had" >&2
	exit 1
fi
[ "$status" -eq 0 ] || exit "$status"

work=$(mktemp -d /dev/shm/cof-demo.XXXXXX)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache" XDG_DATA_HOME="$work/data"

now() { date +%s%N; }

# timed COMMAND...: run it; its output is in $work/out and $work/err, its time
# in $ms
timed() {
	began=$(now)
	"$@" >"$work/out" 2>"$work/err" </dev/null || {
		cat "$work/err" >&2
		exit 1
	}
	ms=$((($(now) - began) / 1000000))
}

# fourth_run PROGRAM ARG...: $ms of the fourth run in mode auto, the default. It
# knows only of the three before it.
fourth_run() {
	program=$1
	shift
	rm -rf "$XDG_DATA_HOME"
	mkdir -m 700 "$XDG_DATA_HOME"
	for _ in 1 2 3 4; do
		timed runtime/runtime "programs/$program.bc" "$@"
		same_as_native
	done
}

# The output is native's, except for times.
same_as_native() {
	if ! sed 's/ *[0-9]*\.[0-9]*s$//' "$work/out" >"$work/a" ||
	   ! sed 's/ *[0-9]*\.[0-9]*s$//' "$work/native.out" >"$work/b" ||
	   ! cmp -s "$work/a" "$work/b"; then
		echo "demo.sh: the output differs from native's" >&2
		exit 1
	fi
}

# show NAME PROGRAM ARG...
show() {
	name=$1 program=$2
	shift 2
	step "$name"
	rm -rf "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
	mkdir -m 700 "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
	timed "programs/$program.native" "$@"
	native=$ms
	cp "$work/out" "$work/native.out"
	# The bitcode is linked here, once.
	timed runtime/runtime --cof=off "programs/$program.bc" "$@"
	same_as_native
	rm -rf "$work/stats"
	mkdir -m 700 "$work/stats"
	timed runtime/runtime --cof=co --cof-verbose \
		--cof-stats="$work/stats" "programs/$program.bc" "$@"
	same_as_native
	co=$ms

	echo "-- what was decided, first and last:"
	if [ "$(wc -l <"$work/err")" -gt 24 ]; then
		head -n 16 "$work/err"
		echo "   ..."
		tail -n 8 "$work/err"
	else
		cat "$work/err"
	fi
	echo "-- cof-stats, after the end:"
	for f in "$work/stats"/*; do
		./cof-stats "$f"
	done
	fourth_run "$program" "$@"
	echo "-- time; the output is the same in all:"
	printf '   %-35s %6d ms\n' \
		"native -O2" "$native" \
		"co, first run" "$co" \
		"auto (the default), fourth run" "$ms"
}

show "Lua: sorting tables" lua "$src/bench/lua/sort.lua" 250
show "Lua: calls" lua "$src/bench/lua/fib.lua" 400
show "SQLite: speedtest1" sqlite --memdb --size 150
