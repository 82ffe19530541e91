# errors.sh - rows of e2e_mono.sh: files that cannot be run, and wrong options
# shellcheck shell=sh disable=SC2154

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
