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

# -- Files that cannot be run ------------------------------------------------

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

# refuses NAME STATUS WORD COMMAND...: a test that COMMAND ends with STATUS and
# one line that has WORD
refuses() {
	case=$1 status=$2 word=$3
	shift 3
	run "$work/$case" "$@"
	if [ "$(cat "$work/$case.status")" = "exit $status" ] &&
	   [ "$(grep -c '^runtime: ' "$work/$case.err")" -eq 1 ] &&
	   [ "$(wc -l <"$work/$case.err")" -eq 1 ] &&
	   [ ! -s "$work/$case.out" ] &&
	   grep -q -e "$word" "$work/$case.err"; then
		ok "$case"
	else
		fail "$case" "$(cat "$work/$case.status")" \
		     "$(head -n 3 "$work/$case.err")"
	fi
}

# without NAME WORD VARIABLE=VALUE: tests that in this environment runtime
# prints one line, which has WORD, and that the program runs as on stock Mono
without() {
	case=$1 word=$2
	run "$work/$case.stock" env "$3" mono good.exe
	for mode in co pgo; do
		run "$work/$case.$mode" env "$3" "$runtime" --cof=$mode good.exe
		if [ "$(grep -c "^runtime: .*$word" "$case.$mode.err")" -ne 1 ]
		then
			fail "$case.$mode" "$(head -n 3 "$case.$mode.err")"
			continue
		fi
		same_err=no agree "$case.$mode" "$work/$case.$mode" \
			"$work/$case.stock"
	done
}

errors() {
	name=Inlining
	compile || { fail errors "does not compile"; return; }
	mv Inlining.exe good.exe
	head -c 600 good.exe >short.exe
	printf 'MZ' >magic.exe
	{ printf 'MZ'; head -c 4000 /dev/zero; } >zeros.exe
	tr '\0-\377' '\1-\377\0' <good.exe | sed '1s/^../MZ/' >shifted.exe
	head -c 2000 good.exe >half.exe
	mcs -nologo -t:library -out:library.dll "$(cs Loop)" \
		>library.mcs 2>&1 || fail library.dll "$(cat library.mcs)"
	for bad in short.exe magic.exe zeros.exe half.exe library.dll; do
		as_stock "$bad" "./$bad"
	done
	echo 'no program at all' >text.exe
	refuses text.exe 1 text.exe "$runtime" ./text.exe
	refuses missing.exe 1 missing.exe "$runtime" ./missing.exe
	refuses no--cof-load 2 --cof-load=libm.so.6 "$runtime" \
		--cof-load=libm.so.6 good.exe
	refuses bad_option 2 bogus "$runtime" --bogus good.exe
	refuses bad_mode 2 banana "$runtime" --cof=banana good.exe
	refuses bad_frames 2 banana "$runtime" --cof-frames=banana good.exe
	refuses bad_number 2 sample.hz "$runtime" --cof-sample-hz=x good.exe
	[ ! -e "$build/.libs/libcof-preload.so" ] ||
		refuses only_mono 2 mono "$runtime" --mono=--debug ./text.exe
	export MONO_ENV_OPTIONS='"no end'
	as_stock unmatched good.exe
	unset MONO_ENV_OPTIONS
	without preemptive preemptive MONO_THREADS_SUSPEND=preemptive
	without interpreter --interpreter MONO_ENV_OPTIONS=--interpreter
	without interp --interpreter MONO_ENV_OPTIONS=--interp
}

# -- Real programs -------------------------------------------------------------

# A library, since each of its programs has a Main; each copy has a namespace.
large_source() {
	for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
		for name in Dispatch Delegates Generics Structs Exceptions \
			Faults Collector Locks Abort Threads Iterators Native
		do
			echo "namespace N${n}_$name {"
			cat "$(cs "$name")" "$(cs Loop)" |
				sed '/^using/d' |
				sed "1i using System; using System.Linq; \
using System.Text; using System.Collections; using System.Threading; \
using System.Collections.Generic; using System.Diagnostics; \
using System.Reflection; using System.Text.RegularExpressions; \
using System.Runtime.InteropServices; using System.Runtime.CompilerServices;"
			echo "}"
		done
	done
}

# disassemble FILE: the assembly without the numbers that each compilation draws
disassemble() { monodis "$1" | sed '/GUID = /d; /MVID/d'; }

# Mono's compiler, twice in mode auto: the second run has the history of the
# first.
real_mcs() {
	large_source >large.cs
	set -- /usr/lib/mono/4.5/mcs.exe -nologo -optimize+ -r:System.Core \
		-nowarn:0,67,168,169,219,414,649,1998 -t:library \
		-out:large.dll large.cs
	run mcs.stock mono "$@"
	disassemble large.dll >large.stock 2>/dev/null
	for mode in co auto again; do
		rm -f large.dll
		option=--cof=$mode
		[ $mode != again ] || option=--cof=auto
		run "mcs.$mode" "$runtime" $option --cof-generation_ms=50 "$@"
		same "mcs.$mode" "$work/mcs.$mode" "$work/mcs.stock" || continue
		disassemble large.dll >large.$mode 2>/dev/null
		if [ -s large.stock ] && cmp -s large.stock large.$mode; then
			ok "mcs.$mode"
		else
			fail "mcs.$mode" "another assembly"
		fi
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

# nunit_said TO: remove the times, paths and versions, which differ, from TO.out
nunit_said() {
	sed -e '/[Tt]ime\|CLR\|OS Version\|Execution/d' \
		-e 's/[0-9.]* seconds//' "$1.out" >"$1.said"
	mv "$1.said" "$1.out"
}

real_nunit() {
	nunit=/usr/lib/nunit/nunit-console.exe
	framework=$(find /usr/lib/cli /usr/lib/mono -name nunit.framework.dll \
		2>/dev/null | head -n 1)
	if [ ! -e $nunit ] || [ -z "$framework" ]; then
		skip nunit "there is no nunit-console"
		return
	fi
	if ! mcs -nologo -t:library -r:"$framework" -out:units.dll \
		"$(cs units)" >units.mcs 2>&1; then
		fail nunit "$(head -n 2 units.mcs)"
		return
	fi
	cp "$framework" .
	run nunit.stock mono $nunit -nologo -noresult units.dll
	nunit_said nunit.stock
	for mode in off co auto again stress; do
		option=$(option_of $mode)
		# One run in a thousand does not end, in mode off, too: a thread
		# of the console stays in accept(2), and Mono waits for it.
		for try in 1 2; do
			# shellcheck disable=SC2086
			run nunit.$mode "$runtime" $option $nunit -nologo \
				-noresult units.dll
			[ "$(cat "nunit.$mode.status")" = timeout ] || break
			echo "nunit.$mode: did not end, try $try"
		done
		nunit_said nunit.$mode
		agree nunit.$mode "$work/nunit.$mode" "$work/nunit.stock"
	done
}

# Programs that do little: they start, run and end as on stock Mono.
real_small() {
	as_stock gacutil /usr/lib/mono/4.5/gacutil.exe -l
	as_stock mcs_help /usr/lib/mono/4.5/mcs.exe -help
	as_stock mcs_wrong /usr/lib/mono/4.5/mcs.exe -nologo no_such.cs
}

# -- All threads stopped -----------------------------------------------------

# SIGQUIT prints the threads' stacks, and the program goes on. Mono may be
# slower than the signals, so it may print fewer dumps, or none; then there is
# more time between them.
quit() {
	if ! mcs -optimize+ -nologo "$(cs quit)" -out:quit.exe \
		>quit.mcs 2>&1; then
		fail quit "$(head -n 2 quit.mcs)"
		return
	fi
	for mode in off co full auto pgo; do
		for QUIT_MS in 50 200 800 3200 12800; do
			export QUIT_MS
			# shellcheck disable=SC2086
			run quit.$mode "$runtime" $eager --cof=$mode quit.exe
			[ "$(cat quit.$mode.status)" = "exit 0" ] &&
				! grep -q '^Full thread dump' quit.$mode.out ||
				break
		done
		if [ "$(cat quit.$mode.status)" = "exit 0" ] &&
		   grep -q '^Full thread dump' quit.$mode.out; then
			ok quit.$mode
		else
			fail quit.$mode "ended by $(cat quit.$mode.status)" \
			     "$(head -n 5 quit.$mode.out quit.$mode.err)"
		fi
	done
}

# -- Assemblies loaded late --------------------------------------------------

# The program's own thread looks for an assembly, when the program needs it.
# Twice in mode auto: the second run knows the hot methods of the first.
lazy() {
	mkdir -p lazy &&
	mcs -nologo -t:library -d:LIBRARY "$(cs lazy)" \
		-out:lazy/Thing.dll >lazy.mcs 2>&1 &&
	mcs -optimize+ -nologo -r:lazy/Thing.dll "$(cs lazy)" \
		"$(cs Loop)" -out:lazy.exe >lazy.mcs 2>&1 || {
		fail lazy "$(head -n 2 lazy.mcs)"
		return
	}
	CASE_MS=0 run lazy.stock mono lazy.exe
	export CASE_MS=600
	for mode in off pgo co full auto again stress; do
		option=$(option_of $mode)
		# shellcheck disable=SC2086
		run lazy.$mode "$runtime" $option \
			--cof-history="$work/lazy.db" lazy.exe
		agree lazy.$mode "$work/lazy.$mode" "$work/lazy.stock"
	done
	unset CASE_MS
}

# An assembly that goes with the application domains that load it.
plugin() {
	name=plugin
	mcs -nologo -t:library -d:LIBRARY -r:System.Core "$(cs plugin)" \
		-out:Library.dll >plugin.mcs 2>&1 && compile || {
		fail plugin "does not compile: $(head -n 2 plugin.mcs)"
		return
	}
	one plugin
}

# Mono as a compiler: no program runs.
aot() {
	name=Dispatch
	if ! compile; then
		fail aot "does not compile: $(head -n 1 "$name.mcs")"
		return
	fi
	for mode in co auto; do
		rm -f Dispatch.exe.so
		run aot.$mode "$runtime" --cof=$mode --mono=--aot Dispatch.exe
		if [ "$(cat aot.$mode.status)" = "exit 0" ] &&
		   [ -s Dispatch.exe.so ]; then
			ok aot.$mode
		else
			fail aot.$mode "$(cat aot.$mode.status)" \
			     "$(tail -n 3 aot.$mode.err)"
		fi
	done
	rm -f Dispatch.exe.so
}

# -- Frames of inlined methods -----------------------------------------------

# frames_in TO OPTION...: run Frames until it has a sample in recompiled code,
# or, with --cof-frames=inline, until a callee was inlined
frames_in() {
	to=$1
	shift
	for CASE_MS in 300 1500 6000 24000 96000; do
		export CASE_MS
		rm -rf "$to.stats"
		mkdir -m 700 "$to.stats"
		# shellcheck disable=SC2086
		run "$to" "$runtime" $in_co --cof-history=none --cof-verbose \
			--cof-stats="$work/$to.stats" "$@" frames.exe
		case "$*" in
		*=inline*)
			! grep -q '^mono: .*: inlines ' "$to.err" || return 0
			continue ;;
		esac
		stats "$to.stats" >"$to.json"
		[ "$(counter "$to.json" sampler recompiled)" -eq 0 ] || return 0
	done
	return 1
}

# Frames.cs in all modes shows what --debug alone does.
frames() {
	if ! mcs -optimize+ -debug -nologo "$(cs Frames)" "$(cs Loop)" \
		-out:frames.exe >frames.mcs 2>&1; then
		fail frames "$(head -n 2 frames.mcs)"
		return
	fi
	CASE_MS=0 run frames.stock mono frames.exe
	if ! frames_in frames.keep --cof-stress="$seed" --cof-frames=keep; then
		fail frames.keep "no sample in a recompiled version"
	elif grep -q '^mono: .*: inlines ' frames.keep.err; then
		fail frames.keep "$(grep -m 1 '^mono: .*: inlines ' \
			frames.keep.err)"
	else
		same_err=no agree frames.keep frames.keep frames.stock
	fi
	if frames_in frames.inline --mono=--debug --cof-frames=inline; then
		ok frames.inline
	else
		fail frames.inline "nothing was inlined"
	fi
}

# -- What is declined --------------------------------------------------------

# Samples in methods that this host declines count under its reason.
declined() {
	if ! mcs -optimize+ -nologo -nowarn:0,219 "$(cs Emitted)" "$(cs Loop)" \
		-out:declined.exe >declined.mcs 2>&1; then
		fail declined "$(head -n 2 declined.mcs)"
		return
	fi
	for CASE_MS in 300 1500 6000 24000 96000; do
		export CASE_MS
		rm -rf declined.stats
		mkdir -m 700 declined.stats
		# shellcheck disable=SC2086
		run declined "$runtime" $in_co --cof-history=none \
			--cof-stats="$work/declined.stats" declined.exe
		stats declined.stats >declined.json
		[ "$(counter declined.json improved EMITTED)" -eq 0 ] || break
	done
	if [ "$(counter declined.json improved EMITTED)" -gt 0 ]; then
		ok declined
	else
		fail declined "no sample in a method made by Reflection.Emit"
	fi
}

# -- Addresses of code ---------------------------------------------------------

# All versions are below 2 GiB, as is all other code that Mono compiles.
near() {
	name=Dispatch
	if ! compile; then
		fail near "does not compile: $(head -n 1 "$name.mcs")"
		return
	fi
	for CASE_MS in 1500 6000 24000 96000; do
		export CASE_MS
		# shellcheck disable=SC2086
		run near "$runtime" $in_co --cof-stress="$seed" --cof-verbose \
			--cof-stats=none --cof-history=none "$name.exe"
		sed -n 's/^patching[.][.] .* -> 0x//p' near.err >near.at
		[ ! -s near.at ] || break
	done
	if [ ! -s near.at ]; then
		fail near "nothing was patched" "$(tail -n 2 near.err)"
	elif grep -qv '^[0-7]\{0,1\}[0-9a-f]\{1,7\}$' near.at; then
		fail near "far: $(tr '\n' ' ' <near.at)"
	else
		ok near
	fi
}

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
