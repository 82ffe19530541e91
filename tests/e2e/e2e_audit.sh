#!/bin/sh
# e2e_audit.sh - programs that are audited, or have a library of the user's
# (LD_AUDIT, LD_PRELOAD of ld.so(8)), run and see their environment as natively
#
# The program shows what it and its child see of GLIBC_TUNABLES and LD_PRELOAD,
# then executes itself once. A file of bitcode is linked by another process in
# its first run. Another program runs until LLVM is there.
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
	for (char **e = environ; *e != NULL; e++)
		if (strncmp(*e, "GLIBC_TUNABLES=", 15) == 0 ||
		    strncmp(*e, "LD_PRELOAD=", 11) == 0 || **e == 1)
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
	if (system("echo \"${GLIBC_TUNABLES-none} ${LD_PRELOAD-none}\"") < 0)
		return 1;
	if (argc > 1) {
		argv[1] = NULL;
		execv(argv[0], argv);
	}
	return 5;
}
EOC
# Its CPU time is what it takes, and no more.
cat >busy.c <<'EOC'
#include <stdio.h>
#include <string.h>
#include <time.h>

static int is_there(const char *name)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int is = 0;

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL)
		is |= strstr(line, name) != NULL;
	if (maps != NULL)
		fclose(maps);
	return is;
}

__attribute__((noinline)) static unsigned hot(unsigned x)
{
	for (int i = 0; i < 100000; i++)
		x = x * 1664525 + (x >> 7);
	return x;
}

int main(int argc, char **argv)
{
	volatile unsigned x = 1;

	while (argc > 1 && !is_there(argv[1]) &&
	       clock() < 60 * CLOCKS_PER_SEC)
		for (int i = 0; i < 10; i++)
			x = hot(x);
	puts(argc < 2 || is_there(argv[1]) ? "there" : "not there");
	return 3;
}
EOC
cat >users.c <<'EOC'
#include <stdio.h>

int puts(const char *s)
{
	return printf("%s, by the user's library\n", s);
}
EOC

# As AddressSanitizer's: another library before it ends the process.
cat >first.c <<'EOC'
#define _GNU_SOURCE
#include <link.h>
#include <stdlib.h>
#include <string.h>

static int look(struct dl_phdr_info *info, size_t bytes, void *n)
{
	const char *name = info->dlpi_name;

	(void)bytes;
	if (*name != '\0' && strstr(name, "vdso") == NULL)
		(*(int *)n)++;
	return strstr(name, "libasan") != NULL;
}

__attribute__((constructor)) static void begin(void)
{
	int n = 0;

	if (dl_iterate_phdr(look, &n) != 1 || n != 1)
		_Exit(9);
}
EOC

"$clang" -shared -fPIC auditor.c -o auditor.so || exit 1
"$clang" -shared -fPIC -fno-builtin users.c -o users.so || exit 1
"$clang" -shared -fPIC first.c -o libasan_like.so || exit 1
"$cof_cc" -D_GNU_SOURCE -O2 program.c -o program || exit 1
"$cof_cc" -O2 busy.c -o busy || exit 1
"$clang" -D_GNU_SOURCE -O2 -emit-llvm -c program.c -o program.bc || exit 1

# one NAME [VARIABLE...]: with these variables, natively and in two modes
one() {
	name=$1
	shift
	set -- env "$@"
	run "$work/$name.native" "$@" ./program again
	for mode in off full; do
		run "$work/$name.$mode" "$@" "$runtime" --cof=$mode \
			--cof-start_ms=0 --cof-history=none ./program again
		agree "$name.$mode" "$work/$name.$mode" "$work/$name.native"
	done
}

# opened NAME [VARIABLE...]: with these variables, until libcof builds something
opened() {
	name=opened.$1
	shift
	run "$work/$name.native" env "$@" ./busy
	# shellcheck disable=SC2086
	run "$work/$name" env "$@" "$runtime" --cof=full --cof-start_ms=0 \
		$eager --cof-history=none ./busy libcof-llvm.so
	agree "$name" "$work/$name" "$work/$name.native"
}

{
	audit=LD_AUDIT=$work/auditor.so
	one alone "$audit"
	one tunables "$audit" GLIBC_TUNABLES=glibc.malloc.tcache_count=3
	one empty "$audit" GLIBC_TUNABLES=
	one roomy "$audit" GLIBC_TUNABLES=glibc.rtld.optional_static_tls=100
	one users "LD_PRELOAD=$work/users.so"
	one users_twice "LD_PRELOAD=$work/users.so:$work/users.so"
	one users_and_audit "$audit" "LD_PRELOAD=$work/users.so"
	opened audit "$audit"
	opened users "LD_PRELOAD=$work/users.so"
	one first "LD_PRELOAD=$work/libasan_like.so"
	one first_of_two "LD_PRELOAD=$work/libasan_like.so:$work/users.so"
	opened first "LD_PRELOAD=$work/libasan_like.so"
	opened neither

	run "$work/bitcode.native" env "LD_AUDIT=$work/auditor.so" ./program
	run "$work/bitcode" env "LD_AUDIT=$work/auditor.so" "$runtime" \
		--cof=off ./program.bc
	agree bitcode "$work/bitcode" "$work/bitcode.native"
} | tee all
verdict all
