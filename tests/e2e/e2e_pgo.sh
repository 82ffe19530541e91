#!/bin/sh
# The guest programs do what they do natively, byte for byte, when all of their
# methods count, when all are built with their profiles, and when both happens at
# random while they run.
#
#	e2e_pgo.sh [NAME...]
#
# Every guest runs under llvm_pgo, from bitcode that was optimized (O2) and that
# was not (O0), for each of its lines guest-args:
#
#	count	all methods count from the start
#	use	all methods are built in groups with what count saw
#	stress	methods count, are collected and built at random (E2E_SEED)
#
# Guests with a line guest-allocator are left out: libraries call their allocator, and
# the driver would be one of these. So are those with guest-stand-ins: it has none.
#
# With a line guest-inlined, "F: G H", G and H are inlined in F then.
#
# Guests with lines guest-led also run under `runtime` in mode full with each of
# these arguments, until a continuation built with a profile was entered.
#
# Environment: PGO_MODES; PGO_LEVELS; E2E_SEED; LLVM_PGO, another driver than that
# built here; those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

pgo=${LLVM_PGO:-$build/tests/hosts/llvm/llvm_pgo}
modes=${PGO_MODES:-count use stress}
levels=${PGO_LEVELS:-O2 O0}

# one CASE ARG...: a guest with these arguments, in all modes
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

# What the profile shows to be called is part of its caller, whatever calls it.
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

# Loops that are never left get to code built with their profile, in mode full and
# without an audit that may take it back; the longer a run, the surer.
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
			fail "$name.$arg.full" "no continuation with a profile ran"
		fi
	done
}

if [ "${1:-}" = --each ]; then
	name=$2
	has allocator && exit	# the driver has libc's for itself,
	has stand-ins && exit	# and no others
	cases "$2"
	led
	inlined
	exit
fi

need "$pgo" "$e2e_run" "$runtime" "$cof_stats"
make_work
# shellcheck disable=SC2046,SC2048,SC2086
each ${*:-$("$build_sh" --list)}
