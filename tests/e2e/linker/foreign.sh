# foreign.sh - rows of e2e_linker.sh: objects without bitcode
# shellcheck shell=sh disable=SC2154

# The other one is in an object without bitcode.
row_wrap_foreign() {
	src by.c 'int __wrap_foo(int x) { return x + 70; }'
	"$clang" -c by.c -o by.o
	link uses_foo.c wrapped.c by.o -Wl,--wrap=foo && prints 71 &&
	refused foo
}

row_weak_by_foreign() {
	"$clang" -c two2.c -o two2.o
	link uses_weak.c weak.c two2.o && prints '2 2 22' && kept
}

row_foreign_constructor() {
	src c.c '#include <stdio.h>
	__attribute__((constructor)) static void c(void) { puts("ctor"); }'
	"$clang" -c c.c
	link uses_foo.c wrapped.c c.o && prints 'ctor
2' && kept
}

row_foreign_destructor() {
	src c.c '#include <stdio.h>
	__attribute__((destructor)) static void c(void) { puts("dtor"); }'
	"$clang" -c c.c
	link uses_foo.c wrapped.c c.o && prints '2
dtor' && kept
}

row_foreign_function() {
	"$clang" -c wrapped.c -o foreign.o
	link uses_foo.c foreign.o && prints 2 && kept
}

row_foreign_main() {
	"$clang" -c uses_foo.c -o foreign.o
	link wrapped.c foreign.o && prints 2 && kept
}

# In no way of use to the program.
row_foreign_unused() {
	src n.c 'int nobody_calls(void) { return 1; }'
	"$clang" -c n.c
	link uses_foo.c wrapped.c n.o && prints 2 && kept
}

row_foreign_for_libraries() {
	src cb.c 'int cb(void) { return 6; }' && "$clang" -c cb.c
	src ask.c 'int cb(void); int ask(void) { return cb(); }'
	"$clang" -shared -fPIC ask.c -o libask.so
	src main.c '#include <stdio.h>
	int ask(void); int main(void) { printf("%d\n", ask()); return 0; }'
	link main.c cb.o -L. -lask -Wl,-rpath,. && prints 6 && kept
}

row_foreign_assembly() {
	text sub.s <<-'EOF'
		.globl	foo
	foo:	lea	5(%rdi), %eax
		ret
		.section .note.GNU-stack, "", @progbits
	EOF
	link uses_foo.c sub.s && prints 6 && kept
}

row_foreign_tls() {
	src t.c '_Thread_local int t = 4;' && "$clang" -c t.c
	src main.c '#include <stdio.h>
	extern _Thread_local int t;
	int main(void) { printf("%d\n", t); return 0; }'
	link main.c t.o && prints 4 && kept
}

row_foreign_ifunc() {
	foreign_ifunc default
}

# Linkers make it local.
row_foreign_ifunc_hidden() {
	foreign_ifunc hidden
}

# foreign_ifunc VISIBILITY
foreign_ifunc() {
	text i.c <<-EOF
	static int impl(void) { return 6; }
	static void *res(void) { return impl; }
	__attribute__((visibility("$1"), ifunc("res"))) int fi(void);
	EOF
	"$clang" -c i.c
	src main.c '#include <stdio.h>
	int fi(void); int main(void) { printf("%d\n", fi()); return 0; }'
	once=yes	# what names fi() is not built: it has no address
	link main.c i.o && prints 6 && kept
}

row_foreign_common() {
	src c.c 'int shared[10];' && "$clang" -fcommon -c c.c
	src main.c '#include <stdio.h>
	int shared[4]; int main(void) { printf("%d\n", shared[2]); return 0; }
	'
	link main.c c.o -fcommon && prints 0 && kept
}

row_incbin_foreign() {
	printf 'data\n' >f.txt
	src i.s '.section .rodata; .globl inc; inc: .incbin "f.txt"; .byte 0
	.section .note.GNU-stack, "", @progbits'
	src main.c '#include <stdio.h>
	extern const char inc[];
	int main(void) { printf("%s", inc); return 0; }'
	link main.c i.s && prints data && kept
}

# Threads cost no block of a malloc(3) of the program's own.
row_counted_malloc() {
	text main.c <<-'EOF'
	#include <pthread.h>
	#include <stdatomic.h>
	#include <stdio.h>
	#include <string.h>
	#include <time.h>

	#define THREADS 100

	static char room[64 << 20] __attribute__((aligned(16)));
	static atomic_size_t used;
	static atomic_int given, taken_back;

	void *malloc(size_t bytes)
	{
		size_t at = atomic_fetch_add(&used, (bytes + 31) & ~(size_t)15);

		given++;
		*(size_t *)(void *)(room + at) = bytes;
		return room + at + 16;
	}

	void free(void *p)
	{
		taken_back += p != NULL;
	}

	void *calloc(size_t n, size_t bytes)
	{
		return memset(malloc(n * bytes), 0, n * bytes);
	}

	void *realloc(void *p, size_t bytes)
	{
		void *to = malloc(bytes);
		size_t had = p != NULL ? ((size_t *)p)[-2] : 0;

		memcpy(to, p, had < bytes ? had : bytes);
		return to;
	}

	static void *run(void *p)
	{
		return p;
	}

	static void one(void)
	{
		pthread_t thread;

		if (pthread_create(&thread, NULL, run, NULL) == 0)
			pthread_join(thread, NULL);
	}

	int main(void)
	{
		int blocks, back;
		clock_t end = clock() + CLOCKS_PER_SEC / 10;

		while (clock() < end)
			;
		one();
		blocks = given;
		back = taken_back;
		for (int i = 0; i < THREADS; i++)
			one();
		blocks = given - blocks;
		back = taken_back - back;
		printf("%d blocks, %d taken back\n", blocks, back);
		return 0;
	}
	EOF
	link main.c -rdynamic -pthread &&
		prints '0 blocks, 0 taken back' && as_natively && ok "$row"
}

# Pointers hold what the library has, and calls go by the PLT.
row_library_pointer() {
	files_of_options
	text is.c <<-'EOF'
	#include <stdio.h>
	int is_puts(int (*f)(const char *)) { return f == puts; }
	EOF
	text uses.c <<-'EOF'
	#include <stdio.h>
	int is_puts(int (*f)(const char *));
	int (*volatile pointer)(const char *);
	double once(int n)
	{
		int count = 0;

		if (pointer == NULL) {	/* in the executable's own code */
			pointer = puts;
			puts("called");
		}
		for (int i = 0; i < 100; i++)
			count += is_puts(pointer);
		return count;
	}
	EOF
	for how in -pie -no-pie '-fPIC -no-pie' -fuse-ld=lld; do
		# shellcheck disable=SC2086
		link mix.c uses.c is.c $how && prints 'called
0x1.9p+6 0' && as_natively || return
	done
	ok "$row"
}
