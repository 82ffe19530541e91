#!/bin/sh
# build.sh - compile the guest programs, to bitcode and natively
#
#	build.sh DIR [NAME...]		default: all; those up to date stay
#	build.sh --list			print the names
#	build.sh --directive KEY NAME	print the values of its lines guest-KEY
#
#	DIR/O2/NAME	bitcode, -O2
#	DIR/O0/NAME	bitcode, -O0, without the attribute optnone
#	DIR/native/NAME	native code, -O2
#	DIR/cof/NAME	an executable by cof-cc (COF_CC), -O2; without COF_CC
#			there is none
#
# The files have one name, so that argv[0] can be equal.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
clang=${CLANG:-clang-22}
clangxx=${CLANGXX:-clang++-22}
llvm_link=${LLVM_LINK:-llvm-link-22}

# sources NAME: the guest's source file, or those of its folder
sources() {
	ls "$here"/*/"$1".c "$here"/*/"$1".cpp "$here"/*/"$1"/*.c \
		"$here"/*/"$1"/*.cpp 2>/dev/null || :
}

# directive KEY FILE...: the values of the lines guest-KEY
directive() {
	key=$1
	shift
	sed -n "s/^ \* guest-$key: *//p" "$@"
}

# newer FILE SOURCE...: does FILE exist, with no younger dependency?
newer() {
	out=$1
	shift
	[ -e "$out" ] || return 1
	for s in "$@" "$here/guest.h" "$here/build.sh"; do
		[ -z "$(find "$s" -newer "$out")" ] || return 1
	done
}

# compile SOURCE OUTPUT FLAG...
compile() {
	file=$1 to=$2
	shift 2
	case $file in
	*.cpp) "$clangxx" -std=gnu++20 -w -I"$here" "$@" -c "$file" -o "$to" ;;
	*) "$clang" -std=gnu11 -D_GNU_SOURCE -w -I"$here" "$@" -c "$file" \
		-o "$to" ;;
	esac
}

build_one() {
	name=$1
	src=$(sources "$name")
	[ -n "$src" ] || { echo "no guest is called $name" >&2; exit 1; }
	headers=$(ls "$here"/*/"$name"/*.h 2>/dev/null || :)
	# shellcheck disable=SC2086  # lists of files without blanks
	newer "$out_dir/native/$name" $src $headers && {
		[ -z "${COF_CC:-}" ] ||
		newer "$out_dir/cof/$name" $src $headers
	} && return
	# shellcheck disable=SC2086
	flags=$(directive cflags $src) libs=$(directive libs $src)
	tmp=$(mktemp -d "$out_dir/tmp.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	linker=$clang
	for level in O2 O0; do
		case $level in
		O2) opt=-O2 ;;
		O0) opt='-O0 -Xclang -disable-O0-optnone' ;;
		esac
		for s in $src; do
			# shellcheck disable=SC2086
			compile "$s" "$tmp/$(basename "$s").$level.bc" $opt \
				-emit-llvm $flags
		done
		"$llvm_link" "$tmp"/*.$level.bc -o "$tmp/$level.bc"
	done
	if [ -n "${COF_CC:-}" ]; then
		case $src in
		*.cpp*) ln -s "$COF_CC" "$tmp/cof-c++"
			driver="$tmp/cof-c++ -std=gnu++20" ;;
		*)	driver="$COF_CC -std=gnu11 -D_GNU_SOURCE" ;;
		esac
		# shellcheck disable=SC2086
		$driver -w -I"$here" -O2 $flags $src -o "$tmp/cof" \
			-pthread $libs
		mv "$tmp/cof" "$out_dir/cof/$name"
	fi
	# The native code comes last, since its date stands for all.
	for s in $src; do
		case $s in *.cpp) linker=$clangxx ;; esac
		# shellcheck disable=SC2086
		compile "$s" "$tmp/$(basename "$s").o" -O2 $flags
	done
	# shellcheck disable=SC2086
	"$linker" "$tmp"/*.o -o "$tmp/native" -pthread $libs
	mv "$tmp/O2.bc" "$out_dir/O2/$name"
	mv "$tmp/O0.bc" "$out_dir/O0/$name"
	mv "$tmp/native" "$out_dir/native/$name"
	rm -rf "$tmp"
	trap - EXIT
}

list() {
	for f in "$here"/*/*.c "$here"/*/*.cpp "$here"/*/*/; do
		f=${f%/}
		f=${f##*/}
		echo "${f%.*}"
	done | sort
}

case ${1:-} in
--list)
	list
	exit ;;
--directive)
	# shellcheck disable=SC2046
	directive "$2" $(sources "$3")
	exit ;;
--one)
	out_dir=$2
	build_one "$3"
	exit ;;
'')
	echo "usage: build.sh DIR [NAME...]" >&2
	exit 2 ;;
esac

mkdir -p "$1/O2" "$1/O0" "$1/native" "$1/cof"
out_dir=$(cd "$1" && pwd)
shift
if [ $# -gt 0 ]; then
	printf '%s\n' "$@"
else
	list
fi | xargs -P "$(nproc)" -n 1 sh "$0" --one "$out_dir"
