#!/bin/sh
# totals.sh - count the single tests that `make check` ran
#
#	totals.sh FOLDER...
#
# It reads the .trs and .log files under build folders. In a log it counts
# cmocka's results, and the lines `ok NAME`, `FAIL NAME` and `skip NAME` of
# scripts; a program with neither counts as one test. A test that a program
# announced and did not reach, because it crashed, has failed. A program that
# failed without a failed test counts as one.
#
# The lines name the failures. The last line is `N passed, N failed`, and `, N
# skipped` if there are any. Exit status 1: a test failed, or there is none.
set -eu

[ $# -gt 0 ] || { echo "usage: totals.sh FOLDER..." >&2; exit 2; }

# count TRS: the line `PASSED FAILED SKIPPED` of a program, then its failures
count() {
	log=${1%.trs}.log
	result=$(sed -n 's/^:test-result: //p' "$1" | head -n 1)
	[ -r "$log" ] || log=/dev/null
	awk -v result="$result" -v log_name="${1%.trs}" '
	function failure(what) { failed++; bad[failed] = what }

	/\[==========\] Running [0-9]+ test\(s\)/ {
		match($0, /Running [0-9]+/)
		announced += substr($0, RSTART + 8, RLENGTH - 8)
		in_group = 1
	}
	in_group && /\[       OK \] / { passed++; seen++ }
	in_group && /\[  SKIPPED \] / { skipped++; seen++ }
	in_group && /\[  FAILED  \] / {
		seen++
		failure(substr($0, index($0, "]") + 2))
	}
	/\[==========\] [0-9]+ test\(s\) run/ { in_group = 0 }

	/^ok [^ ]/ { passed++ }
	/^skip [^ ]/ { skipped++ }
	/^FAIL [^ ]/ { failure($2) }

	END {
		for (; seen < announced; seen++)
			failure("a test that was not reached")
		if (result ~ /^(FAIL|ERROR|XPASS)/ && failed == 0)
			failure("ended by " result)
		if (passed + failed + skipped == 0) {
			if (result == "SKIP") skipped++
			else if (result == "PASS") passed++
			else failure("no result")
		}
		print passed + 0, failed + 0, skipped + 0
		for (i = 1; i <= failed; i++)
			print "FAIL " log_name ": " bad[i]
	}' "$log"
}

find "$@" -name '*.trs' | sort | while read -r trs; do
	count "$trs"
done | awk '
	/^FAIL/ { print; next }
	{ passed += $1; failed += $2; skipped += $3 }
	END {
		printf "%d passed, %d failed", passed, failed
		if (skipped) printf ", %d skipped", skipped
		print ""
		exit failed > 0 || passed + skipped == 0
	}'
