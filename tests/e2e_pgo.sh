#!/bin/sh
# The guest programs do what they do natively, byte for byte, when all of their
# methods count, when all are built with their profiles, and when both happens at
# random while they run.
#
#	e2e_pgo.sh [NAME...]
#
# Every guest runs under llvm_pgo, from bitcode that was optimized (O2) and that
# was not (O0), for each of its lines guest-args:
#
#	count	all methods count from the start
#	use	all methods are built in groups with what count saw
#	stress	methods count, are collected and built at random (E2E_SEED)
#
# Environment: PGO_MODES; E2E_SEED; GUESTS, where they are compiled; those of
# e2e_lib.sh.
set -u
# shellcheck source=tests/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

guests=${GUESTS:-$build/guests}
build_sh=$src/tests/guests/build.sh
pgo=${LLVM_PGO:-$build/tests/llvm_pgo}
modes=${PGO_MODES:-count use stress}
levels=${PGO_LEVELS:-O2 O0}

lines() { "$build_sh" --directive "$1" "$name"; }
has() { lines "$1" | sed 's/^/x/' | grep -q .; }

# one CASE ARG...: a guest with these arguments, in all modes
one() {
	case=$1
	shift
	export GUEST_MS=0
	cd "$guests/native" || exit 1
	run "$work/$case.native" "./$name" "$@"
	for level in $levels; do
		profile=$work/$case.$level.profile
		: >"$profile"
		cd "$guests/$level" || exit 1
		for mode in $modes; do
			case $mode in
			count) set -- "--count=$profile" "./$name" "$@"
				GUEST_MS=0 ;;
			use) set -- "--use=$profile" --share=1000 --group=16 \
				"./$name" "$@"
				GUEST_MS=0 ;;
			stress) set -- "--stress=${E2E_SEED:-1}" "./$name" "$@"
				GUEST_MS=300 ;;
			esac
			to=$work/$case.$level.$mode
			run "$to" "$pgo" "$@"
			while [ "$1" != "./$name" ]; do shift; done
			shift
			same "$case.$level.$mode" "$to" "$work/$case.native" &&
				ok "$case.$level.$mode"
		done
	done
}

# All of a guest's cases, one for each line guest-args.
guest() {
	name=$1
	if ! "$build_sh" "$guests" "$name" >"$work/$name.cc" 2>&1; then
		fail "$name" "does not compile: $(head -n 1 "$work/$name.cc")"
		return
	fi
	input=
	if has stdin; then
		input=$work/$name.in
		sh -c "$(lines stdin)" >"$input"
	fi
	if ! has args; then
		one "$name"
		return
	fi
	lines args >"$work/$name.args"
	set -f
	n=0
	while read -r args; do
		n=$((n + 1))
		eval "set -- $args"
		one "${name}[$n]" "$@"
	done <"$work/$name.args"
	set +f
}

if [ "${1:-}" = --each ]; then
	guest "$2"
	exit
fi

need "$pgo" "$e2e_run"
command -v "${CLANG:-clang-22}" >/dev/null || need clang-22
make_work
if [ $# -gt 0 ]; then
	each "$@"
else
	# shellcheck disable=SC2046
	each $("$build_sh" --list)
fi
