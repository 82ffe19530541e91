# names.sh - rows of e2e_linker.sh: names that two definitions have, or
# one has for another
# shellcheck shell=sh disable=SC2154

row_wrap() {
	text main.c <<-'EOF'
	#include <stdio.h>
	int foo(int), __real_foo(int);
	int __wrap_foo(int x) { return 1000 + __real_foo(x); }
	int main(void) { printf("%d\n", foo(1)); return 0; }
	EOF
	link main.c wrapped.c -Wl,--wrap=foo && prints 1002 && kept
}

row_wrap_lld() {
	row_wrap_with lld
}

row_wrap_gold() {
	row_wrap_with gold
}

row_wrap_with() {
	command -v "ld.$1" >/dev/null || { skip "$row" "no ld.$1"; return; }
	text main.c <<-'EOF'
	#include <stdio.h>
	int foo(int), __real_foo(int);
	int __wrap_foo(int x) { return 1000 + __real_foo(x); }
	int main(void) { printf("%d\n", foo(1)); return 0; }
	EOF
	link main.c wrapped.c -Wl,--wrap=foo "-fuse-ld=$1" && prints 1002 &&
	kept
}

# A function of the C library.
row_wrap_libc() {
	text main.c <<-'EOF'
	#include <stdio.h>
	#include <stdlib.h>
	void *__real_malloc(size_t n);
	static int calls;
	void *__wrap_malloc(size_t n) { calls++; return __real_malloc(n); }
	int main(void)
	{
		char *volatile p = malloc(10);

		printf("%d %d\n", p != NULL, calls);
		return 0;
	}
	EOF
	link main.c -fno-builtin -Wl,--wrap=malloc && prints '1 1' && kept
}

row_wrap_memcpy() {
	text main.c <<-'EOF'
	#include <stdio.h>
	#include <string.h>
	void *__wrap_memcpy(void *a, const void *b, size_t n)
	{ puts("wrapped"); return a; }
	int main(int argc, char **argv)
	{ char a[99] = "", b[99] = "x"; memcpy(a, b, argc * 30); puts(a);
	return 0; }
	EOF
	link main.c -Wl,--wrap=memcpy && refused wrap=memcpy
}

row_defsym() {
	text main.c <<-'EOF'
	#include <stdio.h>
	extern int bar(int);
	extern char MAGIC[];
	extern int second;
	int array[4] = { 1, 2, 3, 4 };
	int main(void)
	{ printf("%d %ld %d\n", bar(1), (long)MAGIC, second); return 0; }
	EOF
	link main.c wrapped.c -fno-pie -no-pie -Wl,--defsym=bar=foo \
		-Wl,--defsym=MAGIC=0x1234 -Wl,--defsym=second=array+4 &&
	prints '2 4660 2' && kept
}

# GNU ld makes numbers of sums, in an executable that may lie anywhere, too.
row_defsym_sums() {
	text main.c <<-'EOF'
	#include <stdio.h>
	extern int second, behind[];
	int array[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	__attribute__((noinline)) static int sum(const int *from)
	{
		int s = 0;

		for (const int *p = from; p != behind; p++)
			s += *p % 3 == 0 ? second : *p;
		return s;
	}
	int main(void)
	{
		int s = 0;

		for (int i = 0; i < 100000; i++)
			s += sum(array + i % 3);
		printf("%d\n", s);
		return 0;
	}
	EOF
	for ld in bfd lld; do
		row=defsym_sums.$ld
		link main.c -fuse-ld=$ld -Wl,--defsym=second=array+4 \
			-Wl,--defsym=behind=array+32 &&
		prints 2966668 && kept
	done
}

# The linker has another meaning for what a weak definition would give.
row_defsym_weak() {
	text main.c <<-'EOF'
	#include <stdio.h>
	int foo(int);
	int __attribute__((weak, noinline)) bar(int x) { return x + 50; }
	int main(void) { printf("%d\n", bar(1)); return 0; }
	EOF
	link main.c wrapped.c -Wl,--defsym=bar=foo && prints 2 && kept
}

row_main_by_defsym() {
	src main.c '#include <stdio.h>
	int real_main(void) { puts("real"); return 4; }'
	link main.c -Wl,--defsym=main=real_main && prints real && kept
}

row_muldefs() {
	link two1.c two2.c -Wl,-z,muldefs && prints '1 1 21' && kept
}

row_muldefs_other_order() {
	link two2.c two1.c -Wl,-z,muldefs && kept
}

row_allow_multiple_definition() {
	link two1.c two2.c -Wl,--allow-multiple-definition &&
	prints '1 1 21' && kept
}

row_muldefs_lld() {
	command -v ld.lld >/dev/null || { skip "$row" "no lld"; return; }
	link two1.c two2.c -Wl,-z,muldefs -fuse-ld=lld && prints '1 1 21' &&
	kept
}

row_weak_first() {
	link uses_weak.c weak.c two2.c && prints '2 2 22' && kept
}

row_weak_last() {
	link two2.c uses_weak.c weak.c && prints '2 2 22' && kept
}

row_weak_alone() {
	link uses_weak.c weak.c && prints '5 5 55' && kept
}

row_weak_twice() {
	sed 's/5/6/g' weak.c | sed 's/weaks/other/' >weak2.c
	link uses_weak.c weak2.c weak.c && prints '6 6 66' && kept
}

row_weak_undefined() {
	text main.c <<-'EOF'
	#include <stdio.h>
	int __attribute__((weak)) nobody(void);
	extern int __attribute__((weak)) nothing;
	int main(void)
	{ printf("%d %d\n", nobody == NULL, &nothing == NULL); return 0; }
	EOF
	link main.c && prints '1 1' && kept
}

# Linkers make what is hidden local.
row_wrap_hidden() {
	text main.c <<-'EOF'
	#include <stdio.h>
	int foo(int), __real_foo(int);
	int __wrap_foo(int x) { return 1000 + __real_foo(x); }
	int main(void) { printf("%d\n", foo(1)); return 0; }
	EOF
	link main.c wrapped.c -fvisibility=hidden -Wl,--wrap=foo &&
		prints 1002 && kept
}

# A function of that name that its file has for itself wraps nothing.
row_wrap_static() {
	text main.c <<-'EOF'
	#include <stdio.h>
	#include <stdlib.h>
	__attribute__((noinline)) static int __wrap_abs(int x) { return x + 1; }
	int main(int argc, char **argv)
	{
		(void)argv;
		printf("%d %d\n", __wrap_abs(argc), abs(-argc));
		return 0;
	}
	EOF
	link main.c -fno-builtin && prints '2 1' && kept
}

row_defsym_local() {
	command -v ld.lld >/dev/null || { skip "$row" "no lld"; return; }
	src local.map '{ local: *; };'
	text main.c <<-'EOF'
	#include <stdio.h>
	extern char Y[];
	int main(void) { printf("%ld\n", (long)Y); return 0; }
	EOF
	link main.c -fuse-ld=lld \
		-Wl,--defsym=Y=4660,--version-script=local.map &&
		prints 4660 && kept
}

# LLVM calls a library's function by a name that a file has for itself.
row_static_name_of_library() {
	text a.c <<-'EOF'
	__attribute__((noinline)) static int floor(int level)
	{
		__asm__ volatile("");
		return level * 1000;
	}
	int of_file(int x) { return floor(x); }
	EOF
	src b.c 'double down(double x) { return __builtin_floor(x); }'
	text main.c <<-'EOF'
	#include <stdio.h>
	int of_file(int);
	double down(double);
	int main(void)
	{
		volatile double x = 2.75;

		printf("%d %g\n", of_file(3), down(x));
		return 0;
	}
	EOF
	link -w -fno-builtin-floor main.c a.c b.c -lm && prints '3000 2' && kept
}
