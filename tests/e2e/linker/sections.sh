# sections.sh - rows of e2e_linker.sh: sections, and symbols that the
# linker makes
# shellcheck shell=sh disable=SC2154

row_init() {
	src main.c '#include <unistd.h>
	void first(void) { write(1, "first\n", 6); }
	int main(void) { write(1, "main\n", 5); return 0; }'
	link main.c -Wl,-init=first && kept
}

row_fini() {
	src main.c '#include <unistd.h>
	void last(void) { write(1, "last\n", 5); }
	int main(void) { write(1, "main\n", 5); return 0; }'
	link main.c -Wl,-fini=last && kept
}

row_entry() {
	src main.c '#include <unistd.h>
	void begin(void) { write(1, "begin\n", 6); _exit(5); }
	int main(void) { return 0; }'
	once=yes
	link main.c -Wl,-e,begin && prints begin && kept
}

row_section_bounds() {
	for n in 1 2 3; do
		echo "__attribute__((section(\"items\"), used)) static int
		i$n = $n;" >s$n.c
	done
	text main.c <<-'EOF'
	#include <stdio.h>
	extern int __start_items[], __stop_items[];
	int main(void)
	{
		int sum = 0;

		for (int *p = __start_items; p < __stop_items; p++)
			sum = sum * 10 + *p;
		printf("%d\n", sum);
		return 0;
	}
	EOF
	link main.c s1.c s2.c s3.c && prints 123 && kept
}

# One of them is discarded with the section that it is in.
row_section_bounds_gc() {
	text s1.c <<-'EOF'
	__attribute__((section("items"))) int i1 = 1;
	EOF
	text main.c <<-'EOF'
	#include <stdio.h>
	extern int __start_items[] __attribute__((weak));
	extern int __stop_items[] __attribute__((weak));
	__attribute__((section("items"), used, retain)) static int i2 = 2;
	int main(void)
	{
		int sum = 0;

		for (int *p = __start_items; p < __stop_items; p++)
			sum = sum * 10 + *p;
		printf("%d\n", sum);
		return 0;
	}
	EOF
	link main.c s1.c -Wl,--gc-sections && kept
}

row_linker_symbols() {
	text main.c <<-'EOF'
	#include <stdio.h>
	extern char etext[], edata[], end[], _end[], __bss_start[];
	char in_bss[100];
	int in_data[10] = { 1 };
	int main(void)
	{
		printf("%d %d %d\n", (char *)in_data < edata,
		       in_bss >= __bss_start && in_bss < _end,
		       end == _end && etext < edata);
		return 0;
	}
	EOF
	link main.c && prints '1 1 1' && kept
}

row_executable_start() {
	text main.c <<-'EOF'
	extern char __executable_start[];
	int printf(const char *, ...);
	void *volatile q;
	int main(void)
	{ q = __executable_start; printf("%d\n", q != 0); return 0; }
	EOF
	link main.c && prints 1 && kept
	row=$row.no_pie
	link main.c -fno-pie -no-pie && kept
}

row_init_array_bounds() {
	text main.c <<-'EOF'
	extern void (*__init_array_start[])(void), (*__init_array_end[])(void);
	int printf(const char *, ...);
	int main(void)
	{
		printf("%d\n", (int)(__init_array_end - __init_array_start));
		return 0;
	}
	EOF
	link main.c && prints 1 && kept
}

row_fast_math() {
	text main.c <<-'EOF'
	#include <float.h>
	#include <pthread.h>
	#include <stdio.h>
	static void *state(void *arg)
	{
		printf("%x\n", __builtin_ia32_stmxcsr() & 0x8040);
		return NULL;
	}
	__attribute__((constructor)) static void first(void) { state(NULL); }
	int main(int argc, char **argv)
	{
		volatile float x = FLT_MIN, y = argc + 1, z = x / y;
		pthread_t t;

		pthread_create(&t, NULL, state, NULL);
		pthread_join(t, NULL);
		printf("%x %d\n", __builtin_ia32_stmxcsr() & 0x8040,
		       *(volatile int *)&z != 0);
		return 0;
	}
	EOF
	link main.c -ffast-math && prints '8040
8040
8040 0' && kept
}

row_tls() {
	text t.c <<-'EOF'
	_Thread_local int a = 1, b = 2;
	static _Thread_local int c = 3;
	int *pc(void) { return &c; }
	EOF
	text main.c <<-'EOF'
	#include <stdio.h>
	extern _Thread_local int a, b;
	_Thread_local int d = 4;
	int *pc(void);
	int main(void)
	{ printf("%d%d%d%d\n", a, b, *pc(), d); return 0; }
	EOF
	link main.c t.c && prints 1234 && kept
	row=$row.other
	link t.c main.c -fno-pie -no-pie && prints 1234 && kept
}

row_tls_of_library() {
	src lt.c '_Thread_local int lt = 8;'
	"$clang" -shared -fPIC lt.c -o liblt.so
	src main.c '#include <stdio.h>
	extern _Thread_local int lt;
	int main(void) { printf("%d\n", lt); return 0; }'
	link main.c -L. -llt -Wl,-rpath,. && prints 8 && kept
}

# Clang makes an ifunc, and an alias of it.
row_target_clones() {
	text main.c <<-'EOF'
	#include <stdio.h>
	__attribute__((target_clones("avx2", "default")))
	int dot(const int *p, int n)
	{
		int s = 0;

		for (int i = 0; i < n; i++)
			s += p[i] * p[i];
		return s;
	}
	int main(void)
	{
		int a[64], t = 0;

		for (int i = 0; i < 64; i++)
			a[i] = i;
		for (int k = 0; k < 20000; k++)
			t += dot(a, 64);
		printf("%d\n", t);
		return 0;
	}
	EOF
	link main.c && kept
}

row_ifunc() {
	text i.c <<-'EOF'
	static int impl(void) { return 6; }
	static void *res(void) { return impl; }
	int fi(void) __attribute__((ifunc("res")));
	EOF
	src main.c '#include <stdio.h>
	int fi(void); int (*volatile p)(void) = fi;
	int main(void) { printf("%d %d\n", fi(), p()); return 0; }'
	for ld in bfd lld gold; do
		command -v "ld.$ld" >/dev/null || continue
		row=ifunc.$ld
		link main.c i.c "-fuse-ld=$ld" && prints '6 6' && kept
	done
}

gc_sections() {
	text dead.c <<-EOF
	int missing(int), dead2(int);
	int dead(int x) { return $1(x) + dead2(x); }
	int alive(int x) { return x * 3; }
	EOF
	src dead2.c 'int dead2(int x) { return x; } int unused = 5;'
	src main.c '#include <stdio.h>
	int alive(int); int main(void) { printf("%d\n", alive(5)); return 0; }
	'
	link main.c dead.c dead2.c -ffunction-sections -fdata-sections \
		-Wl,--gc-sections "-fuse-ld=$2" && prints 15
}

row_gc_sections() {
	for ld in bfd lld gold; do
		command -v "ld.$ld" >/dev/null || continue
		row=gc_sections.$ld
		gc_sections dead2 $ld && kept
	done
}

# What is discarded refers to what nobody has.
row_gc_sections_missing() {
	gc_sections missing bfd && refused .debug.cof
	command -v ld.lld >/dev/null || return
	row=$row.lld
	gc_sections missing lld && kept
}

row_icf() {
	command -v ld.lld >/dev/null || { skip "$row" "no lld"; return; }
	src f1.c 'int fold1(int x) { return x * 77 + 3; }'
	src f2.c 'int fold2(int x) { return x * 77 + 3; }'
	text main.c <<-'EOF'
	#include <stdio.h>
	int fold1(int), fold2(int);
	int (*volatile a)(int) = fold1, (*volatile b)(int) = fold2;
	int main(void) { printf("%d %d\n", a == b, a(1) + b(2)); return 0; }
	EOF
	link main.c f1.c f2.c -ffunction-sections -fuse-ld=lld -Wl,--icf=all &&
	prints '1 237' && kept
}

# Functions that do nothing, not even return, have no size: they share an
# address with what follows.
row_empty_functions() {
	text main.c <<-'EOF'
	#include <stdio.h>
	void never(void) { __builtin_unreachable(); }
	int next(void) { return 5; }
	void (*volatile p)(void) = never;
	int (*volatile q)(void) = next;
	int main(void) { printf("%d\n", q()); return 0; }
	EOF
	link main.c wrapped.c && prints 5 && kept
}

# What is discarded has the name of what another file has for itself.
row_discarded_namesake() {
	src a.c 'long step(long x) { return x * 3 + 1000000; }
	long used(long x) { return x + 1; }'
	text b.c <<-'EOF'
	#include <stdio.h>
	long used(long x);
	__attribute__((noinline)) static long step(long x)
	{
		long s = 0;

		for (long i = 0; i < 2000; i++)
			s += (x ^ i) % 7;
		return s;
	}
	int main(void)
	{
		long s = 0;

		for (int i = 0; i < 1000; i++)
			s += step(i);
		printf("%ld\n", used(s));
		return 0;
	}
	EOF
	link -ffunction-sections -fdata-sections -Wl,--gc-sections a.c b.c &&
		kept
}
