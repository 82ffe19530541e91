# stacks.sh - rows of e2e_mono.sh: stacks that a program or Mono prints
# shellcheck shell=sh disable=SC2154

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
