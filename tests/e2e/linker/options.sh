# options.sh - rows of e2e_linker.sh: options of code and of arithmetic
#
# What is inlined does what its own file's options say.
# shellcheck shell=sh

# Until main()'s work was built with a profile, as a rule.
files_of_options() {
	text mix.c <<-'EOF'
	#include <stdio.h>
	#include <time.h>
	double once(int n);
	int main(void)
	{
		clock_t end = clock() + 2 * CLOCKS_PER_SEC;
		double first = once(1), sum = 0;
		int others = 0;

		while (clock() < end)
			for (int i = 0; i < 1000; i++)
				if (once(1) != first)
					others++;
		printf("%a %d\n", first + sum, others != 0);
		return others != 0;
	}
	EOF
}

# a * b + c is one operation in files with FMA, and two in others.
row_options_fma() {
	if ! grep -q -m 1 -w fma /proc/cpuinfo; then
		skip "$row" "the processor has no FMA"
		return
	fi
	files_of_options
	text fma.c <<-'EOF'
	double helper(double a, double b, double c);
	static double x[1000];
	double once(int n)
	{
		double sum = 0;

		for (int i = 0; i < 1000; i++)
			x[i] = 1 + n * i * 1e-9;
		for (int i = 0; i < 1000; i++)
			sum += helper(x[i], x[999 - i], -1);
		return sum;
	}
	EOF
	src plain.c 'double helper(double a, double b, double c)
	{ return a * b + c; }'
	for how in -ffp-contract=on -ffp-contract=fast -frounding-math; do
		"$cof_cc" -O2 -mfma $how -c fma.c &&
			link $how mix.c fma.o plain.c && as_natively || return
	done
	ok "$row"
}

# There are NaNs in files without -ffast-math, also where one with it made them.
row_options_fast_math() {
	files_of_options
	text uses.c <<-'EOF'
	#include <math.h>
	double scale(double x, double y);
	double once(int n)
	{
		volatile double inf = INFINITY;
		int count = 0;

		for (int i = 0; i < 100; i++)
			count += isnan(scale(inf, i & n)) != 0;
		return count;
	}
	EOF
	src fast.c 'double scale(double x, double y) { return x * y; }'
	"$cof_cc" -O2 -ffast-math -c fast.c || return
	for order in 'fast.o uses.c' 'uses.c fast.o'; do
		# shellcheck disable=SC2086
		link mix.c $order -lm && prints '0x1.9p+5 0' && as_natively ||
			return
	done
	ok "$row"
}

# What one file need not know of a library's function another one asks for.
row_options_math_errno() {
	files_of_options
	text uses.c <<-'EOF'
	#include <errno.h>
	#include <math.h>
	double without(double x);
	double once(int n)
	{
		int count = 0;

		for (int i = 0; i < 100; i++) {
			errno = 0;
			log1p(-1 - n * (i + 1.0));
			count += errno == EDOM;
		}
		return count + without(0);
	}
	EOF
	src no_errno.c '#include <math.h>
	double without(double x) { return log1p(x); }'
	"$cof_cc" -O2 -fno-math-errno -c no_errno.c || return
	link mix.c no_errno.o uses.c -lm && prints '0x1.9p+6 0' &&
		as_natively && ok "$row"
}

# Assembly that pushes is in a file whose functions keep nothing below the stack
# pointer; or in a function that has calls.
row_options_red_zone() {
	files_of_options
	text leaf.c <<-'EOF'
	unsigned long flags(void);
	double once(int n)
	{
		volatile unsigned long v[8];
		unsigned long sum;

		for (int i = 0; i < 8; i++)
			v[i] = (unsigned)n + i;
		sum = flags() & 0;
		for (int i = 0; i < 8; i++)
			sum += v[i];
		return (double)sum;
	}
	EOF
	text pushes.c <<-'EOF'
	unsigned long flags(void)
	{
		unsigned long f;

		__asm__ volatile("pushfq\n\tpopq %0" : "=r"(f) : : "memory");
		return f;
	}
	EOF
	"$cof_cc" -O2 -mno-red-zone -c pushes.c &&
		link mix.c leaf.c pushes.o && as_natively || return
	text calls.c <<-'EOF'
	unsigned long twice(unsigned long x);
	double once(int n)
	{
		volatile unsigned long v[4];
		unsigned long f, sum = 0;

		for (int i = 0; i < 4; i++)
			v[i] = twice(n) + i;
		__asm__ volatile("pushfq\n\tpopq %0" : "=r"(f) : : "memory");
		for (int i = 0; i < 4; i++)
			sum += v[i];
		return (double)(sum + (f & 0));
	}
	EOF
	src twice.c 'unsigned long twice(unsigned long x) { return x * 2; }'
	link mix.c calls.c twice.c && as_natively && ok "$row"
}

# What traps, how it rounds and what happened are the program's alone.
row_arithmetic() {
	text main.c <<-'EOF'
	#define _GNU_SOURCE
	#include <fenv.h>
	#include <pthread.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <time.h>

	static void *run(void *p)
	{
		clock_t end = clock() + CLOCKS_PER_SEC / 3;
		volatile unsigned n = 1;

		while (clock() < end)
			for (int i = 0; i < 10000; i++)
				n = n * 5 + i;
		return p;
	}

	static void say(const char *where)
	{
		printf("%s: traps %x, rounds %x, happened %x\n", where,
		       (unsigned)fegetexcept(), (unsigned)fegetround(),
		       (unsigned)fetestexcept(FE_ALL_EXCEPT));
	}

	static void *run_and_say(void *p)
	{
		run(p);
		say("thread");
		return p;
	}

	/* In an exit handler: libcof has ended, or ends after it. */
	static void at_end(void)
	{
		say("end");
	}

	int main(int argc, char **argv)
	{
		pthread_t thread;

		atexit(at_end);
		if (strcmp(argv[1], "traps") == 0)
			feenableexcept(FE_ALL_EXCEPT);
		else
			fesetround(FE_UPWARD);
		run(NULL);
		say("before");
		if (argc > 2 &&
		    pthread_create(&thread, NULL, run_and_say, NULL) == 0)
			pthread_join(thread, NULL);
		run(NULL);
		say("after");
		return 0;
	}
	EOF
	link main.c -frounding-math -lm -pthread || return
	for arguments in traps 'traps thread' 'rounds thread'; do
		as_natively || return
	done
	ok "$row"
}

# A level of a recursion needs what it needs natively, and not its callees'
# buffers.
row_deep_recursion() {
	text walk.c <<-'EOF'
	#include <stdio.h>
	#include <time.h>
	long emit(long depth, long sum);
	long next(long depth, long sum);
	long walk(long depth, long sum)
	{
		if (depth == 0)
			return sum;
		return next(depth - 1, emit(depth, sum)) + 1;
	}
	int main(void)
	{
		clock_t end = clock() + 2 * CLOCKS_PER_SEC;
		long sum = 0;

		while (clock() < end)
			sum = walk(20000, 1);
		printf("%ld\n", sum);
		return 0;
	}
	EOF
	src next.c 'long walk(long depth, long sum);
	long next(long depth, long sum) { return walk(depth, sum) ^ depth; }'
	src emit.c 'long emit(long depth, long sum)
	{
		volatile char buffer[900];

		for (int i = 0; i < 24; i++)
			buffer[i * 37] = (char)(depth + i);
		return sum + buffer[depth % 24 * 37];
	}'
	link walk.c next.c emit.c && as_natively && ok "$row"
}

# The handler's variable is read each time, though what reads it is inlined.
row_plain_flag() {
	text waits.c <<-'EOF'
	#include <signal.h>
	#include <stdio.h>
	#include <sys/time.h>
	int done(void);
	void set(void);
	static void handle(int number)
	{
		(void)number;
		set();
	}
	__attribute__((noinline)) static unsigned wait_for_it(void)
	{
		unsigned n = 1;

		while (!done())
			n = n * 5 + 1;
		return n;
	}
	int main(void)
	{
		struct itimerval timer = { .it_value.tv_usec = 400000 };

		signal(SIGVTALRM, handle);
		for (int i = 0; i < 5; i++) {
			setitimer(ITIMER_VIRTUAL, &timer, NULL);
			wait_for_it();
		}
		puts("done");
		return 0;
	}
	EOF
	src flag.c 'static int flag;
	void set(void) { flag = 1; }
	int done(void)
	{
		int was = flag;

		if (was)
			flag = 0;
		return was;
	}'
	link waits.c flag.c && as_natively && ok "$row"
}

# Its calls are told of by the code that was compiled, and by no attribute of
# what it is inlined into.
row_options_instrumented() {
	text told.c <<-'EOF'
	int told;
	__attribute__((no_instrument_function))
	void __cyg_profile_func_enter(void *f, void *from) { told++; }
	__attribute__((no_instrument_function))
	void __cyg_profile_func_exit(void *f, void *from) { }
	EOF
	src leaf.c 'int leaf(int x) { return x * 3 + 1; }'
	text main.c <<-'EOF'
	#include <stdio.h>
	extern int told;
	int leaf(int);
	int main(void)
	{
		int x = 1, before = told;

		for (int i = 0; i < 100; i++)
			x = leaf(x) & 0xff;
		printf("%d %d\n", x, told - before);
		return 0;
	}
	EOF
	link main.c leaf.c told.c -finstrument-functions-after-inlining &&
		as_natively && ok "$row"
}
