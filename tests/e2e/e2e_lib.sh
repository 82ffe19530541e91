# e2e_lib.sh - what the end-to-end tests share; sourced, from the build folder
#
# Each test prints one line, `ok NAME`, `skip NAME # WHY` or `FAIL NAME`. Lines
# that explain a failure follow it and begin with two blanks. scripts/totals.sh
# counts the tests.
#
# Environment: RUNTIME, COF_STATS, COF_CC and E2E_RUN, programs instead of those
# of this build; CLANG, the compiler; E2E_JOBS, the number of tests at a time;
# E2E_SECONDS, the most that one may take; GUESTS, the folder of the compiled
# guests.
# shellcheck shell=sh disable=SC2034

src=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
src=$(cd "$src" && pwd)
build=$(pwd)
runtime=${RUNTIME:-$build/runtime/runtime}
cof_stats=${COF_STATS:-$build/cof-stats}
cof_cc=${COF_CC:-$build/cof-cc}
clang=${CLANG:-clang-22}
e2e_run=${E2E_RUN:-$build/tests/e2e/e2e_run}
jobs=${E2E_JOBS:-$(nproc)}
seconds=${E2E_SECONDS:-600}
guests=${GUESTS:-$build/guests}
build_sh=$src/tests/guests/build.sh
script=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")

# With these thresholds all that runs for a moment is recompiled, and no process
# goes on with it.
eager="--cof-generation_ms=10 --cof-hit_weight=1 --cof-gain_pct=0
	--cof-sample_hz=1000 --cof-budget_permille=0 --cof-drain_ms=5
	--cof-reclaim_ms=10 --cof-auto_start_ms=0 --cof-build_nice=0
	--cof-fork_start_ms=1 --cof-unproven_pct=100 --cof-auto_finish=no"

# Mode co with builds that cost nothing. While other tests take all cores, no
# build would be worth what it takes from a program that runs for a moment.
in_co="--cof=co $eager --cof-cost_pct=0"

# The user's options take no part.
unset COF_OPTIONS GUEST_MS

# build.sh compiles guests with it.
export COF_CC="$cof_cc"

ok() { echo "ok $1"; }
skip() { echo "skip $1${2:+ # $2}"; }

# fail NAME [LINE...]
fail() {
	echo "FAIL $1"
	shift
	[ $# -eq 0 ] || printf '%s\n' "$@" | sed 's/^/  /'
}

# need_mono: skip all without Mono
need_mono() {
	for program in mono mcs; do
		command -v $program >/dev/null && continue
		skip "$(basename "$script" .sh)" "there is no $program"
		exit 77
	done
}

# cs NAME: the source of .NET program NAME
cs() { ls "$src"/tests/dotnet/*/"$1.cs"; }

# need PROGRAM...: skip all without these and clang
need() {
	for program in "$@"; do
		[ -x "$program" ] && continue
		skip "$(basename "$script" .sh)" "$program was not built"
		exit 77
	done
	command -v "$clang" >/dev/null && return
	skip "$(basename "$script" .sh)" "there is no $clang"
	exit 77
}

# make_work: $work, a folder for this process, which is removed at its end.
# Stats files need a memory file system.
make_work() {
	for dir in /dev/shm "${XDG_RUNTIME_DIR:-/tmp}" /tmp; do
		work=$(mktemp -d "$dir/cof-e2e.XXXXXX" 2>/dev/null) && break
	done
	# A killed process leaves its stats file in there.
	export XDG_RUNTIME_DIR="$work"
	export XDG_CACHE_HOME="${XDG_CACHE_HOME:-$work/cache}"
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
}

# in_work PROGRAM...: skip all without these and runtime, and go to $work
in_work() {
	need "$runtime" "$e2e_run" "$@"
	make_work
	cd "$work" || exit 1
}

# run TO COMMAND...: run it with input from $input; its output, errors and wait
# status are in TO.out, TO.err and TO.status
run() {
	run_to=$1
	shift
	"$e2e_run" "$run_to.status" "$seconds" "$@" <"${input:-/dev/null}" \
		>"$run_to.out" 2>"$run_to.err" || :
}

# same NAME GOT WANT: do two runs agree in output, errors and wait status? If
# not, test NAME fails with the differences. $same_err=no: errors may differ.
same() {
	if cmp -s "$2.status" "$3.status" && cmp -s "$2.out" "$3.out" &&
	   { [ "${same_err:-yes}" = no ] || cmp -s "$2.err" "$3.err"; }; then
		return 0
	fi
	fail "$1" "ended by $(cat "$2.status"), natively $(cat "$3.status")"
	for s in out err; do
		cmp -s "$2.$s" "$3.$s" && continue
		diff -a "$3.$s" "$2.$s" | head -n 8 | cut -c 1-200 |
			sed "s/^/  $s: /"
	done
	return 1
}

# agree NAME GOT WANT: a test that two runs are the same
agree() { same "$@" && ok "$1"; }

# objects FILE: JSON, split before each object. A line ends with the key of the
# object that the next line begins.
objects() { tr '{' '\n' <"$1"; }

# counter FILE STAGE NAME: the sum of a counter over all processes in FILE
counter() {
	objects "$1" | awk -v stage="\"$2\":" -v name="\"$3\":" '
		/^"[^"]*":$/ { in_stage = key == stage }
		in_stage && key == name && match($0, /^"value":[0-9]+/) {
			sum += substr($0, 9, RLENGTH - 8)
		}
		{ key = match($0, /"[^"]*":$/) ? substr($0, RSTART) : "" }
		END { print sum + 0 }'
}

# stats DIR: the stats files of a run, as JSON, a line for each process. They
# stay when a process ends.
stats() {
	for f in "$1"/*; do
		[ -f "$f" ] && "$cof_stats" --json "$f"
	done
}

# until_seen CASE WANT MODE TIMES COMMAND ARG...: a test that runs COMMAND TO
# MODE MS ARG... with each MS of TIMES, until missing() prints nothing. Each run
# must be the same as WANT.
until_seen() {
	seen_case=$1 seen_want=$2 seen_mode=$3 seen_times=$4 seen_by=$5
	shift 5
	for ms in $seen_times; do
		"$seen_by" "$work/$seen_case.$seen_mode" "$seen_mode" "$ms" "$@"
		same "$seen_case.$seen_mode" "$work/$seen_case.$seen_mode" \
			"$seen_want" || return
		why=$(missing "$work/$seen_case.$seen_mode" "$seen_mode")
		[ -n "$why" ] || break
	done
	if [ -z "$why" ]; then
		ok "$seen_case.$seen_mode"
	else
		fail "$seen_case.$seen_mode" "$why"
	fi
}

# verdict FILE: end the script; FILE has the lines of its tests
verdict() {
	grep -q '^FAIL' "$1" && exit 1
	grep -q '^ok' "$1" || exit 77
	exit 0
}

# each NAME...: run this script with --each for each NAME, several at a time,
# and end it. The outputs are not mixed.
each() {
	export work
	# shellcheck disable=SC2016  # the inner shell expands it
	printf '%s\n' "$@" | xargs -P "$jobs" -I '{}' sh -c '
		sh "$1" --each "$2" >"$work/said.$2" 2>&1
		cat "$work/said.$2"' - "$script" '{}' | tee "$work/all"
	verdict "$work/all"
}

# -- Programs: lines of the first comment of program $name ------------------

# each_args COMMAND: COMMAND N ARG... for each of the program's lines args,
# counted from 1; COMMAND 0 if it has none
each_args() {
	args_command=$1
	if ! has args; then
		"$args_command" 0
		return
	fi
	lines args >"$work/$name.args"
	args_n=0
	while read -r args; do
		args_n=$((args_n + 1))
		set -f	# arguments may have stars
		eval "set -- $args"
		set +f
		"$args_command" "$args_n" "$@"
	done <"$work/$name.args"
}

# -- Guests: the programs of tests/guests -----------------------------------

# lines KEY: the values of the guest's lines guest-KEY. has KEY: is there one?
lines() { "$build_sh" --directive "$1" "$name"; }
has() { lines "$1" | sed 's/^/x/' | grep -q .; }

# cases NAME: compile guest NAME; then the script's `one CASE ARG...` for each
# of its lines guest-args, with its input in $input
cases() {
	name=$1
	if ! "$build_sh" "$guests" "$name" >"$work/$name.cc" 2>&1; then
		fail "$name" "does not compile: $(head -n 1 "$work/$name.cc")"
		return
	fi
	input=
	if has stdin; then
		input=$work/$name.in
		sh -c "$(lines stdin)" >"$input"
	fi
	each_args one_guest
}

one_guest() {
	guest_n=$1
	shift
	case $guest_n.${1-} in
	0.*) one "$name" "$@" ;;
	*.[a-zA-Z_]*) one "${name}[$1]" "$@" ;;
	*) one "${name}[$guest_n]" "$@" ;;
	esac
}

# native CASE ARG...: run guest $name natively, to $work/CASE.native
native() {
	native_to=$work/$1.native
	shift
	export GUEST_MS=0
	cd "$guests/native" || exit 1
	run "$native_to" "./$name" "$@"
}
