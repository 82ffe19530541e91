# objects.sh - rows of e2e_linker.sh: objects and archives, and what is
# visible of them
# shellcheck shell=sh disable=SC2154

# Of several members and archives the first one counts.
row_archives() {
	for n in 1 2 3; do
		src m$n.c "int pick(void) { return $n; }"
		"$cof_cc" -O2 -c m$n.c
	done
	src main.c '#include <stdio.h>
	int pick(void); int main(void) { printf("%d\n", pick()); return 0; }'
	rm -f ./*.a
	ar rc la.a m2.o m1.o && ar rc lb.a m3.o
	link main.c la.a lb.a && prints 2 && kept
	row=$row.other
	link main.c lb.a la.a && prints 3 && kept
}

row_undefined_option() {
	src u.c '#include <stdio.h>
	int pick(void) { return 1; }
	__attribute__((constructor)) void loud(void) { puts("loud"); }'
	"$cof_cc" -O2 -w -c u.c && rm -f lu.a && ar rc lu.a u.o
	link uses_foo.c wrapped.c lu.a -Wl,-u,pick && kept
}

objcopied() {
	text a.c <<-'EOF'
	#include <stdio.h>
	int lib(void);
	int old(void) { return 5; }
	int main(void) { printf("%d %d\n", lib(), old()); return 0; }
	EOF
	src b.c 'int old(void) { return 7; }
	int lib(void) { return old() * 10; }'
	"$cof_cc" -O2 -fno-inline -c a.c b.c
}

row_redefine_sym() {
	objcopied
	objcopy --redefine-sym old=pfx_old b.o
	link a.o b.o && prints '70 5' && kept
}

row_prefix_symbols() {
	objcopied
	objcopy --redefine-sym lib=my_lib a.o
	objcopy --prefix-symbols=my_ b.o
	link a.o b.o && prints '70 5' && kept
}

row_weaken() {
	objcopied
	objcopy --weaken b.o
	link b.o a.o && kept
}

row_localize_symbol() {
	objcopied
	objcopy --localize-symbol=old b.o
	link a.o b.o && prints '70 5' && kept
}

row_partial_link() {
	objcopied
	objcopy --localize-symbol=old b.o
	ld -r a.o b.o -o both.o
	link both.o && prints '70 5' && kept
}

row_partial_link_localized() {
	text c.c <<-'EOF'
	int helper(void) { return 9; }
	EOF
	text d.c <<-'EOF'
	int helper(void); int other(void) { return helper(); }
	EOF
	text main.c <<-'EOF'
	#include <stdio.h>
	int other(void);
	int helper(void) { return 1; }
	int main(void) { printf("%d %d\n", helper(), other()); return 0; }
	EOF
	"$cof_cc" -O2 -c c.c d.c
	ld -r c.o d.o -o cd.o && objcopy --localize-symbol=helper cd.o
	link main.c cd.o && prints '1 9' && kept
}

row_version_script() {
	text main.c <<-'EOF'
	#include <dlfcn.h>
	#include <stdio.h>
	int shown(void) { return 1; }
	int hidden(void) { return 2; }
	int main(void)
	{
		void *all = dlopen(NULL, RTLD_NOW);

		printf("%d %d %d\n", dlsym(all, "shown") != NULL,
		       dlsym(all, "hidden") != NULL, shown() + hidden());
		return 0;
	}
	EOF
	echo '{ global: shown; local: *; };' >script
	link main.c -rdynamic -Wl,--version-script=script &&
	prints '1 0 3' && kept
}

row_dynamic_list() {
	text main.c <<-'EOF'
	#include <dlfcn.h>
	#include <stdio.h>
	int shown(void) { return 1; }
	int hidden(void) { return 2; }
	int main(void)
	{
		void *all = dlopen(NULL, RTLD_NOW);

		printf("%d %d\n", dlsym(all, "shown") == (void *)shown,
		       dlsym(all, "hidden") != NULL);
		return 0;
	}
	EOF
	echo '{ shown; };' >list
	link main.c -Wl,--dynamic-list=list && prints '1 0' && kept
}

row_visibility() {
	text h.c <<-'EOF'
	__attribute__((visibility("hidden"))) int hid(void) { return 1; }
	__attribute__((visibility("protected"))) int pro(void) { return 2; }
	EOF
	text main.c <<-'EOF'
	#include <dlfcn.h>
	#include <stdio.h>
	__attribute__((visibility("hidden"))) int hid(void);
	int pro(void);
	int main(void)
	{
		void *all = dlopen(NULL, RTLD_NOW);

		printf("%d %d %d\n", hid() + pro(), dlsym(all, "hid") != NULL,
		       dlsym(all, "pro") != NULL);
		return 0;
	}
	EOF
	link main.c h.c -rdynamic && prints '3 0 1' && kept
}

# Inline functions of one name that differ: the first one counts.
row_comdat() {
	text a.cpp <<-'EOF'
	inline __attribute__((noinline)) int pick() { return 1; }
	int a() { return pick(); }
	EOF
	sed 's/1/2/; s/int a()/int b()/' a.cpp >b.cpp
	src c.cpp 'inline __attribute__((noinline)) int pick() {
	volatile int x = 3; x++; return x; } int c() { return pick(); }'
	src m.cpp '#include <cstdio>
	int a(), b(), c();
	int main() { printf("%d %d %d\n", a(), b(), c()); }'
	for order in 'a b c' 'b c a' 'c a b'; do
		for ld in bfd lld; do
			command -v "ld.$ld" >/dev/null || continue
			row=comdat.$ld.$(echo "$order" | tr -d ' ')
			# shellcheck disable=SC2046
			link m.cpp $(printf '%s.cpp ' $order) -lstdc++ \
				"-fuse-ld=$ld" && kept
		done
	done
}

row_comdat_variables() {
	text a.cpp <<-'EOF'
	#include <cstdio>
	struct loud { int n; loud(int n) : n(n) { printf("made %d\n", n); } };
	inline loud one(1);
	template <class T> struct holder { static loud two; };
	template <class T> loud holder<T>::two(2);
	int a() { return one.n + holder<int>::two.n; }
	EOF
	sed 's/(1)/(7)/; s/two(2)/two(9)/; s/int a()/int b()/' a.cpp >b.cpp
	src m.cpp '#include <cstdio>
	int a(), b(); int main() { printf("%d %d\n", a(), b()); }'
	link m.cpp a.cpp b.cpp -lstdc++ && kept
	row=$row.other
	link m.cpp b.cpp a.cpp -lstdc++ && kept
}

row_common() {
	src c1.c 'int c; int big; int get(void) { return c + big; }'
	src c2.c 'int c = 4; int big[10];'
	src main.c '#include <stdio.h>
	int c, get(void); extern int big[];
	int main(void) { big[9] = 1; printf("%d %d %d\n", c, get(), big[9]);
	return 0; }'
	link main.c c1.c c2.c -fcommon && prints '4 4 1' && kept
}

row_aliases() {
	text a.c <<-'EOF'
	int __attribute__((weak, noinline)) f(void) { return 1; }
	int g(void) __attribute__((alias("f")));
	int v = 3;
	extern int w __attribute__((alias("v")));
	EOF
	src b.c 'int f(void) { return 2; }'
	text main.c <<-'EOF'
	#include <stdio.h>
	int f(void), g(void);
	extern int v, w;
	int main(void)
	{ w++; printf("%d %d %d\n", f(), g(), v); return 0; }
	EOF
	link main.c a.c && prints '1 1 4' && kept
	row=$row.replaced
	link main.c a.c b.c && prints '2 1 4' && kept
}

row_bsymbolic() {
	src l.c 'int f(void) { return 1; } int lib(void) { return f(); }'
	"$cof_cc" -O2 -fPIC -shared l.c -Wl,-Bsymbolic -o liblib.so
	src main.c '#include <stdio.h>
	int f(void) { return 2; } int lib(void);
	int main(void) { printf("%d %d\n", f(), lib()); return 0; }'
	link main.c -L. -llib -Wl,-rpath,. -Wl,-Bsymbolic && prints '2 1' &&
	kept
}

row_as_needed() {
	for n in 1 2; do
		echo "#include <stdio.h>
		__attribute__((constructor)) static void c(void)
		{ puts(\"lib$n\"); } int from$n(void) { return $n; }" >l$n.c
		"$clang" -w -shared -fPIC l$n.c -o libl$n.so
	done
	src main.c '#include <stdio.h>
	int from2(void); int main(void) { printf("%d\n", from2()); return 0; }
	'
	link main.c -L. -Wl,--as-needed -ll1 -ll2 -Wl,-rpath,. &&
	prints 'lib2
2' && kept
}

# The name of a static function is not noted.
row_globalize_symbol() {
	src hidden.c 'static __attribute__((noinline, used)) int hid(int x)
	{ return x * 9; } int keep(int x) { return hid(x) + 1; }'
	src main.c '#include <stdio.h>
	int hid(int), keep(int);
	int main(void) { printf("%d %d\n", hid(2), keep(1)); return 0; }'
	"$cof_cc" -O2 -c hidden.c && objcopy --globalize-symbol=hid hidden.o
	link main.c hidden.o && prints '18 10' && kept
}

# A program with malloc(3) of its own.
row_own_malloc() {
	text main.c <<-'EOF'
	#include <stdio.h>
	#include <stdlib.h>
	static char pool[1 << 20];
	static size_t at;
	void *malloc(size_t n)
	{
		void *p = pool + at;

		at += (n + 15) & ~15ul;
		return at < sizeof(pool) ? p : NULL;
	}
	void free(void *p) {}
	void *calloc(size_t a, size_t b) { return malloc(a * b); }
	void *realloc(void *p, size_t n) { return malloc(n); }
	int main(void)
	{
		char *s = malloc(10);

		sprintf(s, "%d", s >= pool && s < pool + sizeof(pool));
		puts(s);
		return 3;
	}
	EOF
	once=yes
	for ld in bfd lld gold; do
		command -v "ld.$ld" >/dev/null || continue
		row=own_malloc.$ld
		link main.c -fno-builtin "-fuse-ld=$ld" && prints 1 && kept
	done
}
