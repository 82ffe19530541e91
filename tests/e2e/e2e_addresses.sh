#!/bin/sh
# e2e_addresses.sh - executables of cof-cc tell where they have what their
# bitcode names, and nm(1) says the same
#
#	e2e_addresses.sh [ROW...]
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

addresses=$build/tests/e2e/addresses

# -- What a row does ---------------------------------------------------------

# make_with DRIVER OPTION...: ./p of the sources; the row fails if that fails
make_with() {
	driver=$1
	shift
	if ! "$driver" -w "$@" -o p 2>cc.err || [ -s cc.err ] || ! ./p >p.out
	then
		fail "$row" "it is not made, or does not run: $(cat cc.err)"
		return 1
	fi
	"$addresses" p joined.bc >table 2>table.err && return
	fail "$row" "$(cat table.err)"
	return 1
}

# c OPTION...
c() { make_with "$cof_cc" -O2 "$@"; }

# An entry that is not a library's has a symbol of its name at its address: the
# name may have a number behind it, and private names have no symbol. A symbol
# of the sources has such an entry. Functions can be redirected.
compare='
function base(name) { sub(/\.[0-9]+$/, "", name); return name }
FILENAME == "symbols" {
	if ($2 ~ /^[tTdDbBrRvVwWuiI]$/) {
		at[$1 " " $3] = 1
		known[$3] = 1
	}
	next
}
FILENAME == "sources" { if (NF == 3) ours[$3] = $2; next }
{
	sub(/^\001/, "", $2)
	name = ($1 " " $2) in at ? $2 : base($2)
	if ($6 ~ /NO_PREFIX/)
		print $2 " has no prefix"
	if ($6 ~ /FUNCTION/ && $6 !~ /PATCHABLE/ && name !~ /^left_/)
		print $2 " cannot be redirected"
	if ($6 ~ /FUNCTION/ && $4 == 0)
		print $2 " has no bytes"
	if ($6 ~ /LIBRARY|WEAK/)
		next
	entry[$1 " " name] = 1
	if (!(($1 " " name) in at) && (name in known || $6 !~ /LOCAL/))
		print $2 " is not at " $1
}
END {
	for (s in at) {
		split(s, part, " ")
		if (part[2] in ours && !(s in entry))
			print part[2] " at " part[1] " has no entry"
	}
}'

# Of the sources' symbols, those that bitcode has: no labels, tables of the
# assembler's, or thunks that nothing in the bitcode refers to.
# told [WORD...]: a test that the table is right, and has these words
told() {
	nm p | awk 'NF == 3' >symbols
	for o in *.o; do
		[ ! -e "$o" ] || nm "$o"
	done | awk 'NF == 3 && $2 ~ /^[tTdDbBrRvVwWuiI]$/ &&
		$3 !~ /^([.]|GCC_except_table|DW[.]ref|_ZTv)/' >sources
	awk "$compare" symbols sources table >wrong
	for word in "$@"; do
		grep -q -e "$word" table || echo "no line has $word" >>wrong
	done
	if [ -s wrong ] || [ ! -s sources ] || [ ! -s table ]; then
		fail "$row" "$(head -n 5 wrong)"
	else
		ok "$row"
	fi
}

text() { cat >"$1"; }

# objects_of DRIVER OPTION...: all sources, as objects
objects_of() {
	for file in *.c *.cc; do
		[ ! -e "$file" ] || "$@" -w -c "$file" || return 1
	done
}

# -- Sources -----------------------------------------------------------------

statics() {
	text a.c <<-'EOF'
	#include <stdio.h>
	int other(int);
	__thread int shared = 4;
	static __thread int own;
	static int count;
	static const char *names[] = { "a", "bc", "d" };
	extern int missing(int) __attribute__((weak));
	__attribute__((noinline)) static int helper(int x)
	{
		count += x;
		own++;
		return names[x % 3][0] + 11111;
	}
	int main(int argc, char **argv)
	{
		if (missing)
			missing(argc);
		fputs(argc == 99 ? "many\n" : "", stderr);
		printf("%d %d %d\n", helper(argc), other(argc), shared);
		return argc == 99 ? count + own : 0;
	}
	EOF
	text b.c <<-'EOF'
	#include <math.h>
	#include <stdio.h>
	extern __thread int shared;
	static __thread int own = 3;
	static int count = 7;
	static const char *names[] = { "x", "yy", "z" };
	__attribute__((noinline)) static int helper(int x)
	{
		count -= x;
		own++;
		puts(names[x % 3]);
		return names[x % 3][0] + 22222;
	}
	int other(int x)
	{
		shared++;
		return helper(x) + count + (int)sin(x) + own;
	}
	EOF
}

# Two files, in which inline functions, statics in them and what is in a
# namespace without a name have equal names.
classes() {
	text both.h <<-'EOF'
	#include <map>
	#include <stdexcept>
	#include <string>
	template <class T> struct S {
		static int n;
		static thread_local int tl;
		virtual ~S() {}
		virtual T f(T x)
		{
			static std::string s = "init";
			n++, tl++;
			return x + T(s.size());
		}
	};
	template <class T> int S<T>::n;
	template <class T> thread_local int S<T>::tl = 3;
	inline int once(int x) { static int c; return c += x; }
	namespace {
	struct L { int v; ~L() { v = 0; } };
	L l{4};
	__attribute__((noinline)) int local(int x) { return x + l.v; }
	}
	int other(int);
	EOF
	text x.cc <<-'EOF'
	#include "both.h"
	#include <iostream>
	struct D : virtual S<int> {
		int f(int x) override
		{
			if (x > 100)
				throw std::runtime_error("big");
			return x * 2;
		}
	};
	int main(int argc, char **)
	{
		std::map<std::string, int> m;
		S<long> s;
		D d;
		m["a"] = argc;
		try {
			d.f(argc + 100);
		} catch (std::exception &e) {
			std::cout << e.what() << '\n';
		}
		std::cout << s.f(argc) << once(argc) << other(argc) <<
			local(argc) << m.size() << S<int>::tl << '\n';
	}
	EOF
	text y.cc <<-'EOF'
	#include "both.h"
	int other(int x)
	{
		std::map<std::string, int> m;
		S<int> s;
		auto f = [&](int y) { return local(y) + m["q"]; };
		return once(x) + s.f(x) + f(x);
	}
	EOF
	ln -sf "$cof_cc" cof-c++
}

# Entries of every kind.
entries() {
	text a.c <<-'EOF'
	#include <stdio.h>
	__attribute__((aligned(64))) int wide(int x) { return x + 1; }
	__attribute__((naked)) int left_naked(void)
	{
		__asm__("movl $3, %eax\n\tret");
	}
	__attribute__((patchable_function_entry(4, 2))) int left_nops(int x)
	{
		return x + 9;
	}
	__attribute__((section(".mytext"))) int in_section(int x)
	{
		return x ^ 5;
	}
	__attribute__((minsize, optsize)) int small(int x) { return x * 7 + 1; }
	__attribute__((cold)) int cold(int x) { return x * 9; }
	int one(void) { return 1; }
	void nothing(void) {}
	void spin(void) { for (;;) ; }
	void down(volatile int *p) { do { *p = *p; } while (--*p); }
	const char *skip(const char *p)
	{
		for (;;)
			switch (*p++) {
			case 'a': case 'q': case 'f': continue;
			case 'b': return p + 1;
			case 'c': return p + 2;
			case 'd': return p + 7;
			case 0: return p - 1;
			default: return p;
			}
	}
	int threaded(const unsigned char *p)
	{
		static const void *const to[] = { &&a, &&b, &&c };
	a:	p++;
		goto *to[*p];
	b:	p += 2;
		goto *to[*p];
	c:	return *p;
	}
	__attribute__((noreturn)) void no_end(void) { __builtin_unreachable(); }
	int main(int argc, char **argv)
	{
		volatile int n = 3;

		down(&n);
		nothing();
		printf("%d %d %d %d %d %d %d %s %d\n", wide(argc),
		       left_naked(), left_nops(argc), in_section(argc),
		       small(argc), cold(argc), one(), skip("aaqb  x"),
		       threaded((unsigned char *)"\0\1\0\2\2"));
		return argc == 99 ? (spin(), no_end(), 1) : 0;
	}
	EOF
}

# entries_with OPTION...: no function jumps back to its entry, where a
# redirected one has its jump, and what has an alignment keeps it
entries_with() {
	entries
	objects_of "$cof_cc" "$@" && make_with "$cof_cc" "$@" a.o || return
	objdump -d --no-show-raw-insn p | awk '
		/^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3) }
		$2 ~ /^j/ && $NF == "<" name ">" { print name " is a loop" }' \
		>loops
	if [ -s loops ] || ! grep -q '^0*[0-9a-f]*[048c]0 wide ' table; then
		fail "$row" "$(cat loops)" "$(grep ' wide ' table)"
		return
	fi
	told
}

# -- Rows --------------------------------------------------------------------

# Which of two functions is where: both have a number that shows it.
row_statics() {
	statics
	objects_of "$cof_cc" -O2 && c a.o b.o -lm || return
	"$clang" -O2 -w -c -x ir joined.bc -o joined.code || return
	for number in 2b67 56ce; do
		name=$(objdump -d --no-show-raw-insn joined.code |
			awk -v n="$number" '
			/>:$/ { name = substr($2, 2, length($2) - 3) }
			$0 ~ "0x" n { print name; exit }')
		at=$(awk -v n="$name" '$2 == n { print $1 }' table)
		objdump -d --no-show-raw-insn p |
			awk -v n="$number" -v at="$at" '
			/>:$/ { here = $1 == at }
			here && $0 ~ "0x" n { found = 1 }
			END { exit !found }' && continue
		fail "$row" "$name is not at $at"
		return
	done
	told ' stderr GLIBC_2.2.5 .*,LIBRARY' ' printf GLIBC_2.2.5 .*,LIBRARY' \
		'^0* missing - 0 0 ,LIBRARY,WEAK' ' shared - .*,TLS' \
		' own .*,TLS,LOCAL' ' own[.].*,TLS,LOCAL' ' helper[.].*,LOCAL'
}

row_no_pie() {
	statics
	objects_of "$cof_cc" -O2 -fno-pie &&
		c -no-pie a.o b.o -lm || return
	told '^0*[1-9a-f][0-9a-f]* stderr GLIBC_2.2.5 .*,LIBRARY'
}

# linked_by LINKER
linked_by() {
	statics
	objects_of "$cof_cc" -O2 && c "-fuse-ld=$1" a.o b.o -lm || return
	told
}
row_gold() { linked_by gold; }
row_lld() { linked_by lld; }

row_gc_sections() {
	statics
	text unused.c <<-'EOF'
	static int unused_too(int x) { return x + 3; }
	int (*unused_table[])(int) = { unused_too };
	int unused(int x) { return unused_table[x](x); }
	EOF
	objects_of "$cof_cc" -O2 -ffunction-sections -fdata-sections &&
		c -Wl,--gc-sections a.o b.o unused.o -lm || return
	if grep -q ' unused.*FUNCTION' table; then
		fail "$row" "$(grep ' unused' table)"
		return
	fi
	told
}

row_icf() {
	statics
	text same.c <<-'EOF'
	static int same(int x) { return x * 3 + 1; }
	int (*volatile same_1)(int) = same;
	EOF
	sed 's/same_1/same_2/' same.c >same2.c
	objects_of "$cof_cc" -O2 -ffunction-sections &&
		c -fuse-ld=lld -Wl,--icf=all a.o b.o same.o same2.o -lm ||
		return
	told
}

row_archive() {
	statics
	objects_of "$cof_cc" -O2 && mkdir in && mv b.o in &&
		ar rc libb.a in/b.o && c a.o libb.a -lm || return
	told ' other - .*FUNCTION'
}

row_version_script() {
	statics
	text map <<-'EOF'
	{ global: main; local: *; };
	EOF
	objects_of "$cof_cc" -O2 &&
		c -Wl,--version-script=map -Wl,-E a.o b.o -lm || return
	told ' other - .*FUNCTION'
}

row_names() {
	text a.c <<-'EOF'
	#include <stdio.h>
	int f(int x) { return x * 3; }
	int alias_of_f(int) __attribute__((alias("f")));
	int weakly(int) __attribute__((weak));
	int weakly(int x) { return x + 1; }
	int table[4] = { 1, 2, 3, 4 };
	extern int second __attribute__((alias("table")));
	static int (*choose(void))(int) { return f; }
	int chosen(int) __attribute__((ifunc("choose")));
	int renamed(int) __asm__("other_name");
	int renamed(int x) { return x - 1; }
	int uninitialized;
	int main(int argc, char **argv)
	{
		printf("%d %d %d %d %d\n", alias_of_f(argc), weakly(argc),
		       chosen(argc), renamed(argc), second + uninitialized);
		return 0;
	}
	EOF
	objects_of "$cof_cc" -O2 -fcommon && c a.o || return
	at=$(awk '$2 == "choose" { print $1 }' table)
	told ' alias_of_f - ' "^$at chosen - 0 0 ,IFUNC" ' weakly .*FUNCTION' \
		'other_name - .*FUNCTION' ' second - '
}

# Assembly that names a static: if there are two, no code is built of it.
row_assembly() {
	text a.c <<-'EOF'
	#include <stdio.h>
	__attribute__((used)) static int value = 3, alone = 5;
	int other(int);
	int left_here(void)
	{
		int x;
		__asm__ volatile("movl value(%%rip), %0" : "=r"(x));
		return x;
	}
	int with_its_own(void)
	{
		int x;
		__asm__ volatile("movl alone(%%rip), %0" : "=r"(x));
		return x + value;
	}
	int main(int argc, char **argv)
	{
		value += argc, alone += argc;
		printf("%d %d %d\n", left_here(), with_its_own(),
		       other(argc));
		return 0;
	}
	EOF
	text b.c <<-'EOF'
	__attribute__((used)) static int value = 40;
	int left_there(void)
	{
		int x;
		__asm__ volatile("addl $1, %0; movl value+0(%%rip), %0"
				 : "=r"(x));
		return x;
	}
	int other(int x)
	{
		value += x;
		return value;
	}
	EOF
	objects_of "$cof_cc" -O2 && c a.o b.o || return
	if grep -q ' left_.*FUNCTION' table; then
		fail "$row" "$(grep ' left_' table)"
		return
	fi
	told ' left_here ' ' left_there ' ' with_its_own .*FUNCTION' \
		' value[.].*,LOCAL'
}

# Code without bitcode, and what the linker alone defines. Of an ifunc the
# address is not known: who names it is no function that can be built.
row_foreign() {
	text a.c <<-'EOF'
	#include <stdio.h>
	extern char __executable_start[], etext[], end[];
	extern int foreign(int), chosen(int), variable;
	extern __thread int first_per_thread, per_thread;
	int left_uses_ifunc(int x) { return chosen(x) + 1; }
	int uses_others(int x)
	{
		return foreign(x) + variable + first_per_thread +
			per_thread;
	}
	int main(int argc, char **argv)
	{
		printf("%d %d %d\n", uses_others(argc), left_uses_ifunc(argc),
		       __executable_start < etext && etext < end);
		return 0;
	}
	EOF
	text foreign.c <<-'EOF'
	int variable = 3;
	__thread int first_per_thread = 1, per_thread = 4;
	int foreign(int x) { return x * 3; }
	static int (*choose(void))(int) { return foreign; }
	int chosen(int) __attribute__((ifunc("choose")));
	EOF
	if ! "$cof_cc" -O2 -w -c a.c ||
	   ! "$clang" -O2 -w -c foreign.c -o foreign.obj ||
	   ! "$cof_cc" -O2 a.o foreign.obj -o p 2>cc.err ||
	   ! "$addresses" p joined.bc >table ||
	   [ -s cc.err ] || [ "$(./p)" != '11 4 1' ] ||
	   [ "$("$runtime" ./p 2>&1)" != '11 4 1' ] ||
	   grep -q 'left_uses_ifunc .*FUNCTION' table ||
	   grep -q ' chosen ' table; then
		fail "$row" "$(cat cc.err table)"
		return
	fi
	told '^0* __executable_start - 0 0 $' ' etext - 0 0 $' \
		' foreign - 0 0 $' ' variable - 0 0 $' ' per_thread .*,TLS' \
		'^0* first_per_thread .*,TLS' \
		' left_uses_ifunc - 0 0 $' ' uses_others .*,FUNCTION,PATCHABLE'
}

row_classes() {
	classes
	objects_of ./cof-c++ -O2 && make_with ./cof-c++ -O2 x.o y.o || return
	told
}

row_classes_unoptimized() {
	classes
	objects_of ./cof-c++ -O0 && make_with ./cof-c++ -O0 x.o y.o || return
	told
}

row_entries() { entries_with -O2; }
row_entries_unoptimized() { entries_with -O0; }
row_entries_small() { entries_with -Oz; }
row_entries_sections() { entries_with -O2 -ffunction-sections; }
row_entries_wide() { entries_with -O2 -falign-functions=64; }
row_entries_protected() { entries_with -O2 -fcf-protection -mno-red-zone; }
row_entries_assembler() { entries_with -O2 -fno-integrated-as; }

# A section that ends amid the table.
row_damage() {
	statics
	objects_of "$cof_cc" -O2 && c a.o b.o -lm || return
	size=$(wc -c <table)
	objcopy --dump-section .cof.bc=section p
	n=$(wc -c <section)
	head -c $((n - 40)) section >less
	objcopy --update-section .cof.bc=less p cut
	if "$addresses" cut >cut.table 2>cut.err || [ "$size" -eq 0 ]; then
		fail "$row" "a table that was cut off is read"
	else
		ok "$row"
	fi
}

# -- All ---------------------------------------------------------------------

need "$runtime" "$cof_cc" "$addresses"
if [ "${1:-}" = --each ]; then
	row=$2
	mkdir -p "$work/$row" && cd "$work/$row" || exit 1
	"row_$row"
	exit
fi
make_work
export XDG_CACHE_HOME="$work/cache"
if [ $# -eq 0 ]; then
	# shellcheck disable=SC2046
	set -- $(sed -n 's/^row_\([a-z_]*\)() {.*$/\1/p' "$script")
fi
each "$@"
