#!/bin/sh
# e2e_cof_cc.sh - what cof-cc makes runs natively and under `runtime`, and
# makefiles can use cof-cc as they use clang
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"


# both NAME PROGRAM ARG...: the same output natively and from the image
both() {
	case=$1 program=$2
	shift 2
	run "$work/native" "$program" "$@"
	COF_IMAGE=use run "$work/image" "$runtime" --cof=off --cof-stats=none \
		"$program" "$@"
	same "$case" "$work/image" "$work/native" || return
	COF_IMAGE=use run "$work/said" "$runtime" --cof=off --cof-verbose \
		--cof-stats=none "$program" "$@"
	if ! grep -q 'starts from its image' "$work/said.err"; then
		fail "$case" "linking it made no image"
	else
		ok "$case"
	fi
}

# fails_as NAME WORD: a test that the last run ended with status 1 and one line
# that has WORD
fails_as() {
	if [ "$(cat "$work/got.status")" = "exit 1" ] &&
	   [ "$(wc -l <"$work/got.err")" -eq 1 ] &&
	   grep -q "$2" "$work/got.err"; then
		ok "$1"
	else
		fail "$1" "ended by $(cat "$work/got.status")" \
			"$(head -n 3 "$work/got.err")"
	fi
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

	# Code without bitcode links and runs natively; runtime says so.
	"$cof_cc" -O2 main.c add.c sub.s -lm -o assembly 2>/dev/null
	run "$work/native" ./assembly
	run "$work/at_once" ./at_once
	agree assembly "$work/native" "$work/at_once"
	run "$work/got" "$runtime" ./assembly
	same_err=no agree assembly.runs "$work/got" "$work/native"
	if grep -q 'as it was compiled: sub is in code without bitcode' \
		"$work/got.err"; then
		ok assembly.refused; else
		fail assembly.refused "$(cat "$work/got.err")"; fi
	"$clang" main.c add.c sub.c -lm -o plain
	run "$work/got" "$runtime" ./plain
	fails_as plain.refused 'no bitcode in it; compile it with cof-cc'

	# clang does these alone.
	if "$cof_cc" -E main.c | grep -q 'int sub' &&
	   "$cof_cc" -S add.c -o - | grep -q 'add:' &&
	   "$cof_cc" --version | grep -q clang; then
		ok passed_on
	else
		fail passed_on
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

# says NAME WORD PROGRAM: a test that runtime says why it has no bitcode
says() {
	run "$work/got" "$runtime" "$3"
	if grep -q "no bitcode in it$2" "$work/got.err"; then ok "$1"; else
		fail "$1" "$(cat "$work/got.err")"; fi
}

left_out() {
	for option in -fsanitize=undefined --coverage -flto -static -pg \
		-fprofile-generate -fembed-bitcode; do
		"$cof_cc" -O2 $option main.c add.c sub.c -lm -o without \
			2>"$work/cc" || {
			skip "left_out$option" "$(tail -n 1 "$work/cc")"
			continue
		}
		says "left_out$option" ": .* because of $option\$" ./without
	done
	"$cof_cc" -O2 -c main.c add.c sub.c &&
	"$cof_cc" -static main.o add.o sub.o -lm -o without &&
	says left_out.objects ': .* because of -static' ./without
	# An object that was instrumented, in a program that is not.
	"$cof_cc" -O2 -fsanitize=undefined -fsanitize-trap=all -c main.c add.c \
		sub.c && "$cof_cc" main.o add.o sub.o -lm -o without &&
	says left_out.instrumented ': .* because of -fsanitize=undefined' \
		./without
	"$clang" main.c add.c sub.c -lm -o without &&
	says left_out.clang '; compile it with cof-cc' ./without
	rm -f ./*.gcno ./*.gcda gmon.out
}

# When a link makes an image. The objects are those of by_hand.
waiting() {
	"$cof_cc" -O2 -c main.c add.c sub.c
	for how in '' no background wait; do
		export XDG_CACHE_HOME="$work/cache.$how"
		run "$work/got" env COF_CC_IMAGE=$how "$cof_cc" main.o add.o \
			sub.o -lm -o "made$how"
		if case $how in
		   ''|no) [ ! -e "$XDG_CACHE_HOME" ] ;;
		   background) until_image ;;
		   wait) [ -n "$(images)" ] ;;
		   esac && [ "$(cat "$work/got.status")" = 'exit 0' ] &&
		   [ ! -s "$work/got.err" ]; then
			ok "image.$how"
		else
			fail "image.$how" "$(cat "$work/got.err")"
		fi
	done
	export XDG_CACHE_HOME="$work/cache"
	run "$work/got" env COF_CC_IMAGE=soon "$cof_cc" -c add.c
	fails_as image.refused 'wait, background or no'
}

# The history of a program is found by its bitcode, whatever its name.
remembered() {
	"$cof_stats" --why=/ --history=/nonexistent/x 2>&1 |
	grep -q 'without SQLite' && {
		skip remembered 'libcof is without SQLite'
		return
	}
	run "$work/got" "$runtime" --cof=full --cof-stats=none \
		--cof-history_wait_ms=10000 --cof-history="$work/history" \
		./at_once
	cp at_once renamed
	run "$work/got" "$cof_stats" --why=./renamed --history="$work/history"
	if grep -q '^program  ./at_once ' "$work/got.out" &&
	   ! grep -q '^note' "$work/got.out"; then
		ok remembered
	else
		fail remembered "$(cat "$work/got.out" "$work/got.err")"
	fi
}

# One byte of the bitcode is wrong. The program runs from its image; without one
# it cannot.
damaged() {
	# shellcheck disable=SC2046
	set -- $(objdump -h at_once | awk '$2 == ".cof.bc" { print "0x" $6 }')
	cp at_once damaged
	printf 'cof' | dd of=damaged bs=1 seek=$(($1 + 200)) conv=notrunc \
		2>/dev/null
	run "$work/native" ./damaged
	# shellcheck disable=SC2086
	COF_IMAGE=use run "$work/got" "$runtime" --cof=full $eager \
		--cof-stats=none ./damaged
	agree damaged.image "$work/got" "$work/native"
	run "$work/got" "$runtime" --cof-image=no ./damaged
	if grep -q 'bitcode is damaged' "$work/got.err"; then
		ok damaged.no_image; else
		fail damaged.no_image "$(cat "$work/got.err")"; fi
}

some_guests() {
	from=$src/tests/guests
	for guest in fnptr goto_table tls ctors; do
		"$cof_cc" -std=gnu11 -D_GNU_SOURCE -w -O2 \
			"$from"/*/"$guest.c" -I"$from" -o "$guest" -pthread \
			-lm &&
		GUEST_MS=0 both "guest.$guest" "./$guest"
	done
	ln -s "$cof_cc" cof-c++
	COF_RUNTIME=$runtime ./cof-c++ -std=gnu++20 -w -O2 "$from/cxx/eh.cpp" \
		-I"$from" -o eh && GUEST_MS=0 both guest.eh ./eh
}

# points NAME OPTION...: functions of all kinds have points, do what they did,
# and the executable tells where the points are
points() {
	case=points.$1
	shift
	from=$src/tests/e2e/points
	"$clang" -w -O2 "$from/loops.c" -o loops.plain &&
	"$clang" -w -O2 "$from/one.cpp" "$from/two.cpp" -lstdc++ -o one.plain &&
	"$cof_cc" -w "$@" "$from/loops.c" -o loops &&
	"$cof_cc" -w "$@" "$from/one.cpp" "$from/two.cpp" -lstdc++ -o one || {
		fail "$case" 'it is not compiled'
		return
	}
	for program in loops one; do
		run "$work/got" "./$program"
		run "$work/want" "./$program.plain"
		agree "$case.$program" "$work/got" "$work/want"
		if LC_ALL=C grep -aq "$(printf 'cof[.]pt\r')" "$program"; then
			ok "$case.$program.told"; else
			fail "$case.$program.told" 'no record of points'; fi
	done
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
export XDG_CACHE_HOME="$work/cache" TMPDIR="$work/tmp" COF_RUNTIME="$runtime"
export COF_CC_IMAGE=wait
unset COF_IMAGE
mkdir "$work/tmp" "$work/here"
cd "$work/here" || exit 1
{
	files
	by_hand
	options
	responses
	left_out
	waiting
	remembered
	damaged
	some_guests
	points plain -O2
	points debug -O1 -g -fstack-protector-strong -fcf-protection
	points assembler -O2 -fno-integrated-as -fPIC
	points sections -O2 -ffunction-sections -fdata-sections \
		-Wl,--gc-sections
	points fixed -O2 -fno-pie -no-pie -s
	makefile
} | tee "$work/all"
verdict "$work/all"
