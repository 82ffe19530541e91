#!/bin/sh
# e2e_cof_cc.sh - what cof-cc makes runs natively and under `runtime`, and
# makefiles can use cof-cc as they use clang
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

# both NAME PROGRAM ARG...: the same output natively and under runtime, which
# says nothing and so has found bitcode that it can use
both() {
	case=$1 program=$2
	shift 2
	run "$work/native" "$program" "$@"
	# shellcheck disable=SC2086
	run "$work/got" "$runtime" --cof=full $eager --cof-start_ms=0 \
		--cof-stats=none --cof-history=none "$program" "$@"
	agree "$case" "$work/got" "$work/native"
}

files() {
	cat >main.c <<-'EOF'
	#include <math.h>
	#include <stdio.h>
	#include "two.h"
	static int local(void) { return 7; }
	int main(int argc, char **argv)
	{
		printf("%d %d %d %.3f %s\n", add(argc, 2), sub(5, argc),
		       local(), cos(argc), argc > 1 ? argv[1] : "");
		return 4;
	}
	EOF
	echo 'int add(int, int); int sub(int, int);' >two.h
	cat >add.c <<-'EOF'
	#include "two.h"
	static int local(void) { return 1; }
	int add(int a, int b) { return a + b * local(); }
	EOF
	echo 'int sub(int a, int b) { return a - b; }' >sub.c
	echo 'int missing(void); int unused(void) { return missing(); }' \
		>unused.c
	cat >sub.s <<-'EOF'
		.globl	sub
	sub:	mov	%edi, %eax
		sub	%esi, %eax
		ret
		.section .note.GNU-stack, "", @progbits
	EOF
}

by_hand() {
	"$cof_cc" -O2 main.c add.c sub.c -lm -o at_once &&
	both at_once ./at_once
	"$cof_cc" -O2 -ffunction-sections -MD -c main.c add.c sub.c &&
	"$cof_cc" main.o add.o sub.o -lm -o objects && both objects ./objects x
	if grep -q '^add.o: add.c two.h' add.d &&
	   grep -q '^main.o:' main.d; then
		ok dependencies
	else
		fail dependencies "$(cat ./*.d)"
	fi
	"$cof_cc" -w -c unused.c && ar rc libtwo.a add.o sub.o unused.o &&
	"$cof_cc" main.o -L. -ltwo -lm -o archive && both archive ./archive
	"$cof_cc" -O2 -fPIC -shared add.c sub.c -o libshared.so &&
	"$cof_cc" -O2 main.c -L. -lshared -lm -Wl,-rpath,'$ORIGIN' -o shared &&
	both shared ./shared

	# Beside code without bitcode.
	"$cof_cc" -O2 main.c add.c sub.s -lm -o assembly &&
	both assembly ./assembly
	run "$work/native" ./assembly
	run "$work/at_once" ./at_once
	agree assembly.same "$work/native" "$work/at_once"

	# clang does these alone.
	if "$cof_cc" -E main.c | grep -q 'int sub' &&
	   "$cof_cc" -S add.c -o - | grep -q 'add:' &&
	   "$cof_cc" --version | head -n 1 | grep -q clang &&
	   "$cof_cc" --version | tail -n 1 |
		grep -q '^cof-cc (libcof) [0-9.]*$'; then
		ok passed_on
	else
		fail passed_on
	fi
	# configure scripts do that. A device stays one.
	run "$work/got" "$cof_cc" -s main.c add.c sub.c -lm -o /dev/null
	if [ "$(cat "$work/got.status")" = 'exit 0' ] && [ -c /dev/null ] &&
	   [ ! -s "$work/got.err" ]; then
		ok to_nowhere
	else
		fail to_nowhere "$(cat "$work/got.err")"
	fi
	echo 'int main(void) { return 0 }' >wrong.c
	run "$work/got" "$cof_cc" wrong.c -o wrong
	if [ "$(cat "$work/got.status")" = 'exit 1' ] && [ ! -e wrong ] &&
	   grep -q 'wrong.c:1:.*error' "$work/got.err"; then
		ok errors
	else
		fail errors "$(cat "$work/got.err")"
	fi
	if [ -z "$(find "$TMPDIR" -mindepth 1)" ]; then ok tidy; else
		fail tidy "$(find "$TMPDIR" -mindepth 1)"; fi
}

# all_ways NAME OPTION...: a test that the three files can be compiled
# with these options, in steps and at once, and run as natively
all_ways() {
	way=$1
	shift
	rm -f main.o add.o sub.o
	"$cof_cc" "$@" -c main.c add.c sub.c &&
	"$cof_cc" "$@" main.o add.o sub.o -lm -o "$way" &&
	both "$way.steps" "./$way" x &&
	"$cof_cc" "$@" main.c add.c sub.c -lm -o "$way" &&
	both "$way.at_once" "./$way" x
}

options() {
	all_ways debug -g
	all_ways split_dwarf -g -gsplit-dwarf
	all_ways save_temps -O2 -save-temps
	all_ways external_as -O2 -fno-integrated-as
	all_ways no_pie -w -O2 -fno-pie -no-pie -Qunused-arguments
	rm -f ./*.dwo ./*.s ./*.i ./*.bc
	"$cof_cc" -x c - -x none add.c sub.c -lm -o stdin <main.c &&
	both stdin ./stdin
	cp add.c add.other && "$cof_cc" -x c -c add.other -o add.o &&
	"$cof_cc" main.c add.o sub.c -lm --output=named &&
	both named ./named
}

# Files of options: quoted, one in another, and read by the linker.
responses() {
	mkdir -p 'a folder'
	cp main.c two.h add.c sub.c 'a folder'
	cat >compile.rsp <<-'EOF'
	-O2 -c 'a folder/main.c'
	-o "a folder/main.o"
	EOF
	echo "-O2 -c a\\ folder/add.c -o add.o" >add.rsp
	"$cof_cc" @compile.rsp && "$cof_cc" @add.rsp &&
	"$cof_cc" -O2 -c sub.c && echo "'a folder/main.o' @more.rsp" \
		>objects.rsp && echo "add.o sub.o" >more.rsp &&
	echo "@objects.rsp -lm -o response" >link.rsp &&
	"$cof_cc" @link.rsp && both response ./response
	echo "add.o sub.o" >linker.rsp
	"$cof_cc" 'a folder/main.o' -Wl,@linker.rsp -lm -o linker &&
	both response.linker ./linker
	"$cof_cc" -Wl,'a folder/main.o',@linker.rsp,-lm -o inputs &&
	both response.inputs ./inputs
	cp sub.c @odd.c
	"$cof_cc" main.c add.c @odd.c -lm -o odd && both response.odd ./odd
	echo '@circle.rsp' >circle.rsp
	run "$work/got" "$cof_cc" @circle.rsp
	run "$work/want" "$clang" @circle.rsp
	agree response.circle "$work/got" "$work/want"
}

# says NAME WHY PROGRAM: a test that the program runs as natively, and that
# runtime says why it is not optimized
says() {
	run "$work/native" "$3"
	run "$work/got" "$runtime" "$3"
	if [ "$(wc -l <"$work/got.err")" -ne 1 ] ||
	   ! grep -q "running as it was compiled: $2\$" "$work/got.err"
	then
		fail "$1" "$(cat "$work/got.err")"
		return
	fi
	same_err=no agree "$1" "$work/got" "$work/native"
}

left_out() {
	left_out='it has no bitcode: cof-cc left it out'
	for option in -fsanitize=undefined --coverage -flto -static -pg \
		-fprofile-generate -fembed-bitcode -femulated-tls; do
		"$cof_cc" -O2 $option main.c add.c sub.c -lm -o without \
			2>"$work/cc" || {
			skip "left_out$option" "$(tail -n 1 "$work/cc")"
			continue
		}
		case $option in
		-static) why='it is linked statically' ;;
		*) why="$left_out because of $option" ;;
		esac
		says "left_out$option" "$why" ./without
	done
	"$cof_cc" -O2 -c main.c add.c sub.c &&
	"$cof_cc" -static main.o add.o sub.o -lm -o without &&
	says left_out.objects 'it is linked statically' ./without
	# An object that was instrumented, in a program that is not.
	"$cof_cc" -O2 -fsanitize=undefined -fsanitize-trap=all -c main.c add.c \
		sub.c && "$cof_cc" main.o add.o sub.o -lm -o without &&
	says left_out.instrumented "$left_out because of -fsanitize=undefined" \
		./without
	"$clang" main.c add.c sub.c -lm -o without &&
	says left_out.clang 'it has no bitcode; compile it with cof-cc' \
		./without
	rm -f ./*.gcno ./*.gcda gmon.out
}

# remembers NAME PROGRAM: a test that the history of the program is found by its
# content, whatever its name
remembers() {
	# A run that ends before libcof is there leaves no record.
	for times in 1 4 16 64; do
		run "$work/got" "$runtime" --cof=full --cof-stats=none \
			--cof-history_wait_ms=10000 \
			--cof-history="$work/$1.db" "$2" $times
		[ ! -e "$work/$1.db" ] || break
	done
	cp "$2" renamed
	run "$work/got" "$cof_stats" --why=./renamed --history="$work/$1.db"
	if grep -q "^program  $2 " "$work/got.out" &&
	   ! grep -q '^note' "$work/got.out"; then
		ok "$1"
	else
		fail "$1" "$(cat "$work/got.out" "$work/got.err")"
	fi
}

remembered() {
	"$cof_stats" --why=/ --history=/nonexistent/x 2>&1 |
	grep -q 'without SQLite' && {
		skip remembered 'libcof is without SQLite'
		return
	}
	cat >busy.c <<-'EOF'
	#include <stdlib.h>
	int main(int argc, char **argv)
	{
		volatile unsigned x = 1;

		for (long n = atol(argv[argc - 1]) * 30000000; n > 0; n--)
			x = x * 1664525 + 7;
		return 0;
	}
	EOF
	"$cof_cc" -O2 busy.c -o busy && remembers remembered ./busy
	# In the cache, and where there is none.
	"$clang" -O2 -emit-llvm -c busy.c -o busy.bc
	remembers remembered.linked ./busy.bc
	: >no_cache
	cache=$XDG_CACHE_HOME
	export XDG_CACHE_HOME="$work/here/no_cache"
	remembers remembered.linked_each_time ./busy.bc
	export XDG_CACHE_HOME="$cache"
}

# damage_at HOW BYTE: runs with one byte of section .cof.bc wrong. What is built
# from, and whether, is libcof's matter. The program does what it did.
damage_at() {
	# shellcheck disable=SC2046
	set -- "$1" "$2" $(objdump -h at_once |
		awk '$2 == ".cof.bc" { print "0x" $6, "0x" $3 }')
	cp at_once damaged
	printf 'cof' | dd of=damaged bs=1 seek=$(($3 + ($2 + $4) % $4)) \
		conv=notrunc 2>/dev/null
	run "$work/native" ./damaged
	# shellcheck disable=SC2086
	run "$work/got" "$runtime" --cof=full $eager --cof-start_ms=0 \
		--cof-stats=none --cof-history=none ./damaged
	same_err=no agree "damaged.$1" "$work/got" "$work/native"
}

damaged() {
	damage_at record 2
	damage_at length 9
	damage_at hash 20
	damage_at bitcode 200
	damage_at last -3
	damage_at again 2
	if grep -q 'as it was compiled: its bitcode is damaged' "$work/got.err"
	then
		ok damaged.told
	else
		fail damaged.told "$(cat "$work/got.err")"
	fi
}

some_guests() {
	from=$src/tests/guests
	for guest in fnptr goto_table tls ctors; do
		"$cof_cc" -std=gnu11 -D_GNU_SOURCE -w -O2 \
			"$from"/*/"$guest.c" -I"$from" -o "$guest" -pthread \
			-lm &&
		GUEST_MS=0 both "guest.$guest" "./$guest"
	done
	"${cof_cc%cof-cc}cof-c++" -std=gnu++20 -w -O2 "$from/cxx/eh.cpp" \
		-I"$from" -o eh && GUEST_MS=0 both guest.eh ./eh
}

# bitcode_bytes FILE: of its section .cof.bc
bitcode_bytes() {
	echo $((0x$(objdump -h "$1" | awk '$2 == ".cof.bc" { print $3 }')))
}

# Debuggers have it of the executable; whoever builds would read it for nothing.
debug_information() {
	for level in -g0 -g3; do
		"$cof_cc" $level -std=gnu11 -w -O2 \
			"$src/tests/guests/language/setjmp.c" \
			-I"$src/tests/guests" -o "debug$level" &&
		GUEST_MS=0 both "debug$level" "./debug$level"
	done
	plain=$(bitcode_bytes debug-g0)
	with=$(bitcode_bytes debug-g3)
	if [ "$plain" -gt 0 ] && [ "$with" -le $((plain + plain / 20)) ] &&
	   objdump -h debug-g3 | grep -q ' \.debug_info '; then
		ok debug.bitcode
	else
		fail debug.bitcode "$plain bytes, with -g3 $with"
	fi
}

# A program of Debian's, with its own makefile, which makes an archive.
makefile() {
	"$src/scripts/programs.sh" "${PROGRAMS:-$build/programs}" bzip2 \
		>"$work/programs" 2>&1
	if [ $? -eq 77 ]; then
		skip makefile.bzip2 "$(tail -n 1 "$work/programs")"
		return
	fi
	cp -r "${PROGRAMS:-$build/programs}/src/bzip2" bzip2 &&
	cd bzip2 &&
	make CC="$cof_cc" CFLAGS='-O2 -w -D_FILE_OFFSET_BITS=64' libbz2.a \
		bzip2 >"$work/make" 2>&1 || {
		fail makefile.bzip2 "$(tail -n 3 "$work/make")"
		return
	}
	input=$work/input
	awk -v mb=1 -f "$src/bench/text.awk" >"$input"
	both makefile.bzip2 ./bzip2 -c
	input=
}

need "$runtime" "$cof_cc" "$e2e_run"
make_work
export XDG_CACHE_HOME="$work/cache" TMPDIR="$work/tmp"
mkdir "$work/tmp" "$work/here"
cd "$work/here" || exit 1
{
	files
	by_hand
	options
	responses
	left_out
	remembered
	damaged
	some_guests
	debug_information
	makefile
} | tee "$work/all"
verdict "$work/all"
