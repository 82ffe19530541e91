#!/bin/sh
# e2e_native_code.sh - what cof-cc adds to native code: loops at cache lines,
# and points at which running loops can be left
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

# lines OPTION...: how many loops of a function are at a cache line, by the
# assembly and in an object
lines() {
	"$cof_cc" "$@" -save-temps -c loop.c &&
	grep -c '\.p2align[[:space:]]*6' loop.s
	"$cof_cc" "$@" -c loop.c &&
	objdump -h loop.o | grep -c '[.]text .*2[*][*]6$'
}

# loops are at cache lines, unless the user says otherwise
aligned() {
	cat >loop.c <<-'EOF'
	int find(const int *a, int b, int n)
	{
		for (int i = 0; i < n; i++)
			if (a[i] == b)
				return i;
		return -1;
	}
	EOF
	# shellcheck disable=SC2046
	found=$(echo $(lines -O2; lines -O2 -falign-loops=16; lines -Os))
	if [ "$found" = "1 1 0 0 0 0" ]; then ok aligned; else
		fail aligned "$found"; fi
}

# points NAME OPTION...: functions of all kinds have points, do what they did,
# and the executable tells where the points are
points() {
	case=points.$1
	shift
	from=$src/tests/e2e/points
	"$clang" -w -O2 "$from/loops.c" -o loops.plain &&
	"$clang" -w -O2 "$from/one.cpp" "$from/two.cpp" -lstdc++ -o one.plain &&
	"$cof_cc" -w "$@" "$from/loops.c" -o loops &&
	"$cof_cc" -w "$@" "$from/one.cpp" "$from/two.cpp" -lstdc++ -o one || {
		fail "$case" 'it is not compiled'
		return
	}
	for program in loops one; do
		run "$work/got" "./$program"
		run "$work/want" "./$program.plain"
		agree "$case.$program" "$work/got" "$work/want"
		if LC_ALL=C grep -aq "$(printf 'cof[.]pt\r')" "$program"; then
			ok "$case.$program.told"; else
			fail "$case.$program.told" 'no record of points'; fi
	done
}

need "$cof_cc" "$e2e_run"
make_work
cd "$work" || exit 1
{
	aligned
	points plain -O2
	points debug -O1 -g -fstack-protector-strong -fcf-protection
	points assembler -O2 -fno-integrated-as -fPIC
	points sections -O2 -ffunction-sections -fdata-sections \
		-Wl,--gc-sections
	points fixed -O2 -fno-pie -no-pie -s
} | tee "$work/all"
verdict "$work/all"
