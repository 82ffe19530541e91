#!/bin/sh
# limited.sh - run a test, which has failed if it does not end
#
#	limited.sh TEST [ARG...]
#
# A test that waits for ever would keep all the others from being counted. The
# limits are many times what tests take on a busy machine: a script has many
# cases, a program has few. Exit status: the test's; 124 or 137 if it did not
# end.
case $1 in
*.sh) seconds=2700 ;;
*) seconds=900 ;;
esac
timeout -k 30 "$seconds" "$@"
status=$?
case $status in
124 | 137) echo "FAIL: $1 did not end within $seconds s, or was killed" ;;
esac
exit "$status"
