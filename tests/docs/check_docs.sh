#!/bin/sh
# check_docs.sh - tests of the documents, by check_docs.py
#
# Tested are links and anchors, names of files and functions, options of
# bench/'s scripts, pictures, and all commands that are not marked otherwise;
# the head of check_docs.py explains the marks.
#
# Run it from the build folder. Environment: srcdir. Commands find `runtime`,
# `cof-cc`, `cof-stats` and libcof of this build, the source folder in $SOURCE,
# and a home folder of their own.
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || {
	echo "skip check_docs # no python3 of 3.9 or later"
	exit 77
}

BUILD=$(pwd)
SRC=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) || exit 1
WORK=$(mktemp -d "${TMPDIR:-/tmp}/check_docs.XXXXXX") || exit 1
trap 'rm -rf "$WORK"' EXIT
export BUILD SRC WORK
SOURCE=$SRC
export SOURCE

mkdir -m 700 "$WORK/bin" "$WORK/home" "$WORK/run" "$WORK/pc"
# wrap NAME PROGRAM: a command NAME that runs PROGRAM
wrap() {
	printf '#!/bin/sh\nexec "%s" "$@"\n' "$2" >"$WORK/bin/$1"
	chmod +x "$WORK/bin/$1"
}
wrap runtime "$BUILD/runtime/runtime"
for tool in cof-cc cof-c++ cof-stats; do
	wrap "$tool" "$BUILD/$tool"
done
[ -e "$BUILD/cof-c++" ] || wrap cof-c++ "$BUILD/cof-cc"
cat >"$WORK/pc/cof.pc" <<PC
Name: libcof
Description: libcof as it was built, not installed
Version: 0
Libs: -L$BUILD/.libs -Wl,-rpath,$BUILD/.libs -lcof
Cflags: -I$SRC/cof
PC

# The user's options and files take no part. A busy machine may take longer than
# a user would wait.
COF_OPTIONS=history_wait_ms=10000
PATH=$WORK/bin:$PATH
PKG_CONFIG_PATH=$WORK/pc
HOME=$WORK/home XDG_RUNTIME_DIR=$WORK/run
unset XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME
export COF_OPTIONS PATH PKG_CONFIG_PATH HOME XDG_RUNTIME_DIR

python3 -B "$SRC/tests/docs/check_docs.py"
