#!/bin/sh
# e2e_programs.sh - real programs do under `runtime` what they do natively, byte
# for byte, and are recompiled meanwhile
#
#	e2e_programs.sh [WORKLOAD...]
#
# The workloads are those of bench/workloads.txt, without .NET programs. The
# modes are off, co and stress of e2e_guests.sh.
#
# Environment: E2E_SEED; E2E_MODES; PROGRAMS, the folder of the compiled
# programs; those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

programs=${PROGRAMS:-$build/programs}
table=$src/bench/workloads.txt
modes=${E2E_MODES:-off co stress}

without_times() { sed -i 's/ *[0-9]*\.[0-9]*s$//' "$1.out"; }

# round_trip: a test that runtime decompresses what was compressed natively
round_trip() {
	case $name in
	zstd-9 | bzip2) back=-dc ;;
	*) return ;;
	esac
	with_n "$n"
	text=$input input=$to.native.out
	# shellcheck disable=SC2086
	run "$to.back" "$runtime" $in_co "$programs/$program.bc" $back
	if cmp -s "$to.back.out" "$text"; then
		ok "$name.round_trip"
	else
		fail "$name.round_trip" "ended by $(cat "$to.back.status")" \
			"$(head -n 3 "$to.back.err")"
	fi
}

# workload NAME: all its tests
workload() {
	# shellcheck disable=SC2046
	set -- $(sed -n "s/^$1[[:blank:]]/$1 /p" "$table")
	if [ $# -eq 0 ]; then
		fail "$1" "no such workload"
		return
	fi
	name=$1 program=$2 n=$3 stdin=$4 filter=$5
	shift 5
	args=$*
	"$src/scripts/programs.sh" "$programs" "$program" >"$work/$name.cc" 2>&1
	case $? in
	0) ;;
	77) skip "$name" "$(tail -n 1 "$work/$name.cc")"
	    return ;;
	*) fail "$name" "$(tail -n 1 "$work/$name.cc")"
	   return ;;
	esac
	# On a busy machine a run may end before a recompilation; it gets
	# longer.
	for mode in $modes; do
		for times in 1 4 16 64; do
			with_n $((n * times))
			in_mode "$mode" || continue 2
			if [ "$recompiled" -gt 0 ] || may_not_be "$mode"; then
				ok "$name.$mode"
				continue 2
			fi
		done
		fail "$name.$mode" "no sample in a recompiled version"
	done
	round_trip
}

# may_not_be MODE: may the run end without a sample in a recompiled version?
# Under stress the random builds leave little time for others.
may_not_be() {
	case $1.$program in
	off.* | stress.lua | *.hello) return 0 ;;
	esac
	return 1
}

# with_n N: set the arguments and the input for N units, and run them natively
with_n() {
	arguments=$(echo "$args" | sed "s,@N,$1,; s,@S,$src,")
	to=$work/$name.$1
	input=
	if [ "$stdin" != - ]; then
		input=$to.in
		[ -e "$input" ] || awk -v mb="$1" -f "$src/bench/$stdin.awk" \
			>"$input"
	fi
	[ -e "$to.native.status" ] && return
	# shellcheck disable=SC2086
	run "$to.native" "$programs/$program.native" $arguments
	[ "$filter" != seconds ] || without_times "$to.native"
}

# in_mode MODE: run it, and set $recompiled; did it do what it does natively?
in_mode() {
	case $1 in
	off) opts=--cof=off ;;
	co) opts=$in_co ;;
	stress) opts="$in_co --cof-stress=${E2E_SEED:-1}" ;;
	esac
	mkdir -m 700 "$to.$1.stats"
	# shellcheck disable=SC2086
	run "$to.$1" "$runtime" $opts --cof-stats="$to.$1.stats" \
		"$programs/$program.bc" $arguments
	[ "$filter" != seconds ] || without_times "$to.$1"
	stats "$to.$1.stats" >"$to.json"
	recompiled=$(counter "$to.json" sampler recompiled)
	same "$name.$1" "$to.$1" "$to.native"
}

if [ "${1:-}" = --each ]; then
	workload "$2"
	exit
fi

need "$runtime" "$cof_stats" "$e2e_run"
make_work
# shellcheck disable=SC2046,SC2048,SC2086
each ${*:-$(sed -n '/^cs-/d; s/^\([a-z][^[:blank:]]*\).*/\1/p' "$table")}
