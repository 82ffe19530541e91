#!/bin/sh
# e2e_replaced.sh - a program whose file is replaced in place while it runs goes
# on as it began
#
# The program calls its functions for the first time, and becomes hot, only
# after its file was replaced: by another program's bytes, by nothing, or by
# nothing and then zeros. It is a file of bitcode or an executable of cof-cc,
# and starts from an image or not. Natively the kernel refuses such a write
# (ETXTBSY), so what it does natively is what it does alone.
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

in_work "$cof_cc"

cat >program.c <<'EOF'
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define F(k) \
	__attribute__((noinline)) static uint64_t f##k(uint64_t x) \
	{ \
		for (int i = 0; i < k + 3; i++) \
			x = x * 6364136223846793005u + k * FACTOR; \
		return x ^ x >> k; \
	}
F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8)

static uint64_t (*const f[])(uint64_t) = { f1, f2, f3, f4, f5, f6, f7, f8 };

__attribute__((noinline)) static uint64_t loop(uint64_t x, int n)
{
	while (n-- > 0)
		x = f[x & 7](x) + x % FACTOR;
	return x;
}

int main(int argc, char **argv)
{
	uint64_t x = 42;

	puts("ready");
	fflush(stdout);
	while (argc > 1 && access(argv[1], F_OK) != 0)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	for (int i = 0; i < 200; i++)
		x = loop(x, 20000);
	printf("%llx\n", (unsigned long long)x);
	return 7;
}
EOF
for factor in 1000003 1000007; do
	"$clang" -O2 -DFACTOR=$factor -c -emit-llvm program.c -o $factor.bc &&
		"$cof_cc" -O2 -DFACTOR=$factor program.c -o $factor.exe ||
		exit 1
done
run native ./1000003.exe

# replace HOW FILE WITH
replace() {
	case $1 in
	other) dd if="$3" of="$2" conv=notrunc 2>/dev/null ;;
	cut) : >"$2" ;;
	zeros) bytes=$(wc -c <"$2"); : >"$2"; truncate -s "$bytes" "$2" ;;
	esac
}

# one KIND IMAGE HOW
one() {
	case=$1.$2.$3
	mkdir -p "$case"
	cp 1000003."$1" "$case/program"
	cp 1000007."$1" "$case/other"
	export XDG_CACHE_HOME="$work/$case/cache"
	cd "$case" || exit 1
	[ "$2" = use ] && "$runtime" --cof-image=build ./program
	# shellcheck disable=SC2086
	COF_IMAGE=$2 run got "$runtime" $in_co --cof-history=none \
		./program go &
	n=0
	until grep -q ready got.out 2>/dev/null; do
		n=$((n + 1))
		[ $n -lt $((seconds * 100)) ] || break
		sleep 0.01
	done
	replace "$3" program other
	: >go
	wait
	agree "$case" got ../native
	cd ..
}

for kind in bc exe; do
	for image in no use; do
		for how in other cut zeros; do
			one $kind $image $how
		done
	done
done | tee all
verdict all
