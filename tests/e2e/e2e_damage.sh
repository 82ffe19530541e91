#!/bin/sh
# e2e_damage.sh - damaged bitcode never makes runtime crash, hang, or take much
# memory
#
#	e2e_damage.sh [N [FIRST]]	N damaged files (48), by seeds from
#					FIRST (1)
#
# Files of bitcode, and the bitcode in executables, are damaged at random, by
# fixed seeds. runtime refuses a file with one line, or runs what LLVM's
# verifier finds nothing wrong with. What such a program does is its own: the
# native code of the same bitcode may crash too. An executable does what it does
# undamaged, for long enough that libcof reads the bitcode.
#
# Environment: DAMAGE, instead of the program of this build; those of
# e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

damage=${DAMAGE:-$build/tests/e2e/damage}
bases='structs eh goto_table vectors'	# they have a bit of everything
most_kb=1048576
seconds=600

# measured TO COMMAND...: as run; also writes what it used
measured() {
	measured_to=$1
	shift
	"$e2e_run" -u "$measured_to.usage" "$measured_to.status" "$seconds" \
		"$@" </dev/null >"$measured_to.out" 2>"$measured_to.err" || :
}

# ended TO: did the run end well, refused or badly?
ended() {
	read -r _ kb _ <"$1.usage"
	status=$(cat "$1.status")
	if [ "${status% *}" != exit ] || [ "$kb" -gt $most_kb ]; then
		echo badly
	elif [ "$status" = 'exit 1' ] && [ "$(wc -l <"$1.err")" -eq 1 ] &&
	     grep -q '^runtime: [[:print:]]*$' "$1.err"; then
		echo refused
	elif grep -q '^runtime: .*as it was compiled' "$1.err"; then
		echo natively
	else
		echo well
	fi
}

# natively_badly FILE: does the native code of bitcode end badly, or is there
# none?
natively_badly() {
	measured "$1.cc" "$clang" -w -O0 -x ir "$1" -o "$1.native" \
		-lstdc++ -lm -pthread
	[ "$(cat "$1.cc.status")" = 'exit 0' ] || return 0
	measured "$1.run" env GUEST_MS=0 "$1.native"
	[ "$(ended "$1.run")" = badly ]
}

# try SEED: a test of a damaged file. Files and executables take turns, then the
# bases, then the modes.
try() {
	seed=$1
	file=$work/damaged.$seed
	# shellcheck disable=SC2086
	set -- $bases
	shift $((seed / 2 % $#))
	base=$1
	# shellcheck disable=SC2086
	case $((seed / 8 % 2)) in
	0) set -- --cof=off ;;
	1) set -- --cof=full --cof-start_ms=0 $eager ;;
	esac
	ms=0
	case $((seed % 2)) in
	0)	kind=executable ms=300
		# shellcheck disable=SC2046
		"$damage" "$seed" "$work/$base" "$file" $(cat "$work/$base.at")
		chmod +x "$file" ;;
	1)	kind=bitcode
		"$damage" "$seed" "$guests/O2/$base" "$file" ;;
	esac
	measured "$file.got" env GUEST_MS=$ms "$runtime" "$@" --cof-stats=none \
		--cof-history=none "$file"
	how=$(ended "$file.got")
	[ $kind = bitcode ] || cmp -s "$file.got.out" "$work/$base.want.out" ||
		how=badly
	if [ "$how" = badly ] &&
	   { [ $kind = executable ] || ! natively_badly "$file"; }; then
		fail "damage.$seed" "$kind of $base, $*:" \
			"$(cat "$file.got.status" "$file.got.usage")" \
			"$(head -n 3 "$file.got.err")"
	else
		ok "damage.$seed"
		echo "$kind $how" >"$work/how.$seed"
	fi
	rm -f "$file" "$file".*
}

if [ "${1:-}" = --each ]; then
	try "$2"
	exit
fi

need "$runtime" "$e2e_run" "$damage" "$build/cof-cc"
make_work
# shellcheck disable=SC2086
"$build_sh" "$guests" $bases >"$work/built" 2>&1 || {
	fail bases "$(tail -n 3 "$work/built")"
	exit 1
}
ln -s "$build/cof-cc" "$work/cof-c++"
for base in $bases; do
	# shellcheck disable=SC2046
	case $(ls "$src"/tests/guests/*/"$base".c*) in
	*.cpp) "$work/cof-c++" -std=gnu++20 -w -O2 -I"$src/tests/guests" \
		"$src"/tests/guests/*/"$base.cpp" -o "$work/$base" -pthread ;;
	*) "$build/cof-cc" -std=gnu11 -D_GNU_SOURCE -w -O2 \
		-I"$src/tests/guests" "$src"/tests/guests/*/"$base.c" \
		-o "$work/$base" -pthread -lm ;;
	esac
	measured "$work/$base.want" env GUEST_MS=0 "$work/$base"
	# shellcheck disable=SC2046
	printf '%d %d\n' $(objdump -h "$work/$base" |
		awk '$2 == ".cof.bc" { print "0x" $6, "0x" $3 }') \
		>"$work/$base.at"
done
first=${2:-1}
export work
seq "$first" $((first + ${1:-48} - 1)) |
	xargs -P "$jobs" -I '{}' sh "$script" --each '{}' | tee "$work/all"
# All kinds of ends must have been seen.
for how in 'executable natively' 'bitcode refused' 'bitcode well'; do
	if grep -qx "$how" "$work"/how.*; then ok "damage.$how"; else
		fail "damage.$how" "no file was"; fi
done | tr ' ' '_' | tee -a "$work/all"
cat "$work"/how.* | sort | uniq -c | sed 's/^/  /'
verdict "$work/all"
