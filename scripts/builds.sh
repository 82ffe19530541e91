#!/bin/sh
# builds.sh - build Debian's packages as their users do, by their own makefiles
#
#	builds.sh DIR TARGET...
#
#	NAME.cof     DIR/NAME.cof, a source folder, built with cof-cc
#	NAME.native  DIR/NAME.native, the same with clang
#	NAME.gen     of bench/wide's programs: instrumented, to be trained
#	NAME.pgo     the same, built with -O3 -flto -march=native and the
#	             profile DIR/NAME.profdata
#
# names() has the names. Targets that are up to date stay; interrupted ones are
# made again. DIR/TARGET.log is what was printed, DIR/TARGET.seconds how long
# configure and make took, in this order, and what CPU time. Exit status 77: a
# source (sources.sh), a tool or a library is not to be had.
#
# To add NAME: its source package in package_of(), what it needs in needs_of(),
# and configure_NAME and make_NAME, which run in the source folder.
#
# Environment: COF_CC; CLANG; CLANGXX; JOBS.
set -eu

# A make that runs this is not the package's. PostgreSQL's makefile makes some
# headers at the outermost level only.
unset MAKELEVEL MAKEFLAGS MFLAGS MAKEOVERRIDES

cof_cc=${COF_CC:-cof-cc}
clang=${CLANG:-clang-22}
clangxx=${CLANGXX:-clang++-22}
jobs=${JOBS:-$(nproc)}

names() {
	echo redis memcached nginx postgresql coreutils git openssl \
		"$(wide_names)"
}

package_of() {
	wide_package_of "$1" || case $1 in
	postgresql) echo postgresql-15 ;;
	*) echo "$1" ;;
	esac
}

# needs_of NAME: headers
needs_of() {
	case $1 in
	redis) echo jemalloc/jemalloc.h ;;
	memcached) echo event.h ;;
	nginx) echo pcre2.h zlib.h ;;
	postgresql | git | python) echo zlib.h ;;
	esac
}

# With the allocator that Debian chose.
configure_redis() { :; }
make_redis() {
	make -j"$jobs" CC="$cc" OPTIMIZATION=-O2 USE_JEMALLOC=yes \
		USE_SYSTEM_JEMALLOC=yes
}

configure_memcached() {
	./configure CC="$cc" --disable-coverage --disable-docs
}
make_memcached() { make -j"$jobs"; }

configure_nginx() {
	./configure --prefix="$PWD/prefix" --with-cc="$cc" --with-cc-opt=-O2 \
		--with-http_stub_status_module --with-http_realip_module
}
make_nginx() { make -j"$jobs"; }

# Installed in tmp_install, as `make check` does it.
configure_postgresql() {
	./configure CC="$cc" --prefix=/usr/local/pgsql --without-readline
}
make_postgresql() {
	make -j"$jobs" && make -j"$jobs" -C src/test/regress &&
		make -C src/test/regress temp-install
}

configure_coreutils() {
	FORCE_UNSAFE_CONFIGURE=1 ./configure CC="$cc"
}
make_coreutils() { make -j"$jobs"; }

configure_git() { ./configure CC="$cc" --without-curl --without-tcltk; }
make_git() { make -j"$jobs" CC="$cc" NO_GETTEXT=1 NO_EXPAT=1 NO_PERL=1; }

configure_openssl() { CC="$cc" ./config; }
make_openssl() { make -j"$jobs" build_programs; }

say() { echo "builds.sh: $*" >&2; }

scripts=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/sources.sh
. "$scripts/sources.sh"
# shellcheck source=scripts/wide_builds.sh
. "$scripts/wide_builds.sh"

# tools_of NAME: beside a compiler and make
tools_of() {
	case $1 in
	dash) echo autoreconf ;;
	libjpeg) echo cmake ;;
	esac
}

# need NAME: exit if a tool or a header is missing
need() {
	for tool in "$cc" make $(tools_of "$1"); do
		command -v "$tool" >/dev/null || {
			say "without $tool there is no $1"
			exit 77
		}
	done
	for header in $(needs_of "$1"); do
		[ "$header" != pcre2.h ] ||
			set -- "$1" -DPCRE2_CODE_UNIT_WIDTH=8
		echo "#include <$header>" |
			"$clang" ${2:+"$2"} -E - >/dev/null 2>&1 || {
			say "without $header there is no $1"
			exit 77
		}
	done
}

# made_from NAME KIND
made_from() {
	"$cc" --version | head -n 1
	sed -n "/^configure_$1() {/,/^}/p; /^make_$1() {/,/^}/p" \
		"$scripts/$me" "$scripts/wide_builds.sh" | cksum
	# All of cof-cc.
	[ "$2" != pgo ] || cksum <"$dir/$1.profdata"
	[ "$2" != cof ] || for file in "$(command -v "$cc")" \
		"$(dirname "$(command -v "$cc")")/.libs/cof-cc-plugin.so"; do
		[ ! -e "$file" ] || cksum <"$file"
	done
}

# note FILE: add the time, this shell's CPU time, and that of all it has run
note() {
	date +%s.%N
	times
} >>"$1"

# seconds_of FILE: what lies between the first, second and third note
seconds_of() {
	tr ms '  ' <"$1" | awk '
	NR % 3 == 1 { time[++n] = $1 }
	NR % 3 == 0 { cpu[n] = 60 * $1 + $2 + 60 * $3 + $4 }
	END {
		printf "%.3f %.3f %.3f %.3f\n", time[2] - time[1],
			time[3] - time[2], cpu[2] - cpu[1], cpu[3] - cpu[2]
	}'
}

# build NAME KIND
build() {
	name=$1 tree=$dir/$1.$2
	cc=$clang cxx=$clangxx flags=-O2 link_flags='' ar=ar ranlib=ranlib nm=nm
	fast='-O3 -flto -march=native'
	case $2 in
	cof) ln -sfn "$(command -v "$cof_cc")" "$dir/cof-c++"
	     cc=$cof_cc cxx=$dir/cof-c++ ;;
	gen) flags="$fast -fprofile-generate -fprofile-update=atomic" ;;
	pgo) flags="$fast -fprofile-use=$dir/$1.profdata" ;;
	esac
	case $2 in
	gen | pgo)
		link_flags="$flags -fuse-ld=lld"
		ar=llvm-ar-22 ranlib=llvm-ranlib-22 nm=llvm-nm-22 ;;
	esac
	need "$name"
	! made_from "$name" "$2" | cmp -s - "$tree/.made" || return 0
	package=$(package_of "$name")
	fetch "$package"
	say "building $name.$2"
	rm -rf "$tree" "$tree.notes"
	cp -a "$dir/src/$package" "$tree"
	note "$tree.notes"
	if (cd "$tree" && "configure_$name") >"$tree.log" 2>&1 </dev/null &&
	   note "$tree.notes" &&
	   (cd "$tree" && "make_$name") >>"$tree.log" 2>&1 </dev/null; then
		note "$tree.notes"
		seconds_of "$tree.notes" >"$tree.seconds"
		rm "$tree.notes"
		made_from "$name" "$2" >"$tree/.made"
		return
	fi
	say "cannot build $name.$2; see $tree.log"
	exit 1
}

me=$(basename "$0")
[ $# -gt 1 ] || {
	echo "usage: builds.sh DIR TARGET...; names: $(names)" >&2
	exit 2
}
use_dir "$1"
shift
for target in "$@"; do
	case " $(names) " in
	*" ${target%.*} "*) ;;
	*) say "no package is called ${target%.*}; there are: $(names)"
	   exit 2 ;;
	esac
	case $target in
	*.cof | *.native | *.gen | *.pgo)
		build "${target%.*}" "${target##*.}" ;;
	*) say "no target $target; there are NAME.cof, .native, .gen and .pgo"
	   exit 2 ;;
	esac
done
