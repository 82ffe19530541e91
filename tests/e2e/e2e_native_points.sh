#!/bin/sh
# e2e_native_points.sh - a loop that main() of a native program entered once is
# left for newer code, which an earlier run may have built; of its functions
# those count that are called; what is built as it was is no detour; and in a
# forked child they are built as well
#
#	e2e_native_points.sh [NAME...]
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

# Builds cost nothing, and do not wait for a free processor.
soon="--cof-build_nice=0 --cof-cost_pct=0"

# left NAME MODE OPTION...: compiled with these options it leaves in this mode
left() {
	case=$1 mode=$2
	shift 2
	"$cof_cc" -w "$@" "$src/tests/e2e/points/forever.c" -o "$case" \
		2>"$case.cc" || {
		fail "$case" "$(cat "$case.cc")"
		return
	}
	# shellcheck disable=SC2086
	run "$work/$case" "$runtime" "--cof=$mode" $soon \
		--cof-stats=none --cof-verbose "./$case"
	if [ "$(cat "$work/$case.out")" = 'it left' ] &&
	   grep -q 'built a continuation of main' "$work/$case.err"; then
		ok "$case"
	else
		fail "$case" "$(cat "$work/$case.status")" \
			"$(cat "$work/$case.out")" \
			"$(tail -n 5 "$work/$case.err")"
	fi
}

# compiled NAME: could it be?
compiled() {
	"$cof_cc" -w -O2 "$src/tests/e2e/points/$1.c" -o "$1" 2>"$1.cc" &&
		return
	fail "$1" "$(cat "$1.cc")"
	return 1
}

# called: mode pgo takes what has samples
called() {
	compiled called || return
	# shellcheck disable=SC2086
	run "$work/called" "$runtime" --cof=pgo $soon \
		--cof-stats=none --cof-verbose ./called
	if [ "$(cat "$work/called.out")" = 'it left' ] &&
	   grep -q 'took is_called' "$work/called.err" &&
	   ! grep -q 'took nobody' "$work/called.err"; then
		ok called
	else
		fail called "$(cat "$work/called.status" "$work/called.out")" \
			"$(grep 'just compiled' "$work/called.err")"
	fi
}

# child: the loop begins anew in a child, in the executable's own code
child() {
	compiled child || return
	# shellcheck disable=SC2086
	run "$work/child" "$runtime" --cof=co $soon \
		--cof-stats=none ./child
	if [ "$(cat "$work/child.out")" = 'it left' ]; then ok child; else
		fail child "$(cat "$work/child.status" "$work/child.out")"; fi
}

# in_again MODE MS: run it, with what the runs before it left
in_again() {
	run "$to" "$runtime" "--cof=$1" --cof-audit=off $eager \
		--cof-auto_short_ms=0 --cof-history_wait_ms=10000 \
		--cof-cost_pct=0 --cof-stats=none --cof-verbose ./again "$2"
}

# again: the continuations that one run builds with a profile serve in the next.
# The longer the runs, the surer it is. Each pair begins anew: mode auto would
# have enough of runs that show no gain.
again() {
	compiled again || return
	to=$work/again taken='brought continuations of main'
	for ms in 1500 4000 16000 64000; do
		export XDG_DATA_HOME="$work/again.$ms" \
			XDG_CACHE_HOME="$work/again.$ms"
		in_again full "$ms"
		in_again auto "$ms"
		grep -q "$taken" "$to.err" && break
	done
	if [ "$(cat "$to.out")" = 'done' ] &&
	   grep -q "$taken" "$to.err"; then
		ok again
	else
		fail again "$(cat "$to.status" "$to.out")" \
			"$(grep 'continuation\|earlier run' "$to.err")"
	fi
}

# same: what is built of a leaf is its native code once more, and native callers
# come to that again. The longer the run, the surer it is.
same() {
	compiled same || return
	to=$work/same what='is what it was'
	for ms in 1500 4000 16000 64000; do
		# shellcheck disable=SC2086
		run "$to" "$runtime" --cof=full $eager $soon \
			--cof-history=none --cof-stats=none --cof-verbose \
			./same "$ms"
		grep -q "the code of leaf.* $what" "$to.err" && break
	done
	if [ "$(cat "$to.out")" = 'done' ] &&
	   grep -q "the code of leaf.* $what" "$to.err" &&
	   ! grep -q "the code of other.* $what" "$to.err"; then
		ok same
	else
		fail same "$(cat "$to.status" "$to.out")" \
			"$(grep 'leaf\|other' "$to.err" | tail -n 5)"
	fi
}

one() {
	cd "$work/here" || exit 1
	case $1 in
	again) again ;;
	called) called ;;
	child) child ;;
	co) left co co -O2 ;;
	full) left full full -O2 ;;
	same) same ;;
	no-pie) left no-pie co -O2 -fno-pie -no-pie ;;
	stripped) left stripped co -O1 -g -s -fno-integrated-as ;;
	*) fail "$1" 'no such row' ;;
	esac
}

if [ ! -e "$build/.libs/libcof-preload.so" ]; then
	skip e2e_native_points 'there is no libcof-preload.so'
	exit 77
fi
need "$runtime" "$cof_cc" "$e2e_run"
make_work
export XDG_CACHE_HOME="$work/cache" XDG_STATE_HOME="$work/state"
mkdir "$work/here"
[ $# -gt 0 ] || set -- again called child co full no-pie same stripped
for name; do one "$name"; done | tee "$work/all"
verdict "$work/all"
