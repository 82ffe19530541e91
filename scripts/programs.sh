#!/bin/sh
# Real programs to run and to measure: Debian's sources, compiled with clang.
#
#	programs.sh DIR [NAME...]
#
# makes, for each program, DIR/NAME.bc (all of its own code as one linked
# bitcode file, -O2) and DIR/NAME.native (the same compiler and flags). What is
# up to date stays; what was interrupted is done again. Sources are fetched by
# apt, once, with lists of its own: the system's are neither used nor changed.
#
# Names: see programs() below. Exit status 77: the sources cannot be had.
#
# To add a program NAME: name it in programs(), say its source package in
# package_of(), and write recipe_NAME, which sets `files` and `flags` (and
# `libs`), and makes what is generated; it runs in the unpacked source.
set -eu

clang=${CLANG:-clang-22}
llvm_link=${LLVM_LINK:-llvm-link-22}

programs() { echo "lua sqlite zstd bzip2"; }

package_of() {
	case $1 in
	lua) echo lua5.4 ;;
	sqlite) echo sqlite3 ;;
	zstd) echo libzstd ;;
	*) echo "$1" ;;
	esac
}

# The interpreter, without a line editor.
recipe_lua() {
	files=$(find src -name '*.c' ! -name luac.c)
	# Debian makes this one in its rules.
	echo '#define DEB_HOST_MULTIARCH "x86_64-linux-gnu"' \
		>src/lua5.4-deb-multiarch.h
	flags='-DLUA_USE_POSIX -DLUA_USE_DLOPEN -DLUA_COMPAT_5_3'
	libs='-lm -ldl'
}

# speedtest1, SQLite's own benchmark, on the amalgamation.
recipe_sqlite() {
	[ -e sqlite3.c ] || { ./configure --disable-tcl && make sqlite3.c; } ||
		return
	files='sqlite3.c test/speedtest1.c'
	flags='-DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_THREADSAFE=1'
	libs='-lm'
}

# The command line program, with threads, without assembly.
recipe_zstd() {
	files=$(ls lib/common/*.c lib/compress/*.c lib/decompress/*.c \
		lib/dictBuilder/*.c programs/*.c)
	flags='-DZSTD_DISABLE_ASM -DZSTD_MULTITHREAD -DXXH_NAMESPACE=ZSTD_
		-DZSTD_LEGACY_SUPPORT=0 -Ilib -Ilib/common'
}

recipe_bzip2() {
	files='blocksort.c huffman.c crctable.c randtable.c compress.c
		decompress.c bzlib.c bzip2.c'
	flags=-D_FILE_OFFSET_BITS=64
}

say() { echo "programs.sh: $*" >&2; }

# The system's package sources, with binary packages turned into source ones, in
# both formats that apt reads.
source_lists() {
	mkdir -p "$1"
	for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
		/etc/apt/sources.list.d/*.sources; do
		[ -r "$f" ] || continue
		case $f in
		*.sources)
			sed 's/^[Tt]ypes:.*/Types: deb-src/' "$f" ;;
		*)
			sed -n 's/^[[:blank:]]*deb[[:blank:]]/deb-src /p' "$f"
			;;
		esac >"$1/$(basename "$f")"
	done
}

# apt_get WORD...: apt-get that knows source packages and nothing else
apt_get() {
	apt-get -qq -o "Dir::Etc::sourcelist=/dev/null" \
		-o "Dir::Etc::sourceparts=$dir/apt/sources" \
		-o "Dir::State::lists=$dir/apt/lists" \
		-o "Dir::Cache=$dir/apt/cache" \
		-o APT::Sandbox::User= -o Acquire::Languages=none "$@"
}

# fetch PACKAGE: its source in DIR/src/PACKAGE, patched as Debian does
fetch() {
	[ ! -d "$dir/src/$1" ] || return 0
	for tool in apt-get dpkg-source; do
		command -v $tool >/dev/null || {
			say "$tool is missing, so no source of $1"
			exit 77
		}
	done
	if [ ! -e "$dir/apt/updated" ]; then
		rm -rf "$dir/apt"
		mkdir -p "$dir/apt/lists/partial" \
			"$dir/apt/cache/archives/partial"
		source_lists "$dir/apt/sources"
		apt_get update >"$dir/apt.log" 2>&1 || :
		touch "$dir/apt/updated"
	fi
	rm -rf "$dir/src/tmp.$1"
	mkdir -p "$dir/src/tmp.$1"
	if ! (cd "$dir/src/tmp.$1" && apt_get source "$1") \
		>>"$dir/apt.log" 2>&1; then
		rm -f "$dir/apt/updated"
		say "cannot fetch the source of $1:" \
		    "$(grep -aE '^(E:|W: Failed)' "$dir/apt.log" | head -n 1)"
		exit 77
	fi
	for unpacked in "$dir/src/tmp.$1"/*/; do
		mv "$unpacked" "$dir/src/$1"
	done
	rm -rf "$dir/src/tmp.$1"
}

# What a program is made of: if this is what it was, it is up to date.
recipe_of() {
	"$clang" --version | head -n 1
	cksum <"$self"
}

# compile TO FILE FLAG...: object or bitcode, by several processes
compile() {
	to=$1
	shift
	# shellcheck disable=SC2086,SC2016
	printf '%s\n' $files | xargs -P "$(nproc)" -I '{}' sh -c '
		src=$1 to=$2
		shift 2
		exec "$@" -c "$src" -o "$to/$(echo "$src" | tr / _).o"
		' - '{}' "$to" "$clang" -O2 -w "$@"
}

build() {
	name=$1
	if [ -e "$dir/$name.bc" ] && [ -e "$dir/$name.native" ] &&
	   recipe_of | cmp -s - "$dir/$name.made"; then
		return
	fi
	fetch "$(package_of "$name")"
	say "compiling $name"
	rm -rf "$dir/tmp.$name"
	mkdir -p "$dir/tmp.$name/bc" "$dir/tmp.$name/native"
	cd "$dir/src/$(package_of "$name")"
	files='' flags='' libs=''
	if ! "recipe_$name" >"$dir/$name.log" 2>&1 ||
	   ! build_both >>"$dir/$name.log" 2>&1; then
		say "cannot compile $name; see $dir/$name.log"
		exit 1
	fi
	cd "$dir"
	mv "tmp.$name/$name.bc" "tmp.$name/$name.native" .
	recipe_of >"tmp.$name/made"
	mv "tmp.$name/made" "$name.made"
	rm -rf "tmp.$name"
}

build_both() {
	tmp=$dir/tmp.$name
	# shellcheck disable=SC2086
	compile "$tmp/bc" $flags -emit-llvm &&
	"$llvm_link" "$tmp"/bc/*.o -o "$tmp/$name.bc" &&
	compile "$tmp/native" $flags &&
	"$clang" "$tmp"/native/*.o -o "$tmp/$name.native" -pthread $libs
}

[ $# -gt 0 ] || {
	echo "usage: programs.sh DIR [NAME...]; names: $(programs)" >&2
	exit 2
}
self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
mkdir -p "$1/src"
dir=$(cd "$1" && pwd)
shift
# Two that work in one folder wait for each other.
exec 9>"$dir/lock"
flock 9
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(programs)
for program in "$@"; do
	case " $(programs) " in
	*" $program "*) build "$program" ;;
	*) say "no program is called $program; there are: $(programs)"
	   exit 2 ;;
	esac
done
