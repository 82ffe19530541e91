#!/bin/sh
# e2e_pgo.sh - guests do what they do natively, byte for byte, while their
# methods count and when they are built with profiles
#
#	e2e_pgo.sh [NAME...]
#
# Every guest runs under llvm_pgo, from bitcode that was optimized (O2) and that
# was not (O0), for each of its lines guest-args:
#
#	count	all methods count from the start
#	use	all methods are built in units, with the profile of count
#	stress	methods count, are collected and are built at random (E2E_SEED)
#
# Two kinds of guests are left out. With a line guest-allocator, libraries would
# call the guest's allocator, and the driver is one of them. With
# guest-stand-ins, the guest needs stand-ins that the driver does not have.
#
# A line guest-inlined, "F: G H", says that `use` inlines G and H in F.
#
# A guest with lines guest-led also runs under `runtime` in mode full, with each
# of these arguments, until it enters a continuation that was built with a
# profile.
#
# Environment: PGO_MODES; PGO_LEVELS; E2E_SEED; LLVM_PGO, instead of the driver
# of this build; those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

pgo=${LLVM_PGO:-$build/tests/hosts/llvm/llvm_pgo}
modes=${PGO_MODES:-count use stress}
levels=${PGO_LEVELS:-O2 O0}

# one CASE ARG...: guest $name with these arguments, in all modes
one() {
	case=$1
	native "$@"
	shift
	for level in $levels; do
		profile=$work/$case.$level.profile
		: >"$profile"
		cd "$guests/$level" || exit 1
		for mode in $modes; do
			case $mode in
			count) set -- "--count=$profile" "./$name" "$@"
				GUEST_MS=0 ;;
			use) set -- "--use=$profile" --share=1000 --group=16 \
				"./$name" "$@"
				GUEST_MS=0 ;;
			stress) set -- "--stress=${E2E_SEED:-1}" "./$name" "$@"
				GUEST_MS=300 ;;
			esac
			to=$work/$case.$level.$mode
			run "$to" "$pgo" "$@"
			while [ "$1" != "./$name" ]; do shift; done
			shift
			agree "$case.$level.$mode" "$to" "$work/$case.native"
		done
	done
}

# inlined: tests that the guest's callees are inlined as its profile shows calls
inlined() {
	profile=$work/$name.inlined
	cd "$guests/O2" || exit 1
	"$pgo" "--count=$profile" "./$name" >/dev/null
	"$pgo" "--use=$profile" --share=1000 --group=1 --inlined "./$name" \
		2>&1 >/dev/null | sed 's/[.]cof//g' >"$profile.seen"
	lines inlined | while read -r into callees; do
		seen=$(grep "^inlined: $into" "$profile.seen")
		for callee in $callees; do
			case "$seen " in
			*" $callee "*) ok "$name.$callee" ;;
			*) fail "$name.$callee" "is not inlined: $seen" ;;
			esac
		done
	done
}

# led: tests that a loop that never ends gets to code built with its profile.
# There is no audit, which could roll the code back. The longer a run, the surer
# it is.
led() {
	export GUEST_MS
	for arg in $(lines led); do
		to=$work/$name.$arg
		native "$name.$arg" "$arg"
		for GUEST_MS in 1500 6000 24000 96000; do
			rm -rf "$to.stats"
			mkdir -m 700 "$to.stats"
			cd "$guests/O2" || exit 1
			# shellcheck disable=SC2086
			run "$to" "$runtime" --cof=full $eager --cof-audit=off \
				--cof-history=none --cof-stats="$to.stats" \
				"./$name" "$arg"
			stats "$to.stats" >"$to.json" 2>"$to.json.err"
			same "$name.$arg.full" "$to" "$to.native" || continue 2
			[ "$(counter "$to.json" osr profiled)" -eq 0 ] || break
		done
		if [ "$(counter "$to.json" osr profiled)" -gt 0 ]; then
			ok "$name.$arg.full"
		else
			fail "$name.$arg.full" \
				"no continuation with a profile was entered"
		fi
	done
}

if [ "${1:-}" = --each ]; then
	name=$2
	has allocator && exit
	has stand-ins && exit
	cases "$2"
	led
	inlined
	exit
fi

need "$pgo" "$e2e_run" "$runtime" "$cof_stats"
make_work
# shellcheck disable=SC2046,SC2048,SC2086
each ${*:-$("$build_sh" --list)}
