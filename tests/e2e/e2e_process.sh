#!/bin/sh
# e2e_process.sh - programs that ask much of their process: addresses, stacks,
# limits, the kernel; they do natively what they do under `runtime`
#
#	e2e_process.sh [NAME...]
#
# A program is a file of tests/process. Lines of its first comment say how it is
# made and run:
#
#	cc: FLAGS	for cof-cc, beside -O2; default: none
#	args: ARG...	a run with these arguments; default: one without any
#	options: OPTION...	for runtime
#
# Each runs in every mode.
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

programs=$src/tests/process

lines() { sed -n "s/^ \* $1: *//p" "$programs/$name.c"; }

# compare HOW OPTION...: is a run with these options as the native one?
compare() {
	how=$case.$1
	shift
	run "$work/$how" "$runtime" --cof-history=none "$@"
	agree "$how" "$work/$how" "$work/$case.native"
}

# one N ARG...: the program with its N-th arguments
one() {
	case=$name
	[ "$1" -lt 2 ] || case=$name.$1
	shift
	run "$work/$case.native" "./$name" "$@"
	for mode in off pgo co full auto; do
		opts=
		[ $mode = off ] ||
			opts="$eager --cof-start_ms=0 $(lines options)"
		# shellcheck disable=SC2086
		compare $mode --cof=$mode $opts "./$name" "$@"
	done
}

each_program() {
	name=$1
	export XDG_CACHE_HOME="$work/cache.$name"
	mkdir -p "$work/$name.d"
	cd "$work/$name.d" || exit 1
	# shellcheck disable=SC2046
	if ! "$cof_cc" -std=gnu11 -D_GNU_SOURCE -O2 $(lines cc) \
	     "$programs/$name.c" -o "$name" 2>"$work/$name.cc"; then
		fail "$name" "does not compile: $(head -n 1 "$work/$name.cc")"
		return
	fi
	each_args one
}

# where WANT OPTION...: does what exec_self executes run there?
where() {
	where_want=$1
	shift
	for how in name link path spawn vfork; do
		rm -f where
		WHERE=where run "$work/where" "$runtime" \
			--cof-history=none "$@" ./exec_self $how
		if [ "$(cat where)" = "$where_want" ]; then
			ok "exec_self.$how.$where_want"
		else
			fail "exec_self.$how.$where_want" "$(cat where)"
		fi
	done
}

# named WANT OPTION...: has own_title the name WANT for itself?
named() {
	named_want=$1
	shift
	run "$work/named" "$runtime" --cof=off "$@" ./own_title x
	if grep -q "^$named_want|x|\$" "$work/named.out"; then
		ok "own_title.argv0.$named_want"
	else
		fail "own_title.argv0.$named_want" "$(cat "$work/named.out")"
	fi
}

if [ "${1-}" = --each ]; then
	each_program "$2"
	if [ "$2" = own_title ] && [ -x own_title ]; then
		named ./own_title
		named daemon --cof-argv0=daemon
		named last --cof-argv0=first --cof-verbose --cof-argv0=last --
	fi
	if [ "$2" = exec_self ] && [ -x exec_self ]; then
		where runtime
		where native --cof-exec=no
	fi
	exit 0
fi
need "$runtime" "$e2e_run" "$cof_cc"
make_work
if [ $# -eq 0 ]; then
	for file in "$programs"/*.c; do
		set -- "$@" "$(basename "$file" .c)"
	done
fi
each "$@"
