#!/bin/sh
# e2e_pgo.sh - guests do what they do natively, byte for byte, while their
# methods are instrumented, collected and built with their profiles at random
#
#	e2e_pgo.sh [NAME...]
#
# Every guest runs under `runtime` with a libcof-native.so that does this
# (tests/hosts/llvm/pgo/stressed.c), for each of its lines guest-args, from the
# first moment on, and for at least 300 ms if it can (GUEST_MS). E2E_SEED draws.
#
# A line guest-inlined, "F: G H", says that G and H are inlined in F.
#
# A guest with lines guest-led also runs in mode full, with each of these
# arguments, until it enters a continuation that was built with a profile; one
# with lines guest-tried, until a trial of its loops, between which its frame
# goes to and fro, has a verdict.
#
# Environment: E2E_SEED; those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

stressed=$build/tests/hosts/llvm/pgo/.libs/libcof-native.so

# stress ARG...: the guest, from where it lies
stress() {
	run "$to" "$work/stressed/runtime/runtime" --cof=co --cof-build_pct=0 \
		--cof-idle_ms=0 --cof-start_ms=0 --cof-history=none "$@"
}

# one CASE ARG...: guest $name with these arguments
one() {
	case=$1
	native "$@"
	shift
	to=$work/$case.stress
	cd "$guests/cof" || exit 1
	GUEST_MS=300 COF_STRESSED_SEED=${E2E_SEED:-1} stress "./$name" "$@"
	agree "$case.stress" "$to" "$work/$case.native"
}

# is_inlined CALLER: CALLEE: in some build that $seen has
is_inlined() { sed 's/[.]cof//g' "$seen" | grep -q "^inlined: $1.* $2\>"; }

# inlined: tests that callees are inlined, sooner or later
inlined() {
	seen=$work/$name.seen
	to=$work/$name.inlined
	cd "$guests/cof" || exit 1
	lines inlined | while read -r caller callees; do
		for callee in $callees; do
			: >"$seen"
			for seed in 1 2 3 4 5 6 7 8 16 32 64; do
				GUEST_MS=$((seed * 1000)) \
					COF_STRESSED_SEED=$seed \
					COF_STRESSED_FILE=$seen stress "./$name"
				is_inlined "$caller" "$callee" && break
			done
			if is_inlined "$caller" "$callee"; then
				ok "$name.$callee"
			else
				fail "$name.$callee" "is not inlined: $(
					tail -n 1 "$seen")"
			fi
		done
	done
}

# looks TO COUNTER: has the run a counter of osr that is not 0?
looks() {
	stats "$1.stats" >"$1.json" 2>"$1.json.err"
	[ "$(counter "$1.json" osr "$2")" -gt 0 ]
}

# until_counted TO COUNTER COMMAND...: run it until it has, and a little longer,
# for its frames to go on in what was built; or to its end
until_counted() {
	to=$1 of=$2
	shift 2
	rm -rf "$to.stats" "$to.seen"
	mkdir -m 700 "$to.stats"
	GUEST_UNTIL=$to.seen run "$to" "$@" --cof-stats="$to.stats" \
		"./$name" "$arg" &
	while kill -0 $! 2>/dev/null; do
		! looks "$to" "$of" || { sleep 0.5; : >"$to.seen"; }
		sleep 0.2
	done
	wait $!
	looks "$to" "$of"
}

# in_loops LINE COUNTER OPTIONS: for each line guest-LINE, tests that a loop
# that never ends does as natively, and gets so far that the counter of osr is
# not 0. Patience is counted in generations, and on a busy machine a program
# does not run in each 10 ms: then they are longer.
in_loops() {
	export GUEST_MS
	for arg in $(lines "$1"); do
		case=$name.$arg.$1
		native "$name.$arg" "$arg"
		cd "$guests/cof" || exit 1
		for generation_ms in 10 40 160; do
			GUEST_MS=$((600 * generation_ms))
			# shellcheck disable=SC2086
			! until_counted "$work/$case" "$2" "$runtime" \
				--cof=full $eager $3 --cof-history=none \
				--cof-generation_ms=$generation_ms || break
			same "$case" "$work/$case" "$work/$name.$arg.native" ||
				continue 2
		done
		same "$case" "$work/$case" "$work/$name.$arg.native" ||
			continue
		if looks "$work/$case" "$2"; then
			ok "$case"
		else
			fail "$case" "counter $2 of osr is 0"
		fi
	done
}

if [ "${1:-}" = --each ]; then
	name=$2
	cases "$2"
	# With an audit the code with a profile could be rolled back.
	in_loops led profiled --cof-audit=off
	in_loops tried crossed "--cof-audit=on --cof-audit_s=1"
	inlined
	exit
fi

need "$stressed" "$e2e_run" "$runtime" "$cof_stats"
make_work
mkdir -p "$work/stressed/runtime" "$work/stressed/.libs"
cp "$runtime" "$work/stressed/runtime/runtime"
cp "$build/.libs/libcof-preload.so" "$work/stressed/.libs/"
ln -s "$build/.libs/libcof-libc.so" "$build/.libs/libcof-llvm.so" "$stressed" \
	"$work/stressed/.libs/"
# shellcheck disable=SC2046,SC2048,SC2086
each ${*:-$("$build_sh" --list)}
