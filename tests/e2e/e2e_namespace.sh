#!/bin/sh
# e2e_namespace.sh - what is in libcof's namespace outlives the program's exit
#
#	e2e_namespace.sh
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

library=$build/.libs/libcof-libc.so
if [ ! -e "$library" ]; then
	skip e2e_namespace "there is no $library"
	exit 77
fi
in_work
$clang -std=gnu11 -D_GNU_SOURCE -O2 -shared -fPIC \
	"$src/tests/e2e/namespace/object.c" -o object.so &&
$clang -std=gnu11 -D_GNU_SOURCE -O2 "$src/tests/e2e/namespace/outlives.c" \
	-o outlives || exit 1
run outlives ./outlives "$library" ./object.so
if [ "$(cat outlives.status outlives.err outlives.out)" = "$(
	printf 'exit 0\nhere')" ]; then
	ok objects
else
	fail objects "$(cat outlives.status)" "$(cat outlives.err)" \
		"destroyed: $(cat outlives.out)"
fi | tee all
verdict all
