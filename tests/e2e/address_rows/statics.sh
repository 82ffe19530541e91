# statics.sh - rows of e2e_addresses.sh: functions and variables of one name in
# two files, linked in each way
# shellcheck shell=sh disable=SC2154

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
