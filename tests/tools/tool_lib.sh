# tool_lib.sh - what the tests of cof-stats share; sourced. $dir is the test's
# folder
# shellcheck shell=sh disable=SC2034,SC2154

here=${builddir:-.}
tool=$here/cof-stats
fails=0

fail() {
	echo "FAILED: $*" >&2
	fails=$((fails + 1))
}

# run STATUS ARG...: a test of the tool's status. Its output is in $dir/out and
# $dir/err.
run() {
	want=$1
	shift
	timeout 600 "$tool" "$@" >"$dir/out" 2>"$dir/err"
	got=$?
	[ $got = "$want" ] || fail "cof-stats $*: status $got, not $want"
	if [ "$want" = 0 ]; then
		[ -s "$dir/err" ] &&
			fail "cof-stats $*: on stderr: $(cat "$dir/err")"
	else
		[ "$(wc -l <"$dir/err")" = 1 ] ||
			fail "cof-stats $*: not one line on stderr"
		[ -s "$dir/out" ] &&
			fail "cof-stats $*: output despite an error"
	fi
}

# shows PATTERN: a test of stdout. says PATTERN: a test of stderr.
shows() {
	grep -q -e "$1" "$dir/out" || fail "no '$1' in: $(cat "$dir/out")"
}

says() {
	grep -q -e "$1" "$dir/err" ||
		fail "no '$1' on stderr: $(cat "$dir/err")"
}
