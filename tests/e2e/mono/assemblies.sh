# assemblies.sh - rows of e2e_mono.sh: assemblies loaded late or compiled
# ahead of time
# shellcheck shell=sh disable=SC2154

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
