#!/bin/sh
# e2e_mono.sh - .NET programs do under `runtime` what they do under Mono, byte
# for byte
#
#	e2e_mono.sh [NAME...]
#
# Every program of tests/dotnet runs, for each of its lines `// args:`, on stock
# Mono, and then in each of
#
#	off co full auto pgo
#	stress	co, with builds drawn at random
#
# in all modes but off with low thresholds, so that much is recompiled. Lines of
# the program's first comment:
#
#	// hot		in mode stress there must be samples in a recompiled
#			version; if there are none, the program gets more time
#	// gains	in mode co, too, in which a build must promise a gain
#	// args: A...	a case: arguments, as the shell reads them
#	// stdin: TEXT	as printf(1) reads it
#	// env: A=B...	in the environment
#	// mcs: OPTION...	of the compiler
#	// mono: OPTION	of Mono, as --debug
#	// modes: MODE...	only these
#	// config: TEXT	a line of the program's .config file
#
# Environment: E2E_SEED, for stress; E2E_MODES; those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

# cs NAME: the source of a program
seed=${E2E_SEED:-1}
modes=${E2E_MODES:-off co full auto pgo stress}

# lines WORD: what is after `// WORD:` in program $name. has WORD: is it there?
lines() { sed -n "/^[^\/]/q; s|^// $1: *||p" "$(cs "$name")"; }
has() { sed '/^[^\/]/q' "$(cs "$name")" | grep -q "^// $1\(:\|\$\)"; }

# missing TO MODE: what the program had to show and did not
missing() {
	case $2 in
	co) has gains || return ;;
	stress) has hot || return ;;
	*) return ;;
	esac
	if [ "$(counter "$1.json" sampler recompiled)" -eq 0 ]; then
		echo "no sample in a recompiled version;" \
		     "$(counter "$1.json" patcher installed) installed," \
		     "$(counter "$1.json" sampler taken) samples" \
		     "$(head -c 200 "$1.json.err")"
	fi
}

# in_mode TO MODE CASE_MS ARG...: run program $name
in_mode() {
	to=$1 opts="--cof=$2 $eager"
	export CASE_MS="$3"
	case $2 in
	off) opts=--cof=off ;;
	co) opts=$in_co ;;
	stress) opts="$in_co --cof-stress=$seed" ;;
	esac
	for option in $(lines mono); do
		opts="$opts --mono=$option"
	done
	shift 3
	rm -rf "$to.stats"
	mkdir -m 700 "$to.stats"
	# shellcheck disable=SC2086,SC2046
	run "$to" env $(lines env) "$runtime" $opts --cof-stats="$to.stats" \
		--cof-history="$to.db" "$name.exe" "$@"
	stats "$to.stats" >"$to.json" 2>"$to.json.err"
}

# one CASE ARG...: program $name with these arguments, in all modes
one() {
	case=$1
	shift
	# shellcheck disable=SC2046
	CASE_MS=0 run "$work/$case.stock" env $(lines env) mono $(lines mono) \
		"$name.exe" "$@"
	stock_status=$(cat "$work/$case.stock.status")
	if has hot && [ "$stock_status" != "exit 0" ]; then
		fail "$case" "on stock Mono: $stock_status" \
		     "$(head -n 5 "$work/$case.stock.err")"
		return
	fi
	for mode in $modes; do
		case " $(lines modes) " in
		*" $mode "* | '  ') ;;
		*) continue ;;
		esac
		times='300 1500 6000 24000 96000'
		[ "$mode" != off ] || times=0
		until_seen "$case" "$work/$case.stock" "$mode" "$times" \
			in_mode "$@"
	done
}

# compile: program $name
compile() {
	# shellcheck disable=SC2046
	mcs -optimize+ -nologo -nowarn:0,67,168,169,219,414,649,1998 \
		$(lines mcs) -out:"$name.exe" "$(cs "$name")" \
		"$(cs Loop)" >"$name.mcs" 2>&1 || return 1
	has config || return 0
	lines config >"$name.exe.config"
}

# cases NAME: all cases of program NAME
cases() {
	name=$1
	if ! compile; then
		fail "$name" "does not compile: $(head -n 1 "$name.mcs")"
		return
	fi
	input=
	if has stdin; then
		input=$work/$name.in
		# shellcheck disable=SC2059
		printf "$(lines stdin)" >"$input"
	fi
	each_args one_program
}

one_program() {
	program_n=$1
	shift
	case $program_n in
	0) one "$name" ;;
	*) one "${name}[$program_n]" "$@" ;;
	esac
}

# -- Rows that are no program of tests/dotnet ---------------------------------

# as_stock NAME ARG...: tests that modes off and co do what stock Mono does
as_stock() {
	case=$1
	shift
	run "$work/$case.stock" mono "$@"
	for mode in off co; do
		run "$work/$case.$mode" "$runtime" --cof=$mode "$@"
		agree "$case.$mode" "$work/$case.$mode" "$work/$case.stock"
	done
}

# option_of MODE: its options; `again` is a second run in mode auto
option_of() {
	case $1 in
	off) echo --cof=off ;;
	again) echo "--cof=auto $eager" ;;
	co) echo "$in_co" ;;
	stress) echo "$in_co --cof-stress=$seed" ;;
	*) echo "--cof=$1 $eager" ;;
	esac
}

for file in "$src"/tests/e2e/mono/*.sh; do
	# shellcheck disable=SC1090
	. "$file"
done

# -- All ---------------------------------------------------------------------

if [ "${1:-}" = --each ]; then
	cd "$work" || exit 1
	case $2 in
	aot | declined | errors | frames | lazy | near) "$2" ;;
	plugin | quit | real_*) "$2" ;;
	*) cases "$2" ;;
	esac
	exit
fi

need_mono
need "$runtime" "$cof_stats" "$e2e_run"
make_work
export XDG_DATA_HOME="$work" XDG_CACHE_HOME="$work"

# Programs of other tests have neither of these lines.
programs=$(cd "$src/tests/dotnet" &&
	grep -l '^// \(hot$\|args:\)' ./*/*.cs | sed 's|.*/||; s|\.cs$||')
rows='real_mcs real_nunit real_small aot declined errors frames lazy near quit'
# shellcheck disable=SC2048,SC2086
each ${*:-$rows $programs}
