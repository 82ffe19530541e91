#!/bin/sh
# test_mono_recompile.sh - what kinds of methods are compiled again, by name: of an
# image compiled ahead of time, shared by instances, of value types; that the log
# says how long the world was stopped, and what was declined; and that mode pgo,
# without a sample, has each once, with what was counted

# shellcheck source=tests/tools/tool_lib.sh
. "$(dirname "$0")/../../tools/tool_lib.sh"
command -v mono >/dev/null 2>&1 && command -v mcs >/dev/null 2>&1 || exit 77
dir=$(mktemp -d "${TMPDIR:-/tmp}/cof-test.XXXXXX") || exit 77
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
unset COF_OPTIONS
XDG_DATA_HOME=$dir XDG_CACHE_HOME=$dir
export XDG_DATA_HOME XDG_CACHE_HOME

source=$(dirname "$0")/../../dotnet
mcs -optimize+ -nologo -out:"$dir/library.exe" "$source/runtime/Library.cs" \
	"$source/language/Loop.cs" || exit 99

# library MS SEED: add what is said to $dir/log
library() {
	CASE_MS=$1 timeout 600 "$here/hosts/mono/cof-mono" --cof=co \
		--cof-stress="$2" --cof-verbose --cof-stats=none \
		--cof-history=none --cof-generation_ms=10 --cof-hit_weight=1 \
		--cof-drain_ms=2 --cof-sample_hz=2000 --cof-budget_permille=0 \
		--cof-reclaim_ms=5 "$dir/library.exe" \
		>"$dir/out" 2>>"$dir/log" || {
		tail -n 40 "$dir/log"
		echo "library.exe failed" >&2
		exit 1
	}
}

# The names of Mono's log: image, shared by references, value type, interface
wanted='System.Text.StringBuilder:Append
ArraySortHelper`1<T_REF>:
Dictionary`2<string, int>:
List`1<Library/Point>:
string:'

missing() {
	echo "$wanted" | while read -r name; do
		grep 'OPT took' "$dir/log" | grep -qF ": $name" ||
			grep 'OPT took' "$dir/log" | grep -qF ".$name" ||
			echo "$name"
	done
}

: >"$dir/log"
for ms in 1000 2000 4000 8000 32000 128000; do
	library $ms $ms
	lost=$(missing)
	[ -n "$lost" ] || break
done
if [ -n "$lost" ]; then
	echo "never compiled again: $lost" >&2
	exit 1
fi
grep -q 'mono: world stopped [1-9][0-9]* times, .* median, .* p99' \
	"$dir/log" || {
	echo "no line on the world" >&2
	exit 1
}
grep -q 'mono: [1-9][0-9]* methods, .*: compiled again' "$dir/log" || {
	echo "no line on methods" >&2
	exit 1
}

# -- Inlining -------------------------------------------------------------------

mcs -optimize+ -nologo -out:"$dir/small.exe" \
	"$(dirname "$0")/../../../bench/mono/small.cs" || exit 99

# What is short for Mono too, but has branches, and is two calls away: generations
# that are long enough for some samples of each, since mode co inlines once.
for n in 20 40 80 160 640 2560; do
	timeout 600 "$here/hosts/mono/cof-mono" --cof=co --cof-verbose \
		--cof-stats=none --cof-history=none --cof-generation_ms=100 \
		"$dir/small.exe" "$n" >"$dir/out" 2>"$dir/log" || exit 1
	! grep -q 'Pixels .*: inlines Small:Clamp' "$dir/log" || break
done
grep -q 'Pixels .*: inlines Small:Clamp' "$dir/log" || {
	grep inlines "$dir/log"
	echo "a hot callee was not inlined" >&2
	exit 1
}

# -- Mode pgo -------------------------------------------------------------------

# pgo LINES: whether a method was built with its profile
pgo() {
	timeout 600 "$here/hosts/mono/cof-mono" --cof=pgo --cof-verbose \
		--cof-stats=none --cof-history=none --cof-generation_ms=20 \
		"$dir/small.exe" "$1" >"$dir/out" 2>"$dir/log" || return
	grep -q 'Collecting .* collected' "$dir/log"
}

for n in 10 40 160 640 2560; do
	! pgo $n || break
done
mono "$dir/small.exe" "$n" >"$dir/want"
cmp "$dir/out" "$dir/want" || exit 1
grep -q 'Collecting .* collected' "$dir/log" || {
	tail -n 40 "$dir/log"
	echo "mode pgo: nothing was built with a profile" >&2
	exit 1
}
if ! grep -q ' [1-9][0-9]* methods, 0 samples: compiled again' "$dir/log"; then
	echo "mode pgo: samples were taken" >&2
	exit 1
fi
