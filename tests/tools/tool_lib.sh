# tool_lib.sh - what the tests of cof-stats share; sourced, with $dir set to a
# folder of the test's own
# shellcheck shell=sh disable=SC2034,SC2154

here=${builddir:-.}
tool=$here/cof-stats
fails=0

fail() {
	echo "FAILED: $*" >&2
	fails=$((fails + 1))
}

# run STATUS ARGS...: the tool into $dir/out and $dir/err
run() {
	want=$1
	shift
	timeout 600 "$tool" "$@" >"$dir/out" 2>"$dir/err"
	got=$?
	[ $got = "$want" ] || fail "cof-stats $*: status $got, not $want"
	if [ "$want" = 0 ]; then
		[ -s "$dir/err" ] &&
			fail "cof-stats $*: said on stderr: $(cat "$dir/err")"
	else
		[ "$(wc -l <"$dir/err")" = 1 ] ||
			fail "cof-stats $*: not one line on stderr"
		[ -s "$dir/out" ] && fail "cof-stats $*: output despite an error"
	fi
}

shows() {
	grep -q -e "$1" "$dir/out" || fail "no '$1' in: $(cat "$dir/out")"
}

says() {
	grep -q -e "$1" "$dir/err" || fail "no '$1' on stderr: $(cat "$dir/err")"
}
