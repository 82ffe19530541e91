# symver.sh - rows of e2e_linker.sh: versions of symbols
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
