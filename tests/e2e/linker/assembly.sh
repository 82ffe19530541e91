# assembly.sh - rows of e2e_linker.sh: assembly, versions of symbols,
# conventions and labels
# shellcheck shell=sh disable=SC2154

row_symver() {
	text main.c <<-'EOF'
	#include <stdio.h>
	#include <stdlib.h>
	__asm__(".symver old_rp,realpath@GLIBC_2.2.5");
	char *old_rp(const char *, char *);
	int main(void)
	{
		char b[5000];

		puts(old_rp("/", b));
		return 0;
	}
	EOF
	link main.c -fno-builtin && prints / && kept
}

# Two versions of one name, which bitcode cannot have.
row_symver_definitions() {
	text main.c <<-'EOF'
	#include <dlfcn.h>
	#include <stdio.h>
	int f1(void) { return 1; }
	int f2(void) { return 2; }
	__asm__(".symver f1,f@V1");
	__asm__(".symver f2,f@@V2");
	int main(void)
	{
		void *all = dlopen(NULL, RTLD_NOW);
		int (*new)(void) = (int (*)(void))dlsym(all, "f");
		int (*old)(void) = (int (*)(void))dlvsym(all, "f", "V1");

		printf("%d %d\n", new(), old());
		return 0;
	}
	EOF
	echo 'V1 { global: f; }; V2 { global: f; } V1;' >script
	link main.c -D_GNU_SOURCE -rdynamic -Wl,--version-script=script &&
	prints '2 1' && kept
}

# What libcof-preload.so has in place of libc's must not be passed by: libc's
# function would lock all that libcof reserves.
row_symver_stand_in() {
	text main.c <<-'EOF'
	#include <dlfcn.h>
	#include <stdio.h>
	#include <sys/mman.h>
	__asm__(".symver lock_all,mlockall@GLIBC_2.2.5");
	int lock_all(int);
	static int locked(void)
	{
		FILE *f = fopen("/proc/self/status", "r");
		char line[200];
		long kb = -1;

		while (fgets(line, sizeof(line), f))
			sscanf(line, "VmLck: %ld", &kb);
		fclose(f);
		munlockall();
		return kb > 0 && kb < 1000000;
	}
	int main(void)
	{
		int (*by_name)(int);

		printf("%d\n", lock_all(MCL_CURRENT) ? 1 : locked());
		by_name = (int (*)(int))dlvsym(RTLD_DEFAULT, "mlockall",
					       "GLIBC_2.2.5");
		printf("%d\n", by_name(MCL_CURRENT) ? 1 : locked());
		return 0;
	}
	EOF
	once=yes
	link main.c -D_GNU_SOURCE && prints '1
1' && kept
}

row_incbin() {
	printf 'data\n' >f.txt
	text main.c <<-'EOF'
	#include <stdio.h>
	__asm__(".section .rodata\n.globl inc\ninc: .incbin \"f.txt\"\n"
		".byte 0\n.globl tail\ntail: .incbin \"f.txt\", 2, 2\n"
		".byte 0\n.text\n");
	extern const char inc[], tail[];
	int main(void) { printf("%s%s\n", inc, tail); return 0; }
	EOF
	link main.c && printf 'other\n' >f.txt && prints 'data
ta' && kept
}

# Assembly that only the assembler of that moment could read.
row_incbin_in_macro() {
	printf 'data\n' >f.txt
	text main.c <<-'EOF'
	#include <stdio.h>
	__asm__(".macro take file\n.incbin \"\\file\"\n.endm\n"
		".section .rodata\n.globl inc\ninc: take f.txt\n"
		".byte 0\n.text\n");
	extern const char inc[];
	int main(void) { printf("%s", inc); return 0; }
	EOF
	link main.c && printf 'other\n' >f.txt && prints data &&
	as_natively && ok "$row"
}

row_assembly_twice() {
	for n in 1 2; do
		text asm$n.c <<-EOF
		__asm__(".text\nhelper: mov \$$n, %eax\n ret\n"
			".globl get$n\nget$n: jmp helper\n");
		EOF
	done
	text main.c <<-'EOF'
	#include <stdio.h>
	int get1(void), get2(void);
	int main(void) { printf("%d %d\n", get1(), get2()); return 0; }
	EOF
	link main.c asm1.c asm2.c && prints '1 2' && kept
}

row_assembly() {
	text main.c <<-'EOF'
	#include <stdio.h>
	__asm__(".text\n.globl get\nget: jmp back\n.data\n.globl word\n"
		"word: .long 77\n.text\n");
	int get(void);
	extern int word;
	__attribute__((used)) int back(void) { return 3; }
	int main(void) { printf("%d %d\n", get(), word); return 0; }
	EOF
	link main.c wrapped.c && prints '3 77' && kept
}

row_conventions() {
	text c.c <<-'EOF'
	#define C(a) __attribute__((a, noinline))
	C(vectorcall) double vc(double a, double b) { return a * b + 1; }
	C(ms_abi) int ms(int a, int b, int c, int d, int e)
	{ return a + b * c - d + e; }
	C(sysv_abi) int sv(int a) { return a + 1; }
	C(regcall) int rc(int a, int b) { return a * b; }
	C(preserve_most) int pm(int a) { return a - 1; }
	C(preserve_all) int pa(int a) { return a - 2; }
	C(no_caller_saved_registers) int nc(int a) { return a + 2; }
	EOF
	text main.c <<-'EOF'
	#include <stdio.h>
	#define C(a) __attribute__((a))
	C(vectorcall) double vc(double a, double b);
	C(ms_abi) int ms(int a, int b, int c, int d, int e);
	C(sysv_abi) int sv(int a);
	C(regcall) int rc(int a, int b);
	C(preserve_most) int pm(int a);
	C(preserve_all) int pa(int a);
	C(no_caller_saved_registers) int nc(int a);
	C(vectorcall) double (*volatile p)(double, double) = vc;
	int main(int argc, char **argv)
	{
		double sum = 0;

		for (int i = 0; i < 200000; i++)
			sum += vc(argc, i) + ms(i, 2, 3, 4, 5) + sv(i) +
			       rc(i, 2) + pm(i) + pa(i) + p(i, 2) + nc(i);
		printf("%.0f\n", sum);
		return 0;
	}
	EOF
	link main.c c.c && kept
}

labels() {
	text main.c <<-'EOF'
	#include <stdio.h>
	struct op { const void *go; int arg; };
	static long interp(struct op *o, int n)
	{
		static const void *const table[] = { &&ADD, &&MUL, &&END };
		long x = 1;

		if (!o)
			return (long)table;
		goto *o->go;
	ADD:	x += o->arg; o++; goto *o->go;
	MUL:	x *= o->arg; o++; goto *o->go;
	END:	return x + n;
	}
	static const void **table;
	__attribute__((noinline)) static void ready(struct op *o, int last)
	{
		if (!table)
			table = (const void **)interp(NULL, 0);
		for (int i = 0; i < last; i++)
			o[i].go = table[i & 1];
		o[last].go = table[2];
		if (o[0].go == ((const void **)interp(NULL, 0))[0])
			puts("first is ADD");
	}
	int main(int argc, char **argv)
	{
		struct op o[9] = { { 0, 3 }, { 0, 5 }, { 0, 7 }, { 0, 2 } };
		long sum = 0;

		ready(o, 4);
		for (int i = 0; i < 300000; i++)
			sum += interp(o, i);
		printf("%ld %ld\n", interp(o, argc), sum);
		return 0;
	}
	EOF
}

row_labels() {
	labels
	for level in -O0 -O1 -O2 -O3 -Os; do
		row=labels$level
		link main.c "$level" && kept
	done
}

row_no_integrated_as() {
	link two1.c two2.c -Wl,-z,muldefs -fno-integrated-as &&
	prints '1 1 21' && kept
}

# The address of a function, and of a variable, as a number in assembly.
row_inline_assembly() {
	text main.c <<-'EOF'
	#include <stdio.h>
	int tab[4] = { 1, 2, 3, 4 };
	static int helper(int x) { return x * 3; }
	static int by_number(int x)
	{
		int r;

		asm("call %P1" : "=a"(r) : "i"(helper), "D"(x) : "rcx", "rdx",
		    "rsi", "r8", "r9", "r10", "r11", "cc", "memory");
		return r;
	}
	static int *address(void)
	{
		int *p;

		asm("lea %c1(%%rip), %0" : "=r"(p) : "i"(tab));
		return p;
	}
	int main(void)
	{
		int s = 0;

		for (int i = 0; i < 300000; i++)
			s += by_number(i & 7) + address()[i & 3];
		printf("%d\n", s);
		return 0;
	}
	EOF
	for level in -O0 -O2; do
		row=inline_assembly$level
		link main.c "$level" && prints 3900000 && kept
	done
}

# The assembler gives labels like "1:" other names each time.
row_assembly_labels() {
	text main.c <<-'EOF'
	#include <stdio.h>
	__asm__(".text\n.globl spin\n.type spin,@function\n"
		"spin: mov %rdi,%rax\n1: dec %rdi\n jnz 1b\n jmp 2f\n"
		" hlt\n2: ret\n.Lown: nop\n.size spin,.-spin\n"
		".comm shared,8,8 ; .comm\tother,4,4\n"
		".globl store\nstore: mov %rdi,shared(%rip)\n"
		" mov %edi,other(%rip)\n ret\n");
	long spin(long);
	void store(long);
	extern long shared;
	extern int other;
	int main(void)
	{
		long s = 0;

		for (long i = 1; i < 100000; i++) {
			store(i);
			s += spin(i % 5 + 1) + shared + other;
		}
		printf("%ld\n", s);
		return 0;
	}
	EOF
	link main.c && prints 10000199999 && kept
}

# Assembly notes where its code may fault; a handler that finds no note there
# ends the program.
row_table_of_addresses() {
	text main.c <<-'EOF'
	#define _GNU_SOURCE
	#include <signal.h>
	#include <stdio.h>
	#include <time.h>
	#include <ucontext.h>
	#include <unistd.h>

	struct note {
		long at, to;
	};

	extern struct note __start_notes[], __stop_notes[];

	static void on_fault(int sig, siginfo_t *info, void *context)
	{
		ucontext_t *at = context;
		greg_t *pc = &at->uc_mcontext.gregs[REG_RIP];

		(void)sig;
		(void)info;
		for (struct note *n = __start_notes; n < __stop_notes; n++)
			if (n->at == *pc) {
				*pc = n->to;
				return;
			}
		_exit(9);
	}

	/* -1: it cannot be read. */
	__attribute__((noinline)) static int load(const int *p)
	{
		int value = 0, bad = 1;

		__asm__ volatile("1: movl (%2), %0\n\txorl %1, %1\n2:\n\t"
				 ".pushsection notes, \"aw\"\n\t.quad 1b, 2b\n\t"
				 ".popsection"
				 : "+r"(value), "+r"(bad) : "r"(p));
		return bad ? -1 : value;
	}

	__attribute__((noinline)) static int many(const int *p, int n)
	{
		int sum = 0;

		for (int i = 0; i < n; i++)
			sum += load(p + i % 64);
		return sum;
	}

	int main(void)
	{
		struct sigaction act = {
			.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO,
		};
		static int list[64] = { 1, 2, 3 };
		clock_t end = clock() + CLOCKS_PER_SEC;
		int sum = 0;

		sigaction(SIGSEGV, &act, NULL);
		while (clock() < end) {
			sum |= many(list, 6400) ^ 600;
			sum |= load((const int *)8) + 1;
		}
		printf("%d\n", sum);
		return 0;
	}
	EOF
	"$cof_cc" -O2 -c wrapped.c && link main.c wrapped.o && prints 0 &&
		as_natively && ok "$row"
}

# Each file's assembly has names for itself, which others have for something
# else.
row_assembly_own_names() {
	src a.c '__asm__(".text\n.globl spin\nspin: mov %edi, %eax\n"
		"loop: dec %edi\n jnz loop\nabs: ret\n");'
	src b.c 'int loop(int x) { return x * 3; }'
	for n in 1 2; do
		sed "s/N/$n/g" >c$n.c <<-'EOF'
		__asm__(".text\nhelper: mov $N01, %eax\n ret\n");
		int helper(void);
		int getN(void) { return helper() + N; }
		EOF
	done
	text main.c <<-'EOF'
	#include <stdio.h>
	#include <stdlib.h>
	int spin(int), loop(int), get1(void), get2(void);
	int main(void)
	{
		volatile int x = -7;

		printf("%d %d %d ", spin(5), loop(7), abs(x));
		printf("%d %d\n", get1(), get2());
		return 0;
	}
	EOF
	link main.c a.c b.c c1.c c2.c && prints '5 21 7 102 203' && kept
}

row_incbin_in_comment() {
	printf 'old' >old.bin && printf 'new' >new.bin
	text main.c <<-'EOF'
	#include <stdio.h>
	__asm__(".section .rodata\n.globl inc\ninc:\n"
		"# was .incbin \"old.bin\"\n"
		".incbin \"new.bin\"\n.byte 0\n.text\n");
	extern const char inc[];
	int main(void) { printf("%s\n", inc); return 0; }
	EOF
	link main.c && prints new && kept
}

# A handler finds an instruction by its label.
row_label_of_instruction() {
	text peek.c <<-'EOF'
	int peek(const int *p)
	{
		int x;

		__asm__ volatile(".globl peek_at\npeek_at: movl (%1), %0"
				 : "=r"(x) : "r"(p));
		return x;
	}
	EOF
	text main.c <<-'EOF'
	#define _GNU_SOURCE
	#include <setjmp.h>
	#include <signal.h>
	#include <stdio.h>
	#include <ucontext.h>
	#include <unistd.h>
	int peek(const int *);
	extern char peek_at[];
	static sigjmp_buf back;
	static void on_fault(int sig, siginfo_t *info, void *context)
	{
		ucontext_t *u = context;

		(void)sig, (void)info;
		if (u->uc_mcontext.gregs[REG_RIP] != (greg_t)peek_at)
			_exit(9);
		siglongjmp(back, 1);
	}
	int main(void)
	{
		struct sigaction act = { .sa_sigaction = on_fault,
					 .sa_flags = SA_SIGINFO };
		int sum = 0, one = 1;

		sigaction(SIGSEGV, &act, NULL);
		for (int i = 0; i < 1000; i++)
			sum += peek(&one);
		if (sigsetjmp(back, 1) == 0)
			peek(NULL);
		printf("%d\n", sum);
		return 0;
	}
	EOF
	link main.c peek.c && prints 1000 && kept
}
