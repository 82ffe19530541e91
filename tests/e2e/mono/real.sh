# real.sh - rows of e2e_mono.sh: real programs
# shellcheck shell=sh disable=SC2154

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
