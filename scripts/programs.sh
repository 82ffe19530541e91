#!/bin/sh
# programs.sh - make the programs that tests run and benchmarks measure
#
# They are programs of Debian's and the project's own, compiled with clang, and
# .NET programs of the project's, compiled with mcs.
#
#	programs.sh DIR [TARGET...]
#
# A target is a program, NAME, or one of its variants. recipes.sh has the names,
# and says how to add a program.
#
#	NAME             DIR/NAME.bc, its own code as one bitcode file, -O2; and
#	                 DIR/NAME.native, by the same compiler and flags
#	cs-NAME          DIR/cs-NAME.exe, from bench/mono/NAME.cs
#	cs-mcs           DIR/cs-mcs.exe, Mono's C# compiler
#	NAME.native-o3   -O3 -flto -march=native
#	NAME.native-pgo  the same with an instrumented profile. NAME is a
#	                 workload of bench/workloads.txt, or a program, trained
#	                 on all of its workloads
#
# The default is all programs. Targets that are up to date stay; interrupted
# ones are made again. Exit status 77: a source (sources.sh), or a tool that is
# needed, is not to be had.
set -eu

clang=${CLANG:-clang-22}
clangxx=${CLANGXX:-clang++-22}
llvm_link=${LLVM_LINK:-llvm-link-22}
llvm_profdata=${LLVM_PROFDATA:-llvm-profdata-22}
verilator=${VERILATOR:-verilator}
mcs=${MCS:-mcs}
mcs_exe=${MCS_EXE:-/usr/lib/mono/4.5/mcs.exe}

say() { echo "programs.sh: $*" >&2; }

scripts=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/sources.sh
. "$scripts/sources.sh"
# shellcheck source=scripts/recipes.sh
. "$scripts/recipes.sh"

# recipe_of PROGRAM: all that the program is made from. A program whose recipe
# has not changed is up to date.
recipe_of() {
	"$clang" --version | head -n 1
	sed -n "/^recipe_$1() {/,/^}/p; /^compile() {/,/^}/p; /^build_/,/^}/p" \
		"$scripts/recipes.sh" "$self" | cksum
	own=$(own_of "$1")
	[ -z "$own" ] || find "$own" -type f | sort | xargs cat | cksum
}

# training_of NAME: all that the profile of NAME is made from
training_of() {
	recipe_of "$program"
	grep -E "^$1[[:blank:]]" "$table" || grep -E \
		"^[^[:blank:]#]+[[:blank:]]+$1[[:blank:]]" "$table" || :
	cat "$bench"/*.awk "$bench"/*/*.lua "$bench"/*/*.js "$bench"/*/*.awk \
		"$bench"/*/*.jq 2>/dev/null | cksum
}

up_to_date() {
	file=$1
	shift
	[ -e "$file" ] && "$@" | cmp -s - "$file.made"
}

# compile TO FLAG...: each of $files to an object or bitcode, several at a time
compile() {
	to=$1
	shift
	mkdir -p "$to"
	# shellcheck disable=SC2086,SC2016
	printf '%s\n' $files | xargs -P "${JOBS:-$(nproc)}" -I '{}' sh -c '
		src=$1 to=$2
		shift 2
		exec "$@" -c "$src" -o "$to/$(echo "$src" | tr / _).o"
		' - '{}' "$to" "$clang" -w "$@"
}

# Fetch the source of $program, go there, and run the recipe.
unpack() {
	package=$(package_of "$program")
	tool=$(tool_of "$program")
	command -v "$tool" >/dev/null || {
		say "without $tool there is no $program"
		exit 77
	}
	files='' flags='' libs='' link=$clang
	if [ -n "$package" ]; then
		fetch "$package"
		cd "$dir/src/$package"
	fi
	# The recipe sets variables, so it runs in no subshell.
	status=0
	"recipe_$program" >"$dir/$program.log" 2>&1 || status=$?
	[ "$status" -eq 0 ] || failed "$program"
	cd "$dir"
	[ -z "$package" ] || cd "src/$package"
}

failed() {
	say "cannot make $1; see $dir/$program.log"
	exit 1
}

# Make $program as bitcode and natively.
build_base() {
	up_to_date "$dir/$program.bc" recipe_of "$program" &&
		[ -e "$dir/$program.native" ] && return
	say "compiling $program"
	rm -f "$dir/$program.bc.made"
	unpack
	tmp=$dir/tmp.$program
	rm -rf "$tmp"
	# shellcheck disable=SC2086
	{
		compile "$tmp/bc" -O2 $flags -emit-llvm &&
		"$llvm_link" "$tmp"/bc/*.o -o "$tmp/$program.bc" &&
		compile "$tmp/native" -O2 $flags &&
		"$link" "$tmp"/native/*.o -o "$tmp/$program.native" -pthread \
			$libs
	} >>"$dir/$program.log" 2>&1 || failed "$program"
	mv "$tmp/$program.bc" "$tmp/$program.native" "$dir"
	recipe_of "$program" >"$dir/$program.bc.made"
	rm -rf "$tmp"
}

# Copy cs-mcs, which is Mono's.
copy_mcs() {
	[ -r "$mcs_exe" ] || {
		say "without $mcs_exe there is no $program"
		exit 77
	}
	cp "$mcs_exe" "$dir/$program.exe"
}

# Make $program, a .NET program.
build_dotnet() {
	made_from=$bench/mono/${program#cs-}.cs
	exe=$dir/$program.exe
	up_to_date "$exe" cksum "$made_from" && return
	command -v "$mcs" >/dev/null || {
		say "without $mcs there is no $program"
		exit 77
	}
	say "compiling $program"
	"$mcs" -optimize -out:"$exe" "$made_from" >"$dir/$program.log" 2>&1 ||
		failed "$program"
	cksum "$made_from" >"$exe.made"
}

# build_fast FILE FLAG...: $program as DIR/FILE, with LTO, for this CPU
build_fast() {
	out=$1
	shift
	say "compiling $out"
	rm -f "$dir/$out.made"
	unpack
	tmp=$dir/tmp.$out
	rm -rf "$tmp"
	fast='-O3 -flto -march=native'
	# shellcheck disable=SC2086
	{
		compile "$tmp/o" $fast "$@" $flags &&
		"$link" $fast "$@" -fuse-ld=lld "$tmp"/o/*.o -o "$tmp/$out" \
			-pthread $libs
	} >>"$dir/$program.log" 2>&1 || failed "$out"
	mv "$tmp/$out" "$dir"
	rm -rf "$tmp"
}

build_o3() {
	up_to_date "$dir/$1" recipe_of "$program" && return
	build_fast "$1"
	recipe_of "$program" >"$dir/$1.made"
}

# train LINE: run the instrumented program on a line of the table
train() {
	n=$3 stdin=$4
	shift 5
	input=/dev/null
	if [ "$stdin" != - ]; then
		input=$profile/input
		awk -v mb="$n" -f "$bench/$stdin.awk" >"$input"
	fi
	# shellcheck disable=SC2046
	LLVM_PROFILE_FILE="$profile/%p.%m.profraw" "$dir/$program.native-gen" \
		$(echo "$*" | sed "s,@N,$n,g; s,@S,$source,g") \
		<"$input" >"$profile/out" 2>>"$dir/$program.log" || :
}

# build_pgo NAME: with the profile of workload NAME, or of program NAME
build_pgo() {
	pgo=$1.native-pgo
	up_to_date "$dir/$pgo" training_of "$1" && return
	gen=$program.native-gen
	up_to_date "$dir/$gen" recipe_of "$program" || {
		build_fast "$gen" -fprofile-generate -fprofile-update=atomic
		recipe_of "$program" >"$dir/$gen.made"
	}
	say "training $1"
	profile=$dir/tmp.profile.$1
	rm -rf "$profile"
	mkdir -p "$profile"
	lines=$(grep -E "^$1[[:blank:]]" "$table" || grep -E \
		"^[^[:blank:]#]+[[:blank:]]+$1[[:blank:]]" "$table" || :)
	[ -n "$lines" ] || {
		say "nothing in $table is called $1"
		exit 2
	}
	# shellcheck disable=SC2086
	echo "$lines" | while read -r line; do train $line </dev/null; done
	"$llvm_profdata" merge -o "$dir/$1.profdata" "$profile"/*.profraw \
		>>"$dir/$program.log" 2>&1 || failed "$pgo"
	rm -rf "$profile"
	build_fast "$pgo" "-fprofile-use=$dir/$1.profdata"
	training_of "$1" >"$dir/$pgo.made"
}

# program_of NAME: the program of workload NAME, or program NAME
program_of() {
	found=$(awk -v name="$1" '$1 == name { print $2; exit }' "$table")
	echo "${found:-$1}"
}

build() {
	name=${1%%.*}
	program=$name
	case $1 in
	*.native-pgo) program=$(program_of "$name") ;;
	esac
	case " $(programs) " in
	*" $program "*) ;;
	*) say "no program is called $program; there are: $(programs)"
	   exit 2 ;;
	esac
	case $1 in
	cs-*.*) say "no target $1: there is cs-NAME"
	   exit 2 ;;
	cs-mcs) copy_mcs ;;
	cs-*) build_dotnet ;;
	"$program") build_base ;;
	"$program.native-o3") build_o3 "$1" ;;
	"$name.native-pgo") build_pgo "$name" ;;
	*) say "no target $1; NAME, NAME.native-o3 and NAME.native-pgo are"
	   exit 2 ;;
	esac
}

self=$scripts/$(basename "$0")
source=$(dirname "$scripts")
bench=$source/bench
table=$bench/workloads.txt
[ $# -gt 0 ] || {
	echo "usage: programs.sh DIR [TARGET...]; names: $(programs)" >&2
	exit 2
}
use_dir "$1"
shift
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(programs)
for target in "$@"; do
	build "$target"
done
