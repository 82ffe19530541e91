#!/bin/sh
# test_bench.sh - bench/'s scripts on figures whose truth is known; by
# bench_test.py
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || {
	echo "skip test_bench # no python3 of 3.9 or later"
	exit 77
}
exec python3 "$(dirname "$0")/bench_test.py"
