#!/bin/sh
# e2e_servers.sh - servers built with cof-cc, started as their init scripts do,
# pass parts of their own test suites under `runtime`
#
#	e2e_servers.sh [ROW...]
#
# scripts/builds.sh builds them. A row runs in a copy of the source folder, in
# which `runtime` runs the server's program: a script has its name, and it is
# NAME.cof. So whatever starts the server starts it under `runtime`. The mode is
# auto, and the runs of a row share their history. Without ROW the
# rows of PostgreSQL are left out if it was not built before: `make
# check-servers` builds it.
#
# Environment: BUILDS, the folder of the built packages; those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

builds=${BUILDS:-$build/builds}
client=$src/tests/e2e/servers/client.py

# under_runtime FILE...: scripts in place of these programs
under_runtime() {
	for file in "$@"; do
		mv "$file" "$file.cof"
		printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$runtime" \
			"$(pwd)/$file.cof" >"$file"
		chmod +x "$file"
	done
}

# in_copy NAME: go to a copy of the built package; files are linked
in_copy() {
	"$src/scripts/builds.sh" "$builds" "$1.cof" >"$work/$row.log" 2>&1
	case $? in
	0) ;;
	77) skip "$row" "$(tail -n 1 "$work/$row.log")"
	    return 1 ;;
	*) fail "$row" "$(tail -n 1 "$work/$row.log")"
	   return 1 ;;
	esac
	copy=$builds/$row.$$
	rm -rf "$copy"
	cp -al "$builds/$1.cof" "$copy" && cd "$copy" || exit 1
}

# within COMMAND...: it may take $seconds; its output is in $work/$row.log
within() { timeout "$seconds" "$@" >"$work/$row.log" 2>&1 </dev/null; }

# passes NAME COMMAND...: a test that the command succeeds
passes() {
	passes_name=$1
	shift
	if within "$@"; then
		ok "$passes_name"
	else
		fail "$passes_name" "status $? of $*" \
			"$(tail -n 25 "$work/$row.log")"
		return 1
	fi
}

# until_true COMMAND...: wait until it succeeds
until_true() {
	n=0
	until "$@" 2>/dev/null; do
		n=$((n + 1))
		[ $n -lt $((seconds * 20)) ] || return 1
		sleep 0.05
	done
}

has_ended() { ! kill -0 "$1"; }

# ends ROW PID: a test that the process is there no more
ends() {
	if until_true has_ended "$2"; then
		ok "$1"
	else
		fail "$1" "process $2 does not end"
		kill -KILL "$2"
	fi
}

# is_under_runtime ROW PID: a test that it was not executed without libcof
is_under_runtime() {
	if grep -q /libcof-preload.so "/proc/$2/maps"; then
		ok "$1"
	else
		fail "$1" "process $2 has no libcof-preload.so"
	fi
}

for file in redis memcached nginx postgresql; do
	# shellcheck source=/dev/null
	. "$src/tests/e2e/servers/$file.sh"
done

if [ "${1-}" = --each ]; then
	row=$2 copy=
	trap 'cd /; [ -z "$copy" ] || rm -rf "$copy"' EXIT
	trap 'exit 1' HUP INT TERM
	export XDG_CACHE_HOME="$work/cache.$row" XDG_DATA_HOME="$work/data.$row"
	"row_$row"
	exit 0
fi
need "$runtime" "$COF_CC"
make_work
mkdir -p "$builds"
if [ $# -eq 0 ]; then
	# shellcheck disable=SC2046
	set -- $(sed -n 's/^row_\([a-z_]*\)().*/\1/p' \
		"$src"/tests/e2e/servers/*.sh)
	# Building it takes longer than all others together.
	[ -e "$builds/postgresql.cof/.made" ] ||
		set -- $(echo "$*" | sed 's/postgresql_check//')
fi
each "$@"
