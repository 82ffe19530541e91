#!/bin/sh
# e2e_cached_versions.sh - a run begins with the versions that the run before
# built
#
#	e2e_cached_versions.sh [NAME...]
#
# The guest does what it does natively, and LLVM is not loaded. Each guest runs,
# for each of its lines guest-args,
#
#	build	with low thresholds and no audit, so that many versions are
#		built, and cached
#	use	without samples, so that none is built: the known hot versions
#		are those of the first run
#
# Without names the guests are a selection. With guest `kept` come tests of the
# file.
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

selection="kept fnptr bigswitch goto_table virtuals eh statics tls_cpp setjmp
	osr threads vectors"

# A busy machine has time enough for the record.
patient="--cof-history_wait_ms=10000"

# No run counts as short.
auto="--cof=auto --cof-auto_short_ms=0 $patient"

# Builds cost nothing: on a busy machine they might not be worth it.
learn="--cof=full --cof-audit=off $eager --cof-cost_pct=0 $patient"

versions() { find "$XDG_CACHE_HOME" -name '*.ver' 2>/dev/null; }

# counted TO OPTION... -- ARG...: run guest $name, with its stats in TO.json
counted() {
	to=$1
	shift
	opts=
	while [ "$1" != -- ]; do
		opts="$opts $1"
		shift
	done
	shift
	rm -rf "$to.stats"
	mkdir -m 700 "$to.stats"
	cd "$guests/cof" || exit 1
	# shellcheck disable=SC2086
	run "$to" "$runtime" --cof-start_ms=0 "--cof-stats=$to.stats" $opts \
		"./$name" "$@"
	stats "$to.stats" >"$to.json"
}

# why TO: what the history knows of the guest
why() { "$cof_stats" --why="$guests/cof/$name" --json >"$1"; }

# build_them ARG...: the run that builds
build_ms=2000
build_them() {
	# shellcheck disable=SC2086
	GUEST_MS=$build_ms counted "$work/$case.build" $learn -- "$@"
}

# use_them ARG...: the run that uses what was built
use_ms=500
use_them() {
	# shellcheck disable=SC2086
	GUEST_MS=$use_ms counted "$work/$case.use" $auto --cof-source=none \
		--cof-unproven_pct=100 -- "$@"
}

# use_any ARG...: the same; it gets more time if it used nothing. Meanwhile
# libcof may not have been there.
use_any() {
	for use_ms in 500 2000 8000 32000; do
		use_them "$@"
		[ "$(used)" -eq 0 ] || break
	done
	use_ms=500
}

# built: the methods that ended the run that builds in a version with a profile.
# The others that were hot had no version that promised more than it cost, or
# were not sampled before the run was nearly over.
built() {
	objects "$work/$case.built" | grep '"plan":"profile"' |
		sed 's/.*"name":"\([^"]*\)".*/\1/'
}

# used: how many methods began with a version from the file
used() { counter "$work/$case.use.json" optimizer cached; }

# counting: how many began to count with one
counting() { counter "$work/$case.use.json" profile cached_counting; }

# both ARG...: both runs, as if the guest had never run before
both() {
	rm -rf "$XDG_CACHE_HOME" "$XDG_DATA_HOME" "$work/$case.known"
	mkdir -p "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
	build_them "$@"
	agree "$case.build" "$work/$case.build" "$work/$case.native"
	why "$work/$case.built"
	cp -Rp "$XDG_DATA_HOME" "$work/$case.known"
	if [ -n "$(built)" ]; then use_any "$@"; else use_them "$@"; fi
	agree "$case.use" "$work/$case.use" "$work/$case.native"
}

# short_run ARG...: it ends before any method is full
short_run() {
	for short_ms in 2000 8000 32000; do
		rm -rf "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
		mkdir -p "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
		# shellcheck disable=SC2086
		GUEST_MS=$short_ms counted "$work/$case.short" $learn $more \
			--cof-profile_counts=4000000000 \
			--cof-profile_generations=60000 -- "$@"
		why "$work/$case.why"
		! grep -q '"profile_bytes":[1-9]' "$work/$case.why" || break
	done
}

# unfinished ARG...: it leaves its counts
unfinished() {
	more=
	short_run "$@"
	agree "$case.short" "$work/$case.short" "$work/$case.native"
	n=$(counter "$work/$case.short.json" profile built)
	if [ "$n" -eq 0 ] &&
	   grep -q '"profile_bytes":[1-9]' "$work/$case.why"; then
		ok "$case.unfinished"
	else
		fail "$case.unfinished" "$n built; $(cat "$work/$case.why")"
	fi
}

# finish: without a run; n: how many functions were built
finish() {
	# shellcheck disable=SC2086
	(cd "$guests/cof" && run "$work/$case.finish" "$runtime" --cof-finish \
		$patient --cof-cost_pct=0 --cof-stats=none "./$name")
	n=$(sed -n 's/.* \([0-9]*\) functions* built$/\1/p' \
		"$work/$case.finish.err")
}

# finished: what it left is built, and the next one begins with it
finished() {
	finish
	use_any "$@"
	agree "$case.finished" "$work/$case.use" "$work/$case.native"
	if [ "$(used)" -gt 0 ] && [ ! -s "$work/$case.finish.out" ] &&
	   [ $(($(used) + $(counting))) -eq "${n:-0}" ]; then
		ok "$case.finish"
	else
		fail "$case.finish" "$(used) of ${n:-none} used, $(counting)" \
			"count; $(cat "$work/$case.finish.err")"
	fi
}

# finishes: by itself, in a process of its own, which e2e_run waits for
finishes() {
	more=--cof-auto_finish
	short_run "$@"
	agree "$case.finishes" "$work/$case.short" "$work/$case.native"
	ls "$XDG_CACHE_HOME/cof" >"$work/$case.files" 2>&1
	use_any "$@"
	if [ "$(used)" -gt 0 ]; then ok "$case.by_itself"; else
		fail "$case.by_itself" "$(cat "$work/$case.files")" \
			"$(counter "$work/$case.short.json" profile unfinished)"
	fi
}

# counts ARG...: what a run only saw hot counts in the next, which need not
# build anything for that
counts() {
	for short_ms in 2000 8000 32000; do
		rm -rf "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
		mkdir -p "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
		# shellcheck disable=SC2086
		GUEST_MS=$short_ms counted "$work/$case.seen" $eager $patient \
			--cof=auto --cof-unproven_pct=0 -- "$@"
		finish
		[ "${n:-0}" -eq 0 ] || break
	done
	# shellcheck disable=SC2086
	GUEST_MS=2000 counted "$work/$case.counts" $learn $patient --cof=auto \
		--cof-profile_counts=4000000000 \
		--cof-profile_generations=60000 -- "$@"
	agree "$case.counts" "$work/$case.counts" "$work/$case.native"
	why "$work/$case.why"
	if [ "$(counter "$work/$case.seen.json" profile picked)" -eq 0 ] &&
	   [ "$(counter "$work/$case.counts.json" profile \
		cached_counting)" -gt 0 ] &&
	   grep -q '"profile_bytes":[1-9]' "$work/$case.why"; then
		ok "$case.counted"
	else
		fail "$case.counted" "${n:-none}; $(cat "$work/$case.why")"
	fi
}

# five_runs MS ARG...: in mode auto, one after the other, until one begins with
# a version that was built after an earlier one
five_runs() {
	ms=$1
	shift
	rm -rf "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
	mkdir -p "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
	for i in 1 2 3 4 5; do
		# shellcheck disable=SC2086
		GUEST_MS=$ms counted "$work/$case.use" --cof=auto $patient \
			-- "$@"
		same "$case.by_default_$i" "$work/$case.use" \
			"$work/$case.native" || return
		[ "$(used)" -eq 0 ] || return
	done
}

# by_default ARG...: what the first runs see is built between them, what counts
# and what is fast
by_default() {
	for short_ms in 1000 4000 16000; do
		five_runs $short_ms "$@"
		[ "$(used)" -eq 0 ] || break
	done
	agree "$case.by_default" "$work/$case.use" "$work/$case.native"
	if [ "$(used)" -gt 0 ]; then ok "$case.used_by_default"; else
		why "$work/$case.why"
		fail "$case.used_by_default" "$(cat "$work/$case.why")"
	fi
}

# ended: a run that ends by _exit(2), without exit handlers, leaves its record.
# One that ends before libcof is there leaves none.
ended() {
	"$build_sh" "$guests" status >"$work/status.cc" 2>&1
	for ended_ms in 200 800 3200 12800; do
		(cd "$guests/cof" && GUEST_MS=$ended_ms "$runtime" --cof=full \
			--cof-stats=none $patient ./status _exit; :) \
			>/dev/null 2>&1
		"$cof_stats" --why="$guests/cof/status" --json \
			>"$work/$case.ended" 2>/dev/null
		! grep -q '"ended":' "$work/$case.ended" || break
	done
	if grep -q '"ended":1' "$work/$case.ended"; then ok "$case.ended"; else
		fail "$case.ended" "$(cat "$work/$case.ended")"; fi
}

# one CASE ARG...: guest $name with these arguments
one() {
	case=$1
	native "$@"
	shift
	export XDG_CACHE_HOME="$work/cache.$case"
	export XDG_DATA_HOME="$work/data.$case"
	both "$@"
	[ "$name" != kept ] || { the_file "$@"; unfinished "$@"; finished "$@"
		finishes "$@"; counts "$@"; by_default "$@"; ended; }
	rm -rf "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
}

guest() { cases "$1"; }

# -- The file that the build of guest `kept` left ---------------------------

# as_it_was: restore the file and the history
as_it_was() {
	cp -p "$work/$case.ver" "$file"
	rm -rf "$XDG_DATA_HOME"
	cp -Rp "$work/$case.known" "$XDG_DATA_HOME"
}

# damaged CASE: a run with the file as it is now does what it does natively
damaged() {
	use_them
	agree "kept.$1" "$work/$case.use" "$work/$case.native"
}

the_file() {
	# Nearly all of the time is in these two. A run on a busy machine may
	# end before both are built.
	n=0
	until [ "$(built | grep -cx -e pick -e work)" -eq 2 ] || [ $n -eq 5 ]
	do
		n=$((n + 1)) build_ms=$((build_ms * 2))
		both "$@"
	done
	build_ms=2000
	file=$(versions)
	n=$(built | wc -l)
	if [ "$n" -ge 2 ] && [ "$(used)" -ge "$n" ]; then
		ok kept.used
	else
		fail kept.used "$(used) of $n are; file: $file" \
			"built: $(built | tr '\n' ' ')"
		return
	fi
	cp -p "$file" "$work/$case.ver"
	bytes=$(wc -c <"$file")

	# What else is known to be hot, from a sample or two, is not worth a
	# build that costs ten times as much as it does.
	as_it_was
	(export GUEST_MAPS=1; run "$work/maps.native" "$guests/native/kept"
	 # shellcheck disable=SC2086
	 GUEST_MS=2000 counted "$work/maps" $auto --cof-source=none \
		--cof-cost_pct=1000 --)
	agree kept.no_llvm "$work/maps" "$work/maps.native"

	for part in 0 1 64 200 $((bytes / 2)) $((bytes - 1)); do
		as_it_was
		head -c "$part" "$work/$case.ver" >"$file"
		damaged "cut_$part"
	done
	for at in 0 8 40 130 $((bytes / 3)) $((bytes / 2)); do
		as_it_was
		printf 'cofc' | dd of="$file" bs=1 seek="$at" conv=notrunc \
			2>/dev/null
		damaged "tampered_$at"
	done

	as_it_was
	chmod g+w "$file"
	damaged mode
	[ "$(used)" -eq 0 ] || fail kept.mode_used "the file was used"
	chmod g-w "$file"
	as_it_was
	use_any
	agree kept.again "$work/$case.use" "$work/$case.native"
	if [ "$(used)" -gt 0 ]; then ok kept.again_used; else
		fail kept.again_used "the file was not used"; fi

	# Several processes of one program build at a time; one is killed.
	for i in 1 2 3; do
		(case=$case.$i; build_them) &
	done
	# shellcheck disable=SC2086
	(cd "$guests/cof" && GUEST_MS=60000 timeout -s KILL 2 \
		"$runtime" $auto $eager --cof-stats=none "./$name"; :) \
		>/dev/null 2>&1
	wait
	bad=
	for i in 1 2 3; do
		cmp -s "$work/$case.$i.build.out" "$work/$case.native.out" ||
			bad="$bad $i"
	done
	if [ -z "$bad" ]; then ok kept.at_once; else
		fail kept.at_once "wrong:$bad"; fi
	damaged after
}

need "$e2e_run" "$runtime" "$cof_cc" "$cof_stats"
if [ "${1:-}" = --each ]; then
	guest "$2"
	exit
fi
make_work
# shellcheck disable=SC2086
each ${*:-$selection}
