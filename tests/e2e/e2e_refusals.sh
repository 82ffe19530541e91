#!/bin/sh
# e2e_refusals.sh - where the kernel refuses what libcof asks for, the program
# runs as it was compiled
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

inject=$build/tests/support/inject

# What libcof can do without, and says nothing about.
quiet="memfd_create=ENOSYS memfd_create=EMFILE memfd_create=EACCES
	ftruncate=ENOSPC clone3=ENOSYS setpriority=EPERM
	perf_event_open=EACCES timer_create=EAGAIN sched_getaffinity=EPERM
	rseq=ENOSYS rseq=EPERM"

# What the loop cannot do without, and the word in the line that says so.
said="membarrier=ENOSYS:membarrier membarrier=EPERM:membarrier
	clone3=EAGAIN:thread clone3=ENOSYS,clone=EAGAIN:thread
	timer_create=kill:timer_create(2) membarrier=kill:membarrier(2)
	process_vm_readv=kill:process_vm_readv(2)"

# one_line FILE: is it the line of runtime that says why nothing is optimized?
one_line() {
	[ "$(wc -l <"$1")" -eq 1 ] &&
		grep -q '^runtime: ./prog: running as it was compiled: ' "$1"
}

# under RULES ARG...: run ARG... in a kernel with these rules, to $work/got
under() {
	# shellcheck disable=SC2046
	run got "$inject" $(echo "$1" | tr , ' ') "$runtime" \
		--cof-history="$work/history.db" $opts ./prog $until
}

# check NAME WORD: a test that the run was as natively, with one line that has
# WORD, or with none. With $until the program waits for the line.
check() {
	same_err=no same "$1" got native || return
	if [ -z "$2" ]; then
		[ ! -s got.err ]
	else
		one_line got.err && grep -q -e "$2" got.err
	fi && ok "$1" || fail "$1" "stderr: $(head -c 300 got.err)"
}

in_work "$inject" "$cof_cc"
export XDG_CACHE_HOME="$work/cache" XDG_DATA_HOME="$work/data"

cat >prog.c <<'END'
#include <stdio.h>
#include <sys/stat.h>
static int is_said(void)
{
	struct stat st;

	return fstat(2, &st) != 0 || st.st_size > 0;
}
static volatile unsigned seen;
__attribute__((noinline)) static unsigned hot(unsigned n)
{
	unsigned s = 1;

	while (n-- > 0)
		s = s * 1664525 + (s >> 7);
	return s;
}
int main(int argc, char **argv)
{
	unsigned s = 0;

	(void)argv;
	do {
		for (int i = 0; i < 300; i++)
			seen = hot(100000 + s % 3);
	} while (argc > 1 && !is_said());

	for (int i = 0; i < 300; i++)
		s += hot(100000 + s % 3);
	printf("%u\n", s);
	return 7;
}
END
"$clang" -O2 prog.c -o native && "$cof_cc" -O2 prog.c -o prog || exit 1
run native ./native
run got "$inject" membarrier=EPERM true
if [ "$(cat got.status)" != "exit 0" ]; then
	skip refusals "no seccomp filter can be had"
	exit 77
fi
{
	for mode in auto co; do
		opts="--cof=$mode --cof-start_ms=0"
		until=
		for rules in $quiet; do
			under "$rules"
			check "$mode.$rules" ''
		done
		until=until_it_is_said
		for rules in $said; do
			under "${rules%:*}"
			check "$mode.${rules%:*}" "${rules#*:}"
		done
	done
	# Nothing is asked for that is not there.
	opts=--cof=off until=
	for rules in membarrier=ENOSYS clone3=EAGAIN membarrier=kill; do
		under "$rules"
		check "off.$rules" ''
	done

	# Where its address space is too small for libcof.
	for kb in 5000 10000 20000 40000 80000 210000 255000 300000 400000; do
		(ulimit -v $kb
		run "got.$kb" "$runtime" --cof=co --cof-start_ms=0 \
			--cof-history=none ./prog)
		same_err=no agree "address_space.$kb" "got.$kb" native
	done
	for kb in 6000 10000 20000 40000 60000 70000 80000 90000 100000 \
		120000; do
		(ulimit -d $kb
		run "got.d$kb" "$runtime" --cof=co --cof-start_ms=0 \
			--cof-history=none ./prog)
		same_err=no agree "data.$kb" "got.d$kb" native
	done

	# Where threads of libcof's would leave the program no room for its own.
	# Root has no such limit.
	chmod 755 "$work"
	set -- prlimit --nproc=
	[ "$(id -u)" -ne 0 ] ||
		set -- setpriv --reuid 54321 --regid 54321 --clear-groups "$@"
	opts='--cof=co --cof-start_ms=0 --cof-history=none --cof-stats=none'
	until=until_it_is_said
	for most in 30:RLIMIT_NPROC 4000:; do
		if "$@${most%:*}" test -x "$runtime" -a -x ./prog; then
			# shellcheck disable=SC2086
			run got "$@${most%:*}" "$runtime" $opts ./prog $until
			check "threads.${most%:*}" "${most#*:}"
		else
			skip "threads.${most%:*}" "no such user can be had"
		fi
		until=
	done

	# Past a limit the kernel sends SIGXFSZ, a signal of the program's.
	# libcof causes none: the program runs as natively, and its children
	# have code memory.
	"$build_sh" "$guests" structs fork >made 2>&1
	for name in structs fork; do
		(native small)
		(ulimit -f 4
		cd "$guests/cof" || exit
		# shellcheck disable=SC2086
		GUEST_MS=500 run "$work/small" "$runtime" --cof=full $eager \
			--cof-start_ms=0 "./$name")
		agree "small_files.$name" small small.native
	done

	# Nor does a file that is linked: it is made, or one line says why not.
	"$clang" -O2 -emit-llvm -c prog.c -o prog.bc
	for blocks in 1 8 32 100 400 4000; do
		rm -rf "$XDG_CACHE_HOME"
		(ulimit -f $blocks
		run "linked.$blocks" "$runtime" --cof=off ./prog.bc) 2>/dev/null
		if [ "$(cat "linked.$blocks.status")" = "exit 1" ] &&
		   grep -q '^runtime: ./prog.bc: ' "linked.$blocks.err"; then
			ok "linked.$blocks.refused"
		else
			agree "linked.$blocks" "linked.$blocks" native
		fi
	done
} | tee all
verdict all
