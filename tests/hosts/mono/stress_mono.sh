#!/bin/sh
# stress_mono.sh - .NET programs whose methods are replaced at random all the
# time
#
#	stress_mono.sh [CASE...]
#
#	stress	threads that compute, throw, allocate, lock, are aborted, park
#		and end print the same digest as on stock Mono
#	undone	the same with random verdicts of the audit: half of the versions
#		are rolled back and freed
#	parked	frames stay in versions that were replaced long ago. Reclaim
#		finds them and does not free the versions; the program returns
#		and throws through them
#	bounded	memory does not grow with the number of built versions: at most
#		by 8 MB after the first fifth of $BUILDS builds or more. There
#		are about 130 a second, in at most E2E_SECONDS
#	lives	$LIVES application domains are made, heated and unloaded: memory
#		grows by no more either, and the versions of unloaded domains
#		are freed, with Mono's own
#	HOW	the program ends by HOW while it is compiled, as on stock Mono
#
# Each case but bounded and lives has $RUNS runs. Run n draws from the seed
# $E2E_SEED + n - 1, which a failure prints. E2E_SEED=that RUNS=1 draws the same
# again.
#
# Environment: RUNS, 3 by default; STRESS_ROUNDS, of each worker; BUILDS, 500 by
# default; LIVES, 100 by default; STRESS_OPTIONS, more options; those of
# e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/../../e2e/e2e_lib.sh"

# cs NAME: the source of a program
runs=${RUNS:-3}
first=${E2E_SEED:-1}
rounds=${STRESS_ROUNDS:-10000}
builds=${BUILDS:-500}
lives=${LIVES:-100}
ends='return exit thread unhandled unhandled-thread domain term int foreground
	failfast'

# Builds as often as possible: versions live for a few milliseconds.
hurried="$in_co --cof-generation_ms=1 --cof-drain_ms=1
	--cof-sample_hz=5000 --cof-reclaim_ms=1 --cof-build_pct=6400
	--cof-history=none ${STRESS_OPTIONS:-}"

more=	# options of the case

# stock PROGRAM ARG...: run on stock Mono. hurry SEED PROGRAM ARG...: run under
# runtime.
stock() {
	program=$1
	shift
	run "$work/$case.stock" mono "$work/$program.exe" "$@"
}
hurry() {
	seed=$1 program=$2
	shift 2
	rm -rf "$work/$case.stats"
	mkdir -m 700 "$work/$case.stats"
	# shellcheck disable=SC2086
	run "$work/$case.cof" "$runtime" $hurried $more --cof-stress="$seed" \
		--cof-stats="$work/$case.stats" "$work/$program.exe" "$@"
	stats "$work/$case.stats" >"$work/$case.json" 2>"$work/$case.json.err"
}

# counted STAGE NAME: is the counter above 0?
counted() { [ "$(counter "$work/$case.json" "$1" "$2")" -gt 0 ]; }

# each_seed COMMAND: run COMMAND with each $seed until it fails
each_seed() {
	for seed in $(seq "$first" $((first + runs - 1))); do
		"$@" && continue
		echo "  seed $seed, run $((seed - first + 1)) of $runs"
		return 1
	done
	ok "$case"
}

# The digest depends on the number of rounds, so stock Mono runs each, too.
stress() {
	for n in $rounds $((4 * rounds)) $((16 * rounds)) $((64 * rounds)); do
		stock stress 1 "$n"
		hurry "$seed" stress 1 "$n"
		same "$case" "$work/$case.cof" "$work/$case.stock" || return 1
		counted reclaim freed || continue
		[ "$case" != undone ] || counted audit rollbacks || continue
		return
	done
	fail "$case" "no version was freed, or none was rolled back"
	return 1
}

# The longer a run, the more versions have frames.
parked() {
	for ms in 1000 4000 16000 64000; do
		hurry "$seed" parked $ms
		same "$case" "$work/$case.cof" "$work/$case.stock" || return 1
		counted reclaim in_use && counted reclaim freed && return
	done
	fail "$case" "no version was found in use, or none was freed"
	return 1
}

# One run, for as long as $builds builds take.
bounded() {
	ms=$((8 * builds))
	stock bounded 1
	while :; do
		hurry "$first" bounded $ms
		built=$(counter "$work/$case.json" optimizer built)
		[ "$built" -lt "$builds" ] || break
		[ $((ms * 4)) -lt $((seconds * 1000)) ] || break
		ms=$((ms * 4))
	done
	if [ "$built" -ge "$builds" ]; then
		grew "$built builds"
	else
		fail "$case" "$built builds"
	fi
}

# grew SAID: a test that the program grew by 8 MB at most
grew() {
	said=$1
	set -- $(sed -n 's/^early //p; s/^late //p' "$work/$case.cof.err")
	said="$said, ${1:-no} KB early, ${2:-no} KB at the end"
	same_err=no same "$case" "$work/$case.cof" "$work/$case.stock" || return
	if [ $# -eq 2 ] && [ $(($2 - $1)) -le 8192 ]; then
		ok "$case # $said"
	else
		fail "$case" "$said"
	fi
}

# More lives until in each, on average, a version was installed and freed.
lives() {
	for n in "$lives" $((4 * lives)) $((16 * lives)); do
		stock lives "$n"
		hurry "$first" lives "$n"
		freed=$(counter "$work/$case.json" reclaim freed)
		[ "$freed" -lt "$n" ] || break
	done
	if [ "$freed" -ge "$n" ]; then
		grew "$n lives, $freed versions freed"
	else
		fail "$case" "$freed versions were freed in $n lives"
	fi
}

# ending: the program ends by $case. Mono's text on a crash has addresses, which
# differ.
ending() {
	hurry "$seed" ends "$case" 100
	if [ "$case" = failfast ]; then
		cp "$work/$case.stock.out" "$work/$case.cof.out"
	fi
	same_err=no same "$case" "$work/$case.cof" "$work/$case.stock"
}

if [ "${1:-}" = --each ]; then
	case=$2
	case $case in
	stress)
		each_seed stress
		;;
	undone)
		more='--cof=full --cof-audit=on --cof-audit_turn_ms=1'
		each_seed stress
		;;
	bounded | lives)
		"$case"
		;;
	parked)
		stock parked 100
		each_seed parked
		;;
	*)
		stock ends "$case" 100
		each_seed ending
		;;
	esac
	exit
fi

need_mono
need "$runtime" "$cof_stats" "$e2e_run"
make_work
export XDG_DATA_HOME="$work" XDG_CACHE_HOME="$work"
for name in stress parked bounded lives ends; do
	parts=$(ls "$src"/tests/dotnet/*/"${name}_parts.cs" 2>/dev/null)
	mcs -optimize+ -nologo -nowarn:0,649 -out:"$work/$name.exe" \
		"$(cs "$name")" ${parts:+"$parts"} "$(cs Loop)" \
		>"$work/mcs" 2>&1 && continue
	fail "$name" "does not compile: $(head -n 1 "$work/mcs")"
	exit 1
done
# shellcheck disable=SC2048,SC2086
each ${*:-stress undone parked bounded lives $ends}
