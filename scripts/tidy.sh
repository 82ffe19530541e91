#!/bin/sh
# tidy.sh - look for bugs with clang-tidy; `make tidy` runs it
#
#	tidy.sh [FILE|FOLDER...]
#
# Run it from the build folder. .clang-tidy lists the checks. Files and folders
# are named from the source folder; the default is cof, hosts, runtime and
# tools. Exit status 1: something was found. The last line says how many files
# have findings.
#
# Environment: TIDY, another clang-tidy; JOBS, the number of files at a time.
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
cc_flags="-std=c11 -D_GNU_SOURCE -include config.h -I. -I$source -I$source/cof
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
		echo "-I$source/hosts/llvm" -DBINDIR='""' -DCLANG='""' \
		     '-DPKGLIBEXECDIR="" -DPKGLIBDIR="" -DCLANGXX=""' ;;
	esac
}

# one FILE: its findings, all at once
one() {
	said=$("$tidy" --quiet "$source/$1" -- $cc_flags $(flags_of "$1") \
		2>/dev/null) && [ -z "$said" ] && return
	printf '%s\n' "$said"
	return 1
}

if [ "${1:-}" = --one ]; then
	one "$2"
	exit
fi
files=$(cd "$source" && find ${*:-cof hosts runtime tools} -name '*.c' | sort)
found=$(mktemp)
trap 'rm -f "$found"' EXIT
printf '%s\n' $files | xargs -P "${JOBS:-$(nproc)}" -I '{}' sh -c \
	'"$1" --one "$2" || echo "$2" >>"$3"' - "$0" '{}' "$found"
echo "$(printf '%s\n' $files | wc -l) files, $(wc -l <"$found") with findings"
[ ! -s "$found" ]
