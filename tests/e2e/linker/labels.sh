# labels.sh - rows of e2e_linker.sh: labels, of C and of assembly, and tables of
# addresses
# shellcheck shell=sh disable=SC2154

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
