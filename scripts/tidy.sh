#!/bin/sh
# tidy.sh - look for bugs with clang-tidy; `make tidy` runs it
#
#	tidy.sh [FILE|FOLDER...]
#
# Run it from the build folder. .clang-tidy lists the checks. Files and folders
# are named from the source folder; the default is cof, hosts, runtime and
# tools. Exit status 1: something was found. Environment: TIDY, another
# clang-tidy.
set -eu

tidy=${TIDY:-clang-tidy}
source=$(cd "$(dirname "$0")/.." && pwd)
mono=$source/hosts/mono
[ -e config.h ] || {
	echo "tidy.sh: there is no config.h: run it from the build folder" >&2
	exit 2
}
command -v "$tidy" >/dev/null || {
	echo "tidy.sh: there is no $tidy" >&2
	exit 77
}
cc_flags="-std=c11 -D_GNU_SOURCE -include config.h -I. -I$source/cof
	-isystem ${LLVM_INCLUDE:-/usr/lib/llvm-22/include}
	-isystem /usr/include/mono-2.0"

# A host's headers share names with libc's, so only the host's files see them.
flags_of() {
	case $1 in
	hosts/llvm/*) echo "-I$source/hosts/llvm -DPKGLIBDIR=\"\"" ;;
	hosts/mono/module/*)
		echo "-iquote $mono/module -iquote $mono" ;;
	hosts/mono/*) echo "-iquote $mono" ;;
	hosts/toy/*) echo "-I$source/hosts/toy" ;;
	runtime/* | tools/*)
		echo '-DPKGLIBEXECDIR="" -DBINDIR="" -DCLANG="" -DCLANGXX=""' ;;
	esac
}

cd "$source"
files=$(find ${*:-cof hosts runtime tools} -name '*.c' | sort)
cd "$OLDPWD"
found=0
for f in $files; do
	said=$("$tidy" --quiet "$source/$f" -- $cc_flags $(flags_of "$f") \
		2>/dev/null) || found=1
	[ -z "$said" ] || { found=1; printf '%s\n' "$said"; }
done
exit $found
