#!/bin/sh
# e2e_pgo.sh - guests do what they do natively, byte for byte, while their
# methods count and when they are built with profiles
#
#	e2e_pgo.sh [NAME...]
#
# Every guest runs under `runtime`, as cof-cc compiled it (cof) and from bitcode
# that was not optimized (O0), for each of its lines guest-args:
#
#	pgo	what is sampled counts once, and is built with its profile
#	stress	the same, mode full, with builds drawn at random (E2E_SEED)
#
# A guest with a line guest-hot must show methods built with their profile in
# mode pgo; if it does not, it gets more time.
#
# A guest with lines guest-led also runs in mode full, with each of these
# arguments, until it enters a continuation that was built with a profile.
#
# A line guest-inlined, "F: G H", says that F has G and H inlined once it is
# built with its profile.
#
# Environment: PGO_MODES; PGO_LEVELS; E2E_SEED; those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

modes=${PGO_MODES:-pgo stress}
levels=${PGO_LEVELS:-cof O0}

# counted TO LEVEL OPTION... -- ARG...: run guest $name, with its stats in
# TO.json
counted() {
	to=$1 level=$2
	shift 2
	opts="--cof-start_ms=0 --cof-history=none"
	while [ "$1" != -- ]; do
		opts="$opts $1"
		shift
	done
	shift
	rm -rf "$to.stats"
	mkdir -m 700 "$to.stats"
	cd "$guests/$level" || exit 1
	# shellcheck disable=SC2086
	run "$to" "$runtime" $opts --cof-stats="$to.stats" "./$name" "$@"
	stats "$to.stats" >"$to.json" 2>"$to.json.err"
}

# in_mode TO LEVEL.MODE MS ARG...
in_mode() {
	in_to=$1 in_level=${2%.*} in_mode=${2#*.}
	export GUEST_MS="$3"
	shift 3
	case $in_mode in
	pgo) opts=--cof=pgo ;;
	stress) opts="--cof=full --cof-stress=${E2E_SEED:-1}" ;;
	esac
	# shellcheck disable=SC2086
	counted "$in_to" "$in_level" $opts $eager -- "$@"
}

# missing TO LEVEL.MODE: what the guest had to show and did not
missing() {
	case $2 in *.stress) return ;; esac
	has hot || return
	n=$(counter "$1.json" profile built)
	[ "$n" -gt 0 ] || echo "nothing was built with its profile"
}

# lacks CASE LEVEL: why this case is not run at this level (docs/llvm.md)
lacks() {
	case $2.$1 in
	O0.init_array)
		echo "llvm-link(1) gives its constructors another order" ;;
	O0.deep) echo "frames as large as these need a larger stack" ;;
	O0.ifunc) echo "the linker gives a resolved function two addresses" ;;
	esac
}

# one CASE ARG...: guest $name with these arguments, in all modes
one() {
	case=$1
	native "$@"
	shift
	for level in $levels; do
		why=$(lacks "$case" "$level")
		[ -z "$why" ] || { skip "$case.$level" "$why"; continue; }
		for mode in $modes; do
			times='300 1500 6000 24000'
			until_seen "$case" "$work/$case.native" "$level.$mode" \
				"$times" in_mode "$@"
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
			# shellcheck disable=SC2086
			counted "$to" cof --cof=full $eager --cof-audit=off \
				-- "$arg"
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

# not_inlined TO: which callees of $callees are not inlined in $into
not_inlined() {
	for callee in $callees; do
		grep -q "OPT inlined $callee in $into\$" "$1.err" ||
			echo "$callee is not inlined in $into"
	done
}

# inlined: tests that the guest's callees are inlined as its profile shows calls
inlined() {
	export GUEST_MS
	lines inlined | while read -r into callees; do
		into=${into%:}
		to=$work/$name.inlined
		native "$name.inlined"
		for GUEST_MS in 300 1500 6000 24000; do
			# shellcheck disable=SC2086
			counted "$to" cof --cof=pgo $eager --cof-verbose --
			same_err=no same "$name.$into" "$to" "$to.native" ||
				continue 2
			[ -n "$(not_inlined "$to")" ] || break
		done
		if [ -z "$(not_inlined "$to")" ]; then ok "$name.$into"; else
			fail "$name.$into" "$(not_inlined "$to")"; fi
	done
}

if [ "${1:-}" = --each ]; then
	name=$2
	cases "$2"
	led
	inlined
	exit
fi

need "$runtime" "$cof_cc" "$e2e_run" "$cof_stats"
make_work
# shellcheck disable=SC2046,SC2048,SC2086
each ${*:-$("$build_sh" --list)}
