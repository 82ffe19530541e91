#!/bin/sh
# Run a command again and again on a machine that has too little time for it, to
# find tests that rest on time.
#
#	loaded.sh [-b LOOPS] [-q PERCENT] [-n ROUNDS] COMMAND...
#
#	-b  busy loops beside it (0)
#	-q  percent of one core that it may use, its children included: a
#	    cgroup with a CPU quota, for which one has to be root (no quota)
#	-n  rounds (10)
#
#	loaded.sh -b 4 make check
#	loaded.sh -q 50 -n 3 make check-unit
#
# The last line says `N rounds, N failed`. What a failed round said stands
# before it. Exit status 1 if a round failed, 2 if there can be none.
set -eu

usage() {
	echo "usage: loaded.sh [-b LOOPS] [-q PERCENT] [-n ROUNDS] COMMAND..." \
		>&2
	exit 2
}

loops=0 quota= rounds=10
while getopts b:q:n: option; do
	case $option in
	b) loops=$OPTARG ;;
	q) quota=$OPTARG ;;
	n) rounds=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
case $loops$quota$rounds in *[!0-9]*) usage ;; esac

busy= group= said=$(mktemp)
tidy_up() {
	for pid in $busy; do kill "$pid" 2>/dev/null || :; done
	rm -f "$said"
	# A process of the last round may still be about to end.
	[ -z "$group" ] || for _ in 1 2 3 4 5; do
		rmdir "$group" 2>/dev/null && break
		sleep 1
	done
}
trap tidy_up EXIT
trap 'exit 130' INT TERM

# The first cgroup that can be made with a quota: version 2, then version 1.
limit() {
	for root in /sys/fs/cgroup /sys/fs/cgroup/cpu; do
		group=$root/cof-loaded.$$
		mkdir "$group" 2>/dev/null || continue
		if [ -e "$group/cpu.max" ]; then
			echo "$((quota * 1000)) 100000" >"$group/cpu.max" &&
				return
		elif [ -e "$group/cpu.cfs_quota_us" ]; then
			echo 100000 >"$group/cpu.cfs_period_us"
			echo $((quota * 1000)) >"$group/cpu.cfs_quota_us" &&
				return
		fi
		rmdir "$group"
	done
	group=
	echo "loaded.sh: no cgroup with a CPU quota can be made here" >&2
	exit 2
}

[ -z "$quota" ] || limit
for _ in $(seq "$loops"); do
	sh -c 'while :; do :; done' &
	busy="$busy $!"
done

# Only the round's own shell enters the group.
round() {
	sh -c '[ -z "$1" ] || echo $$ >"$1/cgroup.procs"; shift; exec "$@"' \
		sh "$group" "$@" >"$said" 2>&1
}

failed=0
for n in $(seq "$rounds"); do
	status=0 began=$(date +%s)
	round "$@" || status=$?
	echo "round $n: status $status, $(($(date +%s) - began)) s"
	[ "$status" -eq 0 ] || {
		failed=$((failed + 1))
		grep -E '^(FAIL|ERROR)' "$said" || tail -n 20 "$said"
	}
done
echo "$rounds rounds, $failed failed"
[ "$failed" -eq 0 ]
