#!/bin/sh
# The guest programs do under `runtime` what they do natively, byte for byte.
#
#	e2e_guests.sh [NAME...]
#
# Every guest of tests/guests runs, for each of its lines guest-args,
#
#	off	as compiled at first
#	co	with thresholds so low that much is recompiled
#	stress	and with builds drawn at random
#	O0	co, from bitcode that was not optimized
#
# One with a line guest-osr must have left a loop for a continuation in mode co.
# A guest with a line guest-hot must show samples in a recompiled version, one
# with guest-reclaims freed versions; if not, it gets more time, twice.
#
# Environment: E2E_SEED, for stress; E2E_MODES; those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

seed=${E2E_SEED:-1}
modes=${E2E_MODES:-off co stress O0}

# in_runtime TO MODE LOOP_MS ARG...
in_runtime() {
	to=$1 level=O2
	export GUEST_MS="$3"
	case $2 in
	off) opts=--cof=off ;;
	co) opts=$in_co ;;
	stress) opts="$in_co --cof-stress=$seed" ;;
	O0) opts=$in_co level=O0 ;;
	esac
	shift 3
	rm -rf "$to.stats"
	mkdir -m 700 "$to.stats"
	cd "$guests/$level" || exit 1
	# shellcheck disable=SC2086
	run "$to" "$runtime" $opts --cof-stats="$to.stats" "./$name" "$@"
	stats "$to.stats" >"$to.json" 2>"$to.json.err"
}

# What the mode had to do, besides the right thing; empty if it did.
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
	elif has reclaims && [ "$(counter "$1.json" reclaim freed)" -eq 0 ]; then
		echo "nothing freed of" \
		     "$(counter "$1.json" reclaim retired) retired versions"
	fi
}

# one CASE ARG...: a guest with these arguments, in all modes
one() {
	case=$1
	native "$@"
	shift
	for mode in $modes; do
		case $mode in off) times=0 ;; *) times='250 1500 6000 24000 96000' ;; esac
		until_seen "$case" "$work/$case.native" "$mode" "$times" \
			in_runtime "$@"
	done
}

if [ "${1:-}" = --each ]; then
	cases "$2"
	exit
fi

need "$runtime" "$cof_stats" "$e2e_run"
make_work
# shellcheck disable=SC2046,SC2048,SC2086
each ${*:-$("$build_sh" --list)}
