#!/bin/sh
# e2e_audit.sh - programs that are audited (LD_AUDIT of ld.so(8)) run, and see
# their environment as natively
#
# The program shows what it and its child see of GLIBC_TUNABLES, then executes
# itself once. A file of bitcode is linked by another process in its first run.
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

in_work "$cof_cc"

cat >auditor.c <<'EOC'
#define _GNU_SOURCE
#include <link.h>

unsigned la_version(unsigned version)
{
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}
EOC
cat >program.c <<'EOC'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show(void)
{
	static const char name[] = "GLIBC_TUNABLES=";

	for (char **e = environ; *e != NULL; e++)
		if (strncmp(*e, name, sizeof(name) - 1) == 0 || **e == 1)
			puts(*e);
	fflush(stdout);
}

static void *thread(void *arg)
{
	return arg;
}

int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t t;

	show();
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	printf("%d\n", pthread_create(&t, &attr, thread, NULL));
	pthread_join(t, NULL);
	fflush(stdout);
	if (system("echo \"${GLIBC_TUNABLES-none}\"") < 0)
		return 1;
	if (argc > 1) {
		argv[1] = NULL;
		execv(argv[0], argv);
	}
	return 5;
}
EOC
"$clang" -shared -fPIC auditor.c -o auditor.so || exit 1
"$cof_cc" -D_GNU_SOURCE -O2 program.c -o program || exit 1
"$clang" -D_GNU_SOURCE -O2 -emit-llvm -c program.c -o program.bc || exit 1

# one NAME [VARIABLE...]: with these variables, natively and in two modes
one() {
	name=$1
	shift
	set -- env "LD_AUDIT=$work/auditor.so" "$@"
	run "$work/$name.native" "$@" ./program again
	for mode in off full; do
		run "$work/$name.$mode" "$@" "$runtime" --cof=$mode \
			--cof-start_ms=0 --cof-history=none ./program again
		agree "$name.$mode" "$work/$name.$mode" "$work/$name.native"
	done
}
{
	one alone
	one tunables GLIBC_TUNABLES=glibc.malloc.tcache_count=3
	one empty GLIBC_TUNABLES=
	one roomy GLIBC_TUNABLES=glibc.rtld.optional_static_tls=100

	run "$work/bitcode.native" env "LD_AUDIT=$work/auditor.so" ./program
	run "$work/bitcode" env "LD_AUDIT=$work/auditor.so" "$runtime" \
		--cof=off ./program.bc
	agree bitcode "$work/bitcode" "$work/bitcode.native"
} | tee all
verdict all
