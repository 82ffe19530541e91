#!/bin/sh
# Install what is needed, build, and run every test. The last line says
# `N passed, N failed`, over all single tests; the exit status is 0 if none failed.
#
# Environment: BUILD, the build folder (build); JOBS; COF_QUICK=1 leaves out the
# sanitizers and the other ways to build.
set -u

cd "$(dirname "$0")" || exit 1
src=$(pwd)
build=${BUILD:-$src/build}
jobs=${JOBS:-2}

# Nothing could be tested: that is a failure too.
give_up() {
	echo "test.sh: $*" >&2
	echo "0 passed, 1 failed"
	exit 1
}

step() { echo "== $*"; }

failing_logs() {
	find . -name '*.trs' -exec \
		grep -lE '^:test-result: (FAIL|ERROR|XPASS)' {} + |
		sed 's/\.trs$/.log/' | sort
}

# A log without the tests that passed. One that ended the program is the last RUN.
not_what_passed() {
	awk '/^\[ +RUN +\]/ { if (run) print run; run = $0; next }
	     /^\[ +(OK|SKIPPED) +\]/ { run = ""; next }
	     /^(ok|PASS) / { next }
	     { if (run) print run; run = ""; print }
	     END { if (run) print run }' "$1"
}

# The lines that say what went wrong, so that the last screen of a run shows why.
in_short() {
	grep -E -A 1 'ERROR|LINE  |FAIL|SUMMARY|WARNING: T|runtime error:|[Aa]ssert|[0-9] in, [0-9]|^[a-z_]+: ' |
		grep -v '^--$' | cut -c 1-200 | head -n 15
}

step packages
scripts/packages.sh || give_up "the packages could not be installed"

step build
# configure need not run again if what it is made from is as old as it.
if [ ! -e configure ] || [ -n "$(find configure.ac Makefile.am autogen.sh \
     -newer configure)" ]; then
	./autogen.sh >autogen.log 2>&1 || { cat autogen.log; give_up autogen.sh; }
	rm -f autogen.log
fi
{ mkdir -p "$build" && cd "$build"; } || give_up "no folder $build"
[ -e Makefile ] || "$src/configure" --enable-debug || give_up configure
make -j"$jobs" all || give_up make
find . -name '*.trs' -exec rm -f {} +

# The logs say what failed; a status alone would stop us at the first failure.
step check
make -j"$jobs" -k check >check.log 2>&1
checked=$?
grep -E '^(PASS|FAIL|ERROR|SKIP|XPASS):' check.log
find . -name '*.trs' | grep -q . || {
	tail -n 40 check.log
	give_up "make check did not get to the tests"
}

targets=
[ -n "${COF_QUICK:-}" ] || targets='check-asan check-tsan check-matrix'
for target in $targets; do
	step "$target"
	make -j"$jobs" -k "$target" >"$target.log" 2>&1 || {
		checked=1
		grep -E '^(FAIL|ERROR|XPASS):|error:|Error ' "$target.log"
	}
done

step totals
failing_logs >failing.txt
while read -r log; do
	echo "-- $log"
	not_what_passed "$log" | tail -n 1000
done <failing.txt
[ ! -s failing.txt ] || step "failed, in short"
while read -r log; do
	echo "-- $log"
	not_what_passed "$log" | in_short
done <failing.txt
"$src/scripts/totals.sh" . >totals.txt
status=$?
if [ "$status" -eq 0 ] && [ "$checked" -ne 0 ]; then
	# All tests passed, and make is still unhappy: a program that does not
	# build, or a check that is no test.
	grep -hE 'error:|\*\*\*' check.log check-?san.log 2>/dev/null | head -n 20
	sed '$ { s/ 0 failed/ 1 failed/ }' totals.txt
	exit 1
fi
cat totals.txt
exit "$status"
