#!/bin/sh
# test_mono_recompile.sh - which methods are recompiled, by name, and the log
#
# Recompiled are methods of an image compiled ahead of time, methods shared by
# instances, and methods of value types. The log tells how long the world was
# stopped, and what was declined. Mode pgo takes no samples, and builds methods
# with what they counted.

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

# library MS SEED: run it, and append its log to $dir/log
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

# Names in Mono's log: of the image, shared by references, of a value type
wanted='System.Text.StringBuilder:Append
ArraySortHelper`1<T_REF>:
Dictionary`2<string, int>:
List`1<Library/Point>:
string:'

# missing: the wanted names that were not recompiled
missing() {
	echo "$wanted" | while read -r name; do
		grep 'a worker took' "$dir/log" | grep -qF " for $name" ||
			grep 'a worker took' "$dir/log" | grep -qF ".$name" ||
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
	echo "never recompiled: $lost" >&2
	exit 1
fi
grep -q 'mono: world stopped [1-9][0-9]* times, .* median, .* p99' \
	"$dir/log" || {
	echo "the log has no line on the stopped world" >&2
	exit 1
}
grep -q 'mono: [1-9][0-9]* methods, .*: compiled again' "$dir/log" || {
	echo "the log has no line on the methods" >&2
	exit 1
}

# -- Inlining ---------------------------------------------------------------

mcs -optimize+ -nologo -out:"$dir/small.exe" \
	"$(dirname "$0")/../../../bench/mono/small.cs" || exit 99

# The callee is short for Mono, too, but it has branches and is two calls away.
# Mode co inlines once, so a generation is long enough for samples in each
# method.
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

# -- Mode pgo ---------------------------------------------------------------

# pgo LINES: was a method built with its profile?
pgo() {
	timeout 600 "$here/hosts/mono/cof-mono" --cof=pgo --cof-verbose \
		--cof-stats=none --cof-history=none --cof-generation_ms=20 \
		"$dir/small.exe" "$1" >"$dir/out" 2>"$dir/log" || return
	grep -q 'the host collected the profile of' "$dir/log"
}

for n in 10 40 160 640 2560; do
	! pgo $n || break
done
mono "$dir/small.exe" "$n" >"$dir/want"
cmp "$dir/out" "$dir/want" || exit 1
grep -q 'the host collected the profile of' "$dir/log" || {
	tail -n 40 "$dir/log"
	echo "mode pgo: nothing was built with a profile" >&2
	exit 1
}
if ! grep -q ' [1-9][0-9]* methods, 0 samples: compiled again' "$dir/log"; then
	echo "mode pgo: samples were taken" >&2
	exit 1
fi
