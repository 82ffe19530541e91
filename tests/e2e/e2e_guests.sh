#!/bin/sh
# e2e_guests.sh - guests do under `runtime` what they do natively, byte for byte
#
#	e2e_guests.sh [NAME...]
#
# Every guest of tests/guests runs, for each of its lines guest-args,
#
#	off	as cof-cc compiled it
#	co	with low thresholds, so that much is recompiled
#	stress	the same, with builds drawn at random
#	linked	co, linked from its bitcode by the first such run
#	O0	the same, from bitcode that was not optimized
#	auto	as cof-cc compiled it, without low thresholds: libcof comes
#		while the guest runs
#
# A guest with one of these lines must show more, except in modes off and auto;
# if it does not, it gets more time:
#
#	guest-hot	samples in a recompiled version
#	guest-osr	in mode co, a loop that was left for a continuation
#	guest-reclaims	in mode stress, freed versions; in the others version 0
#			may be the only one that is replaced, and it stays
#
# Environment: E2E_SEED, for stress; E2E_MODES; those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

seed=${E2E_SEED:-1}
modes=${E2E_MODES:-off co stress linked O0 auto}

# in_runtime TO MODE LOOP_MS ARG...: run guest $name
in_runtime() {
	to=$1 level=cof
	export GUEST_MS="$3"
	opts="$in_co --cof-start_ms=0"
	case $2 in
	off) opts=--cof=off ;;
	auto) opts=--cof=auto ;;
	stress) opts="$opts --cof-stress=$seed" ;;
	linked) level=O2 ;;
	O0) level=O0 ;;
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
	case $2 in off | auto) return ;; esac
	if has hot && [ "$(counter "$1.json" sampler recompiled)" -eq 0 ]; then
		echo "no sample in a recompiled version;" \
		     "$(counter "$1.json" patcher installed) installed," \
		     "$(counter "$1.json" sampler taken) samples" \
		     "$(head -c 200 "$1.json.err")"
	elif has osr && [ "$2" = co ] &&
	     [ "$(counter "$1.json" osr built)" -eq 0 ]; then
		echo "no loop was left for a continuation;" \
		     "$(counter "$1.json" osr asked) asked for"
	elif has reclaims && [ "$2" = stress ] &&
	     [ "$(counter "$1.json" reclaim freed)" -eq 0 ]; then
		echo "nothing freed of" \
		     "$(counter "$1.json" reclaim retired) retired versions"
	fi
}

# lacks MODE CASE: why this case is not run in this mode (docs/llvm.md)
lacks() {
	case $1.$2 in
	linked.init_array | O0.init_array)
		echo "llvm-link(1) gives its constructors another order" ;;
	O0.deep) echo "frames as large as these need a larger stack" ;;
	linked.unwound | O0.unwound) echo "bitcode does not name libraries" ;;
	O0.ifunc) echo "the linker gives a resolved function two addresses" ;;
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
		case $mode in
		off) times=0 ;;
		auto) times=300 ;;
		esac
		until_seen "$case" "$work/$case.native" "$mode" "$times" \
			in_runtime "$@"
	done
}

if [ "${1:-}" = --each ]; then
	cases "$2"
	exit
fi

need "$runtime" "$cof_cc" "$cof_stats" "$e2e_run"
make_work
# shellcheck disable=SC2046,SC2048,SC2086
each ${*:-$("$build_sh" --list)}
