#!/bin/sh
# e2e_cached_versions.sh - a run begins with the versions that the run before
# built
#
#	e2e_cached_versions.sh [NAME...]
#
# The guest does what it does natively, and LLVM is not loaded. Each guest runs,
# for each of its lines guest-args,
#
#	build	from its image, with low thresholds and no audit, so that many
#		versions are built, and cached
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

# No run counts as short, and a busy machine has time enough.
auto="--cof=auto --cof-auto_short_ms=0 --cof-history_wait_ms=10000"

# all_used: are all known hot versions used?
all_used() { [ "$(used)" -gt 0 ] && [ "$(used)" -eq "$(known)" ]; }

versions() { find "$XDG_CACHE_HOME" -name '*.ver' 2>/dev/null; }

# counted TO OPTION... -- ARG...: in_runtime, with the guest's stats in TO.json
counted() {
	to=$1
	shift
	rm -rf "$to.stats"
	mkdir -m 700 "$to.stats"
	in_runtime "$to" "--cof-stats=$to.stats" "$@"
	stats "$to.stats" >"$to.json"
}

# build_them ARG...: the run that builds. It takes longer if one before it did
# not build all.
build_ms=2000
build_them() {
	# shellcheck disable=SC2086
	GUEST_MS=$build_ms counted "$work/$case.build" --cof=full \
		--cof-audit=off $eager -- "$@"
}

# use_them ARG...: the run that uses what was built
use_them() {
	# shellcheck disable=SC2086
	GUEST_MS=200 counted "$work/$case.use" $auto --cof-source=none \
		-- "$@"
}

used() { counter "$work/$case.use.json" optimizer cached; }
known() { counter "$work/$case.use.json" optimizer known; }

# both ARG...: both runs, as if the guest had never run before
both() {
	rm -rf "$XDG_CACHE_HOME" "$XDG_DATA_HOME" "$work/$case.known"
	mkdir -p "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
	(cd "$guests/O2" && "$runtime" --cof-image=build "./$name") \
		>"$work/$case.image" 2>&1
	build_them "$@"
	agree "$case.build" "$work/$case.build" "$work/$case.native"
	cp -Rp "$XDG_DATA_HOME" "$work/$case.known"
	use_them "$@"
	agree "$case.use" "$work/$case.use" "$work/$case.native"
}

# unfinished ARG...: a run that ends before any method is full leaves its counts
unfinished() {
	for short_ms in 2000 8000 32000; do
		rm -rf "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
		mkdir -p "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
		# shellcheck disable=SC2086
		GUEST_MS=$short_ms counted "$work/$case.short" --cof=full \
			--cof-audit=off $eager \
			--cof-profile_counts=4000000000 \
			--cof-profile_generations=60000 -- "$@"
		"$cof_stats" --why="$guests/O2/$name" --json >"$work/$case.why"
		! grep -q '"profile_bytes":[1-9]' "$work/$case.why" || break
	done
	agree "$case.short" "$work/$case.short" "$work/$case.native"
	built=$(counter "$work/$case.short.json" profile built)
	if [ "$built" -eq 0 ] &&
	   grep -q '"profile_bytes":[1-9]' "$work/$case.why"; then
		ok "$case.unfinished"
	else
		fail "$case.unfinished" "$built built; $(cat "$work/$case.why")"
	fi
}

# ended: a run that ends by _exit(2), without exit handlers, leaves its record
ended() {
	"$build_sh" "$guests" status >"$work/status.cc" 2>&1
	(cd "$guests/O2" && "$runtime" --cof=full --cof-stats=none \
		--cof-history_wait_ms=10000 ./status _exit; :) >/dev/null 2>&1
	"$cof_stats" --why="$guests/O2/status" --json >"$work/$case.ended"
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
	[ "$name" != kept ] || { the_file "$@"; unfinished "$@"; ended; }
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
	# A run on a busy machine may end before all hot versions are built.
	n=0
	until all_used || [ $n -eq 5 ]; do
		n=$((n + 1)) build_ms=$((build_ms * 2))
		both "$@"
	done
	build_ms=2000
	file=$(versions)
	if all_used; then
		ok kept.used
	else
		fail kept.used "$(used) of $(known) are; files: $file"
		return
	fi
	cp -p "$file" "$work/$case.ver"
	bytes=$(wc -c <"$file")

	as_it_was
	(export GUEST_MAPS=1; run "$work/maps.native" "$guests/native/kept"
	 # shellcheck disable=SC2086
	 GUEST_MS=200 counted "$work/maps" $auto --cof-source=none --)
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
	damaged again
	if [ "$(used)" -gt 0 ]; then ok kept.again_used; else
		fail kept.again_used "the file was not used"; fi

	# Several processes of one program build at a time; one is killed.
	for i in 1 2 3; do
		(case=$case.$i; build_them) &
	done
	# shellcheck disable=SC2086
	(cd "$guests/O2" && GUEST_MS=60000 COF_IMAGE=use timeout -s KILL 2 \
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

need "$e2e_run" "$runtime" "$cof_stats"
if [ "${1:-}" = --each ]; then
	guest "$2"
	exit
fi
make_work
# shellcheck disable=SC2086
each ${*:-$selection}
