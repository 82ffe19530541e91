#!/bin/sh
# e2e_guests.sh - guests do under `runtime` what they do natively, byte for byte
#
#	e2e_guests.sh [NAME...]
#
# Every guest of tests/guests runs, for each of its lines guest-args,
#
#	off	as it was compiled first
#	co	with low thresholds, so that much is recompiled
#	stress	the same, with builds drawn at random
#	O0	co, from bitcode that was not optimized
#	itself	co, where the program runs natively (--cof-host=native); only
#		with E2E_MODES, as long as docs/llvm.md says what it lacks
#	linked	the same, linked from its bitcode by the first such run
#	linkedO0  the same, from bitcode that was not optimized
#
# A guest with one of these lines must show more, except in mode off; if it does
# not, it gets more time:
#
#	guest-hot	samples in a recompiled version
#	guest-osr	in mode co, a loop that was left for a continuation
#	guest-reclaims	freed versions; not where version 0 is the executable's,
#			which stays
#
# Environment: E2E_SEED, for stress; E2E_MODES; those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

seed=${E2E_SEED:-1}
modes=${E2E_MODES:-off co stress O0}

# in_runtime TO MODE LOOP_MS ARG...: run guest $name
in_runtime() {
	to=$1 level=O2
	export GUEST_MS="$3"
	case $2 in
	off) opts=--cof=off ;;
	co) opts=$in_co ;;
	stress) opts="$in_co --cof-stress=$seed" ;;
	O0) opts=$in_co level=O0 ;;
	itself)	opts="--cof-host=native --cof-start_ms=0 $in_co" level=cof ;;
	linked)	opts="--cof-host=native --cof-start_ms=0 $in_co" ;;
	linkedO0) opts="--cof-host=native --cof-start_ms=0 $in_co" level=O0 ;;
	esac
	shift 3
	rm -rf "$to.stats"
	mkdir -m 700 "$to.stats"
	cd "$guests/$level" || exit 1
	# shellcheck disable=SC2086
	run "$to" "$runtime" $opts --cof-stats="$to.stats" "./$name" "$@"
	stats "$to.stats" >"$to.json" 2>"$to.json.err"
}

# missing TO MODE: what the guest had to show and did not
missing() {
	case $2 in off) return ;; esac
	if has hot && [ "$(counter "$1.json" sampler recompiled)" -eq 0 ]; then
		echo "no sample in a recompiled version;" \
		     "$(counter "$1.json" patcher installed) installed," \
		     "$(counter "$1.json" sampler taken) samples" \
		     "$(head -c 200 "$1.json.err")"
	elif has osr && [ "$2" = co ] &&
	     [ "$(counter "$1.json" osr built)" -eq 0 ]; then
		echo "no loop was left for a continuation;" \
		     "$(counter "$1.json" osr asked) asked for"
	elif has reclaims &&
	     [ "$(counter "$1.json" reclaim freed)" -eq 0 ]; then
		case $2 in itself | linked*) return ;; esac
		echo "nothing freed of" \
		     "$(counter "$1.json" reclaim retired) retired versions"
	fi
}

# lacks MODE CASE: why this case is not run in this mode (docs/llvm.md)
lacks() {
	by_itself=$1
	case $1 in linked*) by_itself=itself ;; esac
	case $by_itself.$2 in
	itself.init_array) [ "$1" = itself ] ||
		echo "llvm-link(1) gives its constructors another order" ;;
	itself.deep) [ "$1" != linkedO0 ] ||
		echo "frames as large as these need a larger stack" ;;
	itself.ifunc) [ "$1" != linkedO0 ] ||
		echo "the linker gives a resolved function two addresses" ;;
	esac
}

# one CASE ARG...: guest $name with these arguments, in all modes
one() {
	case=$1
	native "$@"
	shift
	for mode in $modes; do
		why=$(lacks "$mode" "$case")
		[ -z "$why" ] || { skip "$case.$mode" "$why"; continue; }
		times='250 1500 6000 24000 96000'
		[ "$mode" != off ] || times=0
		until_seen "$case" "$work/$case.native" "$mode" "$times" \
			in_runtime "$@"
	done
}

if [ "${1:-}" = --each ]; then
	cases "$2"
	exit
fi

need "$runtime" "$cof_stats" "$e2e_run" "$cof_cc"
make_work
case $modes in
*itself*) export COF_CC="$cof_cc" COF_RUNTIME="$runtime" ;;
esac
# shellcheck disable=SC2046,SC2048,SC2086
each ${*:-$("$build_sh" --list)}
