#!/bin/sh
# Versions that one run had built are what the next one begins with: the guest
# does what it does natively, and LLVM is not loaded.
#
#	e2e_cached_versions.sh [NAME...]
#
# Every guest runs, for each of its lines guest-args,
#
#	build	from its image, with thresholds so low that much is built, and kept,
#		for better or worse
#	use	with nothing sampled, so that nothing is built: what is known to be
#		hot is what the first run built
#
# Without names, guests with a bit of everything, and then tests of the file.
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

telling="kept fnptr bigswitch goto_table virtuals eh statics tls_cpp setjmp
	osr threads vectors"

# No run is too short, and waiting is no test of patience.
auto="--cof=auto --cof-auto_short_ms=0 --cof-history_wait_ms=10000"

# all_kept: all that was hot is used
all_kept() { [ "$(used)" -gt 0 ] && [ "$(used)" -eq "$(known)" ]; }

versions() { find "$XDG_CACHE_HOME" -name '*.ver' 2>/dev/null; }

# counted TO OPTION... -- ARG...: in_runtime, the guest's stats in TO.json
counted() {
	to=$1
	shift
	rm -rf "$to.stats"
	mkdir -m 700 "$to.stats"
	in_runtime "$to" "--cof-stats=$to.stats" "$@"
	stats "$to.stats" >"$to.json"
}

# The run that builds; longer where a first one did not build all.
build_ms=2000
build_them() {
	# shellcheck disable=SC2086
	GUEST_MS=$build_ms counted "$work/$case.build" --cof=full --cof-audit=off \
		$eager -- "$@"
}

use_them() {
	# shellcheck disable=SC2086
	GUEST_MS=200 counted "$work/$case.use" $auto --cof-source=none \
		-- "$@"
}

used() { counter "$work/$case.use.json" optimizer cached; }
known() { counter "$work/$case.use.json" optimizer known; }

# both ARG...: of the guest as if it never ran before
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

# A run that ends before any method is full leaves what they counted so far.
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

# A run that ends by _exit(2), past all exit handlers, leaves its record as well.
ended() {
	"$build_sh" "$guests" status >"$work/status.cc" 2>&1
	(cd "$guests/O2" && "$runtime" --cof=full --cof-stats=none \
		--cof-history_wait_ms=10000 ./status _exit; :) >/dev/null 2>&1
	"$cof_stats" --why="$guests/O2/status" --json >"$work/$case.ended"
	if grep -q '"ended":1' "$work/$case.ended"; then ok "$case.ended"; else
		fail "$case.ended" "$(cat "$work/$case.ended")"; fi
}

# one CASE ARG...: a guest with these arguments
one() {
	case=$1
	native "$@"
	shift
	export XDG_CACHE_HOME="$work/cache.$case" XDG_DATA_HOME="$work/data.$case"
	both "$@"
	[ "$name" != kept ] || { the_file "$@"; unfinished "$@"; ended; }
	rm -rf "$XDG_CACHE_HOME" "$XDG_DATA_HOME"
}

guest() { cases "$1"; }

# -- The file: what the build left of guest `kept`, and what is made of it --------

# as_it_was: the file and what is known of the program
as_it_was() {
	cp -p "$work/$case.ver" "$file"
	rm -rf "$XDG_DATA_HOME"
	cp -Rp "$work/$case.known" "$XDG_DATA_HOME"
}

# damaged CASE: with the file as it is now all goes on as ever
damaged() {
	use_them
	agree "kept.$1" "$work/$case.use" "$work/$case.native"
}

the_file() {
	# On a busy machine not all that is hot was built by the end.
	n=0
	until all_kept || [ $n -eq 5 ]; do
		n=$((n + 1)) build_ms=$((build_ms * 2))
		both "$@"
	done
	build_ms=2000
	file=$(versions)
	if all_kept; then
		ok kept.used
	else
		fail kept.used "$(used) of $(known) were; files: $file"
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
	[ "$(used)" -eq 0 ] || fail kept.mode_used "it was believed"
	chmod g-w "$file"
	as_it_was
	damaged again
	if [ "$(used)" -gt 0 ]; then ok kept.again_used; else
		fail kept.again_used "it was not believed"; fi

	# Builds at the same time, of one program, and one that is killed.
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
each ${*:-$telling}
