#!/bin/sh
# test.sh - install what is needed, build, and run every test
#
# The last line is `N passed, N failed`, of all single tests. The exit status is
# 0 if none failed.
#
# Environment: BUILD, the build folder (build); JOBS; COF_QUICK=1 leaves out the
# sanitizers and the other ways to build.
set -u

cd "$(dirname "$0")" || exit 1
src=$(pwd)
build=${BUILD:-$src/build}
jobs=${JOBS:-2}

# A run that cannot test anything has failed.
give_up() {
	echo "test.sh: $*" >&2
	echo "0 passed, 1 failed"
	exit 1
}

began=$(date +%s)
step() { echo "== $* ($(($(date +%s) - began)) s)"; }

failing_logs() {
	find . -name '*.trs' -exec \
		grep -lE '^:test-result: (FAIL|ERROR|XPASS)' {} + |
		sed 's/\.trs$/.log/' | sort
}

# without_passed LOG: the log without the tests that passed. A test that ended
# the program is the last RUN.
without_passed() {
	awk '/^\[ +RUN +\]/ { if (run) print run; run = $0; next }
	     /^\[ +(OK|SKIPPED) +\]/ { run = ""; next }
	     /^(ok|PASS) / { next }
	     { if (run) print run; run = ""; print }
	     END { if (run) print run }' "$1"
}

# The lines that tell what went wrong: they fit on the last screen.
wrong='ERROR|LINE  |FAIL|SUMMARY|WARNING: T|runtime error:|[Aa]ssert'
wrong="$wrong|[0-9] in, [0-9]|^[a-z_]+: "
in_short() {
	grep -E -A 1 "$wrong" | grep -v '^--$' | cut -c 1-200 | head -n 15
}

step packages
scripts/packages.sh || give_up "the packages could not be installed"

step build
# autogen.sh runs only if configure is older than its sources.
if [ ! -e configure ] || [ -n "$(find configure.ac Makefile.am autogen.sh \
     -newer configure)" ]; then
	./autogen.sh >autogen.log 2>&1 || {
		cat autogen.log
		give_up "autogen.sh failed"
	}
	rm -f autogen.log
fi
{ mkdir -p "$build" && cd "$build"; } || give_up "there is no folder $build"
# check-matrix builds much of it again. Names of files begin at the root, so the
# cache finds them there.
cc=${CC:-gcc} cxx=${CXX:-g++}
if command -v ccache >/dev/null; then
	export CCACHE_DIR="$build/ccache" CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
	cc="ccache ${cc#ccache }" cxx="ccache ${cxx#ccache }"
fi
# Static libraries compile each file twice. check-matrix-dist has them.
[ -e Makefile ] || "$src/configure" --enable-debug --disable-static \
	CC="$cc" CXX="$cxx" || give_up "configure failed"
make -j"$jobs" all || give_up "make failed"
find . -name '*.trs' -exec rm -f {} +

# -k: the logs tell what failed.
step check
make -j"$jobs" -k check >check.log 2>&1
checked=$?
grep -E '^(PASS|FAIL|ERROR|SKIP|XPASS):' check.log
find . -name '*.trs' | grep -q . || {
	tail -n 40 check.log
	give_up "make check did not get to the tests"
}

# All in one make: while one configures, links or waits, another goes on.
targets='check-asan check-tsan fuzz check-matrix'
[ -n "${COF_QUICK:-}" ] || {
	step "$targets"
	# shellcheck disable=SC2086
	make -j"$jobs" -k $targets >others.log 2>&1 || {
		checked=1
		grep -E '^(FAIL|ERROR|XPASS):|error:|Error ' others.log
	}
}

step totals
failing_logs >failing.txt
while read -r log; do
	echo "-- $log"
	without_passed "$log" | tail -n 1000
done <failing.txt
[ ! -s failing.txt ] || step "failed, in short"
while read -r log; do
	echo "-- $log"
	without_passed "$log" | in_short
done <failing.txt
"$src/scripts/totals.sh" . >totals.txt
status=$?
if [ "$status" -eq 0 ] && [ "$checked" -ne 0 ]; then
	# All tests passed, and make failed: a program does not build, or a
	# check that is no test failed.
	grep -hE 'error:|\*\*\*' check.log others.log 2>/dev/null |
		head -n 20
	sed '$ { s/ 0 failed/ 1 failed/ }' totals.txt
	exit 1
fi
cat totals.txt
exit "$status"
