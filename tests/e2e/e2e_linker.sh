#!/bin/sh
# e2e_linker.sh - a program made by cof-cc does under `runtime` what the linker
# decided, in every mode
#
#	e2e_linker.sh [ROW...]
#
# Each row links a program, runs it natively and under `runtime`, and compares.
# Then main() is called again and again (linker/again.c), until something of
# the program was built. A row says whether the program is optimized (`kept`) or
# runs as it was compiled (`refused WORD`), with one line of cof-cc and, except
# in mode off, one of `runtime`.
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

modes='off pgo co full auto'

# -- What a row does ---------------------------------------------------------

# text FILE: a file from standard input
text() { cat >"$1"; }

# src FILE TEXT
src() { printf '%s\n' "$2" >"$1"; }

# link OPTION...: link ./p; the row fails if that fails
link() {
	if ! "$cof_cc" -O2 -w "$@" -o p 2>cc.err; then
		fail "$row" "does not link: $(head -n 3 cc.err)"
		return 1
	fi
}

# lines_are FILE WORD WHO: is it one line by WHO that has WORD?
lines_are() {
	[ "$(wc -l <"$1")" -eq 1 ] &&
		grep -q -e "^$3: .*as it was compiled: .*$2" "$1"
}

# as_natively: a test for each mode that ./p does what it does natively; what
# stderr has is compared by the caller
as_natively() {
	run native ./p ${arguments:-}
	for mode in $modes; do
		case $mode in
		off|auto) extra= ;;
		*) extra="$eager --cof-start_ms=0" ;;
		esac
		# shellcheck disable=SC2086
		run "got.$mode" "$runtime" "--cof=$mode" $extra \
			--cof-stats=none --cof-history=none ./p ${arguments:-}
		same_err=no same "$row.$mode" "got.$mode" native || return 1
	done
}

# again TO MS COMMAND...: run it with main() called for so long
again() {
	again_to=$1 again_ms=$2
	shift 2
	run "$again_to" env LD_PRELOAD="$work/again.so" \
		AGAIN_MS="$again_ms" "$@"
}

# built: what libcof builds for ./p does what it does natively. Of a program
# that prints something else each time nothing is known. $once=yes: main() is
# not to be called twice.
built() {
	[ "${once:-no}" = no ] || return 0
	again native.again 1 ./p ${arguments:-}
	cmp -s native.again.out native.out || return 0
	for ms in 1000 4000 16000 64000; do
		rm -rf stats
		mkdir -m 700 stats
		# shellcheck disable=SC2086
		again got.again $ms "$runtime" $in_co --cof-start_ms=0 \
			--cof-stats="$PWD/stats" --cof-history=none ./p \
			${arguments:-}
		same "$row.built" got.again native.again || return
		stats stats >json
		[ "$(counter json patcher installed)" -eq 0 ] || return 0
	done
	fail "$row.built" "nothing was built"
	return 1
}

# kept: ./p has joined bitcode, and runs as natively
kept() {
	as_natively && built || return
	for mode in $modes; do
		cmp -s "got.$mode.err" native.err && continue
		fail "$row.$mode" "runtime said: $(head -n 3 "got.$mode.err")"
		return
	done
	if [ -s cc.err ]; then
		fail "$row" "cof-cc said: $(head -n 3 cc.err)"
		return
	fi
	ok "$row"
}

# refused WORD: ./p has none, and runs as natively, with a line
refused() {
	as_natively || return
	if ! lines_are cc.err "$1" cof-cc; then
		fail "$row" "cof-cc said: $(head -n 3 cc.err)"
		return
	fi
	for mode in $modes; do
		if [ $mode = off ]; then
			[ -s got.off.err ] || continue
		else
			lines_are "got.$mode.err" "$1" runtime && continue
		fi
		fail "$row.$mode" "runtime said: $(head -n 3 "got.$mode.err")"
		return
	done
	ok "$row"
}

# prints TEXT: what ./p prints natively, so that a row cannot be right because
# its program does nothing
prints() {
	run prints ./p ${arguments:-}
	[ "$(cat prints.out)" = "$1" ] && return
	fail "$row" "natively prints $(cat prints.out), and not $1"
	return 1
}

# -- Files that rows share ---------------------------------------------------

files() {
	text wrapped.c <<-'EOF'
	int foo(int x) { return x + 1; }
	EOF
	text uses_foo.c <<-'EOF'
	#include <stdio.h>
	int foo(int);
	int main(void) { printf("%d\n", foo(1)); return 0; }
	EOF
	text two1.c <<-'EOF'
	#include <stdio.h>
	int v = 1;
	int f(void) { return 1; }
	int g(void);
	int main(void) { printf("%d %d %d\n", v, f(), g()); return 0; }
	EOF
	text two2.c <<-'EOF'
	int v = 2;
	int f(void) { return 2; }
	int g(void) { return f() * 10 + v; }
	EOF
	text weak.c <<-'EOF'
	int __attribute__((weak)) v = 5;
	int __attribute__((weak)) f(void) { return 5; }
	int weaks(void) { return f() * 10 + v; }
	EOF
	text uses_weak.c <<-'EOF'
	#include <stdio.h>
	extern int v;
	int f(void), weaks(void);
	int main(void) { printf("%d %d %d\n", v, f(), weaks()); return 3; }
	EOF
}

# -- Rows: functions row_NAME ------------------------------------------------

rows=$src/tests/e2e/linker
for file in "$rows"/*.sh; do
	# shellcheck disable=SC1090
	. "$file"
done

# -- All ---------------------------------------------------------------------

need "$runtime" "$cof_cc" "$cof_stats" "$e2e_run"
if [ "${1:-}" = --each ]; then
	row=$2
	mkdir -p "$work/$row" && cd "$work/$row" || exit 1
	files
	"row_$row"
	exit
fi
make_work
"$clang" -O2 -shared -fPIC "$rows/again.c" -o "$work/again.so" || exit 1
export XDG_CACHE_HOME="$work/cache"
if [ $# -eq 0 ]; then
	# shellcheck disable=SC2046
	set -- $(sed -n 's/^row_\([a-z_]*\)() {$/\1/p' "$rows"/*.sh |
		grep -vx wrap_with)
fi
each "$@"
