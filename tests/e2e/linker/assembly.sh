# assembly.sh - rows of e2e_linker.sh: assembly, and conventions
# shellcheck shell=sh disable=SC2154

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
