# entries.sh - rows of e2e_addresses.sh: functions of every kind of entry
# shellcheck shell=sh disable=SC2154

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

row_entries() { entries_with -O2; }
row_entries_unoptimized() { entries_with -O0; }
row_entries_small() { entries_with -Oz; }
row_entries_sections() { entries_with -O2 -ffunction-sections; }
row_entries_wide() { entries_with -O2 -falign-functions=64; }
row_entries_protected() { entries_with -O2 -fcf-protection -mno-red-zone; }
row_entries_assembler() { entries_with -O2 -fno-integrated-as; }
