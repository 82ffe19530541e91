# names.sh - rows of e2e_addresses.sh: names that are not the symbol's own, and
# what has no bitcode
# shellcheck shell=sh disable=SC2154

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
