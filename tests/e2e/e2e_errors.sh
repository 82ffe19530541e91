#!/bin/sh
# e2e_errors.sh - runtime refuses what it cannot run, with one line on stderr;
# what it cannot optimize runs as it was compiled, with one line
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

opt=${OPT:-$(command -v opt-22 || echo /usr/lib/llvm-22/bin/opt)}
seconds=${E2E_SECONDS:-600}

# one_line FILE: is it one line of printable text, by runtime?
one_line() {
	[ "$(wc -l <"$1")" -eq 1 ] && [ "$(wc -c <"$1")" -lt 1000 ] &&
		grep -q '^runtime: [[:print:]]*$' "$1"
}

# was_refused TO STATUS...: did the run end with one of these, and one line?
was_refused() {
	to=$1
	shift
	for s in "$@"; do
		[ "$(cat "$to.status")" = "exit $s" ] && one_line "$to.err" &&
			return 0
	done
	return 1
}

how_it_ended() {
	echo "ended by $(cat "$1.status"), stderr of $(wc -l <"$1.err") lines:"
	head -n 5 "$1.err" | cut -c 1-200
}

# refuses NAME STATUSES WORD COMMAND...: a test that COMMAND ends with one of
# STATUSES, one line that has WORD, and nothing on stdout
refuses() {
	name=$1 statuses=$2 word=$3
	shift 3
	run "$work/got" "$@"
	# shellcheck disable=SC2086
	if ! was_refused "$work/got" $statuses; then
		fail "$name" "$(how_it_ended "$work/got")"
	elif [ -s "$work/got.out" ]; then
		fail "$name" "something on stdout"
	elif ! grep -q -e "$word" "$work/got.err"; then
		fail "$name" "no '$word' in: $(cat "$work/got.err")"
	else
		ok "$name"
	fi
}

# refuses_file NAME [WORD]: a test that runtime refuses file NAME
refuses_file() {
	refuses "$1" 1 "${2:-$1}" "$runtime" "./$1"
}

# as_compiled NAME WORD: a test that program NAME does what it does natively,
# and that one line has WORD
as_compiled() {
	run native "./$1"
	run got "$runtime" "./$1"
	if ! cmp -s got.out native.out || ! cmp -s got.status native.status
	then
		fail "$1" "$(how_it_ended got)"
	elif ! one_line got.err ||
	     ! grep -q "running as it was compiled: $2" got.err; then
		fail "$1" "no line with '$2': $(head -n 3 got.err)"
	else
		ok "$1"
	fi
}

# compile NAME FLAG...: C from standard input
compile() {
	out=$1
	shift
	"$clang" -O2 -w "$@" -emit-llvm -c -x c - -o "$out"
}

# flip FROM OFFSET TO BIT: a copy of a file with one bit flipped
flip() {
	byte=$(od -An -tu1 -j "$2" -N 1 "$1")
	cp "$1" "$3"
	# shellcheck disable=SC2059
	printf "$(printf '\\%03o' $((byte ^ 1 << $4)))" |
		dd of="$3" bs=1 seek="$2" conv=notrunc status=none
}

files() {
	echo "this is text, and not a program" >text
	: >empty
	head -c 4 good.bc >magic_only
	printf '\336\300\027\013\0\0\0\0' >wrapper_only
	head -c 100000 /dev/zero >zeros
	cp zeros zeros_executable
	printf '\177ELF' | cat - zeros >elf_of_zeros
	printf '#!/bin/sh\necho "$# $0"; exit 3\n' >script
	cp script script_without_rights
	chmod +x zeros_executable elf_of_zeros script
	cp good.native native_elf
	mkdir -p directory
	echo 'int main(void) { return 0; }' >main.c
	compile aarch64 --target=aarch64-linux-gnu <main.c
	compile i386 --target=i386-linux-gnu <main.c
	compile windows --target=x86_64-pc-windows-msvc <main.c
	echo 'int f(void) { return 1; }' | compile no_main
	echo 'int no_such_function(int); int main(void) { return
		no_such_function(3); }' | compile missing_function
	echo 'extern int no_such_data[]; int main(void) { return
		no_such_data[3]; }' | compile missing_data
	echo 'extern _Thread_local int no_such_tls; int main(void) { return
		no_such_tls; }' | compile missing_tls
	"$clang" -O2 -S -emit-llvm main.c -o text_ir.ll

	refuses_file text 'Permission denied'
	refuses_file empty
	refuses_file magic_only
	refuses_file wrapper_only
	refuses_file zeros 'Permission denied'
	refuses_file zeros_executable 'Exec format error'
	refuses_file elf_of_zeros 'Exec format error'
	refuses_file script_without_rights 'Permission denied'
	as_compiled script 'it is a script'
	as_compiled native_elf 'it has no bitcode; compile it with cof-cc'
	refuses_file directory
	refuses_file does_not_exist
	refuses_file aarch64
	refuses_file i386
	refuses_file windows
	refuses_file no_main main
	refuses_file missing_function no_such_function
	refuses_file missing_data no_such_data
	refuses_file missing_tls no_such_tls
	refuses_file text_ir.ll 'Permission denied'
	size=$(wc -c <good.bc)
	for part in 5 40 70 95 99; do
		head -c $((size * part / 100)) good.bc >"truncated_$part"
		refuses_file "truncated_$part"
	done
}

# Nothing is added to a program that has other rights than who starts it, nor to
# one of another C library.
not_added_to() {
	cat >rights.c <<-'EOF'
	#include <stdio.h>
	#include <sys/auxv.h>
	#include <unistd.h>
	int main(void)
	{
		printf("%d %d %lu\n", geteuid() == getuid(),
		       getegid() == getgid(), getauxval(AT_SECURE));
		return 3;
	}
	EOF
	for to in owner group capabilities other_libc; do
		"$cof_cc" -O2 rights.c -o $to || fail $to
	done
	# Only root can make them another's; else they are the user's own.
	chown 65534:65534 owner group 2>/dev/null
	chmod u+s owner && as_compiled owner 'it runs with the rights of its'
	chmod g+s group && as_compiled group 'it runs with the rights of its'
	if PATH=$PATH:/usr/sbin:/sbin setcap cap_net_raw+ep capabilities \
		2>/dev/null
	then
		as_compiled capabilities 'it runs with capabilities of its own'
	else
		skip capabilities 'setcap(8) is not there, or not allowed'
	fi
	# The dynamic linker is known by its name.
	cp "$(ldd other_libc | awk '/ld-linux/ { print $1 }')" ld-other.so.1
	"$cof_cc" -O2 rights.c -Wl,--dynamic-linker="$(pwd)/ld-other.so.1" \
		-o other_libc
	as_compiled other_libc 'its C library is not glibc'
}

# Bitcode of another kind runs as natively, or is refused.
kinds() {
	for kind in -flto=thin '-flto=thin -fsplit-lto-unit' -flto \
		'-flto -ffat-lto-objects' -fembed-bitcode=all -g \
		-fprofile-generate -fsanitize=address; do
		name=$(echo "$kind" | tr -c 'a-z\n' _)
		# shellcheck disable=SC2086
		"$clang" -O2 -w $kind -emit-llvm -c good.c -o "kind$name" \
			2>/dev/null || continue
		run got "$runtime" "./kind$name"
		if cmp -s got.out good.out && cmp -s got.status good.status ||
		   was_refused got 1; then
			ok "kind$name"
		else
			fail "kind$name" "$(how_it_ended got)"
		fi
	done
}

# One bit is flipped. runtime refuses what LLVM's verifier refuses or crashes
# on. If the verifier accepts it the program does something, by which it cannot
# be judged here (e2e_damage.sh).
flips() {
	size=$(wc -c <good.bc)
	refused=0
	for n in $(seq 1 60); do
		at=$((n * 7919 % size))
		flip good.bc "$at" flipped $((n % 8))
		run verify "$opt" -passes=verify -disable-output ./flipped
		[ "$(cat verify.status)" != "exit 0" ] || continue
		run got "$runtime" ./flipped
		if was_refused got 1; then
			refused=$((refused + 1))
			ok "flip_$n"
		elif cmp -s got.out good.out && cmp -s got.status good.status
		then
			ok "flip_$n"
		else
			fail "flip_$n" "bit $((n % 8)) of byte $at;" \
			     "$(how_it_ended got)"
		fi
	done
	if [ "$refused" -gt 0 ]; then ok flips; else
		fail flips "none was refused"
	fi
}

# runs_well NAME COMMAND...: a test that COMMAND prints what good.native does
runs_well() {
	name=$1
	shift
	run got "$@"
	if cmp -s got.out good.out; then ok "$name"; else
		fail "$name" "$(how_it_ended got)"
	fi
}

usages() {
	refuses no_arguments 2 'no program' "$runtime"
	refuses only_options 2 'no program' "$runtime" --cof=off
	refuses bad_option 2 bogus "$runtime" --bogus ./good.bc
	refuses bad_mode 2 banana "$runtime" --cof=banana ./good.bc
	refuses open_option 2 'at the end' "$runtime" '--cof-history=x\' \
		--cof-limit=1 ./good.bc
	refuses unknown_option 2 nonsense "$runtime" --cof-nonsense=1 \
		./good.bc
	refuses bad_number 2 sample.hz "$runtime" --cof-sample-hz=abc \
		./good.bc
	refuses too_small 2 sample.hz "$runtime" --cof-sample-hz=0 \
		./good.bc
	refuses bad_environment 2 nonsense env COF_OPTIONS=nonsense=1 \
		"$runtime" ./good.bc
	refuses finish_has_no_value 2 finish "$runtime" --cof-finish=1 \
		./good.native
	refuses finish_of_no_bitcode 1 'nothing is built: it has no bitcode' \
		"$runtime" --cof-finish ./good.native
	refuses finish_of_nothing 1 'No such file' "$runtime" --cof-finish \
		./does_not_exist
	refuses finish_of_text 1 'Permission denied' "$runtime" --cof-finish \
		./text
	refuses finish_of_zeros 1 'it is no program' "$runtime" --cof-finish \
		./zeros_executable
	refuses finish_in_mode_off 1 'mode off' "$runtime" --cof=off \
		--cof-finish ./good.native
	refuses missing_library 1 libnone "$runtime" \
		--cof-load=libnone.so ./good.bc
	for word in --help --version; do
		run got "$runtime" $word
		if [ "$(cat got.status)" = "exit 0" ] && [ -s got.out ] &&
		   [ ! -s got.err ]; then
			ok "says$word"
		else
			fail "says$word" "$(how_it_ended got)"
		fi
	done
	# The arguments after the program are the program's.
	runs_well arguments_are_the_programs "$runtime" --cof-sample-hz=500 \
		./good.bc --cof=banana --help
	runs_well options_in_environment env \
		COF_OPTIONS=sample-hz=500,mode=off "$runtime" ./good.bc
}

in_work "$cof_cc"

# The program has a bit of everything for a flipped bit to hit.
cat >good.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct s { int a; double b; const char *c; };
static const struct s table[] = { { 1, 2.5, "one" }, { 2, 3.5, "two" } };
static int by(const void *a, const void *b) { return *(int *)a - *(int *)b; }
__attribute__((noinline)) static int cases(int x)
{
	switch (x) {
	case 1: return 5; case 2: return 77; case 3: return 9; case 9: return 4;
	default: return x * 3;
	}
}
__attribute__((noinline)) int unused_but_there(float *f, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += f[i] * f[i];
	return (int)s;
}
int main(void)
{
	int v[50], sum = 0;
	for (int i = 0; i < 50; i++)
		v[i] = i * 7919 % 101;
	qsort(v, 50, sizeof(*v), by);
	for (int i = 0; i < 50; i++)
		sum = sum * 31 + v[i] + cases(i % 12);
	for (int i = 0; i < 2; i++)
		printf("%d %g %s\n", table[i].a, table[i].b, table[i].c);
	printf("sum %d\n", sum);
	return 7;
}
END
compile good.bc <good.c
"$clang" -O2 -w good.c -o good.native
run good ./good.native

{
	files
	not_added_to
	kinds
	flips
	usages
} | tee all
! grep -q '^FAIL' all
