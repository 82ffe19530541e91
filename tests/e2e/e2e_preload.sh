#!/bin/sh
# e2e_preload.sh - programs that run natively with libcof-preload.so do what
# they do without it, and libcof's side is told what it has to know
#
#	e2e_preload.sh [NAME...]
#
# A program is a file of tests/preload or tests/process. Lines of its first
# comment say how it is made and run, and what is expected of it:
#
#	cc: FLAGS	for the compiler, beside -O2; default: none
#	args: ARG...	a run with these arguments; default: one without any
#	fake: TEXT	libcof's side (tests/preload/fake_native.c) is told so;
#			none: it is not opened
#	options: LIST	libcof's options
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

unset LD_PRELOAD
programs="$src/tests/preload $src/tests/process"
library=$build/.libs/libcof-preload.so

lines() { sed -n "s/^ \* $1: *//p" "$file"; }

# preloaded TO OPTIONS COMMAND...: run it as runtime does
preloaded() {
	preloaded_to=$1
	words=$(printf 's\001%s,log=%s\001\001%s' "$2" "$1.log" "$3")
	shift 2
	rm -f "$preloaded_to.log"
	run "$preloaded_to" env \
		"LD_PRELOAD=$work/libcof-preload.so" "COF_PRELOAD=$words" "$@"
	[ -e "$preloaded_to.log" ] || echo none >"$preloaded_to.log"
}

# one N ARG...: the program with its N-th arguments
one() {
	case=$name
	[ "$1" -lt 2 ] || case=$name.$1
	shift
	run "$work/$case.native" "./$name" "$@"
	preloaded "$work/$case.got" "$(lines options)" "./$name" "$@"
	same "$case" "$work/$case.got" "$work/$case.native" || return
	if grep -q "^$(lines fake)" "$work/$case.got.log"; then
		ok "$case"
	else
		fail "$case" "told: $(cat "$work/$case.got.log")"
	fi
}

each_program() {
	name=$1
	for folder in $programs; do
		[ ! -e "$folder/$name.c" ] || file=$folder/$name.c
	done
	mkdir -p "$work/$name.d"
	cd "$work/$name.d" || exit 1
	# shellcheck disable=SC2046
	if ! $clang -std=gnu11 -D_GNU_SOURCE -O2 "$file" -o "$name" \
	     $(lines cc) 2>"$work/$name.cc"; then
		fail "$name" "does not compile: $(head -n 1 "$work/$name.cc")"
		return
	fi
	each_args one
}

has() { lines "$1" | grep -q .; }

if [ "${1-}" = --each ]; then
	each_program "$2"
	exit 0
fi
if [ ! -e "$library" ]; then
	skip e2e_preload "there is no $library"
	exit 77
fi
need "$e2e_run"
make_work
# A program that changes its rights may open the libraries afterwards.
chmod 711 "$work"
cp "$library" "$work"
$clang -std=gnu11 -D_GNU_SOURCE -O2 -shared -fPIC -I"$src/hosts/llvm" \
	-I"$src/cof" "$src/tests/preload/fake_native.c" \
	"$src/cof/base/libc_signal.c" "$src/cof/base/sigreturn_x86_64.S" \
	-o "$work/libcof-native.so" || exit 1
cp "$work/libcof-native.so" "$work/libcof-libc.so"
if [ $# -eq 0 ]; then
	for folder in $programs; do
		for file in "$folder"/*.c; do
			[ "${file##*/}" = fake_native.c ] ||
			[ "${file##*/}" = raw_exit.c ] || # libcof sees it
				set -- "$@" "$(basename "$file" .c)"
		done
	done
fi
each "$@"
