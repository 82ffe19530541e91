#!/bin/sh
# e2e_replaced.sh - a program whose file is replaced while it runs goes on as it
# began, and what is built for it is built from its own bitcode
#
# The program becomes hot only after its file was replaced: by a file of another
# program, by none, or in place, by that program's bytes, by nothing, or by
# nothing and then zeros. It is a file of bitcode or an executable of cof-cc;
# the kernel refuses to write to the latter (ETXTBSY). Of the former what was
# linked may go from the cache.
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

in_work "$cof_cc" "$cof_stats"

cat >program.c <<'EOF'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	uint64_t x = 42;

	puts("ready");
	fflush(stdout);
	while (argc > 2 && access(argv[2], F_OK) != 0)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	for (int i = 0; i < rounds * 200; i++)
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
# replace HOW FILE WITH
replace() {
	case $1 in
	renamed) mv "$3" "$2" ;;
	gone) rm "$2" ;;
	uncached) rm "$XDG_CACHE_HOME"/cof/*.exe ;;
	other) dd if="$3" of="$2" conv=notrunc 2>/dev/null ;;
	cut) : >"$2" ;;
	zeros) bytes=$(wc -c <"$2"); : >"$2"; truncate -s "$bytes" "$2" ;;
	esac
}

# once KIND HOW ROUNDS: a run; is it as natively? $built: what was built
once() {
	rm -rf "$case"
	mkdir -p "$case/stats"
	chmod 700 "$case/stats"
	cp 1000003."$1" "$case/program"
	cp 1000007."$1" "$case/other"
	cd "$case" || exit 1
	run native ../1000003.exe "$3"
	# shellcheck disable=SC2086
	run got "$runtime" $in_co --cof-start_ms=0 --cof-history=none \
		--cof-stats="$PWD/stats" ./program "$3" go &
	n=0
	until grep -q ready got.out 2>/dev/null; do
		n=$((n + 1))
		[ $n -lt $((seconds * 100)) ] || break
		sleep 0.01
	done
	replace "$2" program other
	: >go
	wait
	stats stats >json
	built=$(counter json patcher installed)
	same "$case" got native
	once_is=$?
	cd ..
	return $once_is
}

# one KIND HOW
one() {
	case=$1.$2
	export XDG_CACHE_HOME="$work/$case/cache"
	for rounds in 1 4 16 64; do
		once "$1" "$2" $rounds || return
		[ "$built" -eq 0 ] || break
	done
	if [ "$built" -gt 0 ]; then ok "$case"; else
		fail "$case" "nothing was built"; fi
}

{
	for how in renamed gone uncached other cut zeros; do
		one bc $how
	done
	for how in renamed gone; do
		one exe $how
	done
} | tee all
verdict all
