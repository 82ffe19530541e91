#!/bin/sh
# packages.sh - install what libcof's build and tests need, on Debian 12
#
# If nothing is missing, it does nothing and needs no rights.
#
#	packages.sh [--print]
set -eu

build="autoconf automake libtool pkg-config gcc g++ make libc6-dev
	linux-libc-dev liburcu-dev libunwind-dev libpfm4-dev
	libsqlite3-dev libcmocka-dev clang-22 llvm-22 llvm-22-dev lld-22
	libmono-2.0-dev"
# For sanitizers and valgrind; for building a second time; for the programs of
# the tests, and for fetching their sources; for servers and their load; for the
# benchmarks' tables.
test="libclang-rt-22-dev valgrind libc6-dbg ccache libstdc++-12-dev dpkg-dev
	xz-utils tcl util-linux libevent-dev libjemalloc-dev libpcre2-dev
	zlib1g-dev wrk python3 verilator mono-runtime mono-mcs
	mono-utils mono-gac nunit-console libnunit-framework2.6.3-cil"

missing=
for p in $build $test; do
	dpkg-query -W -f '${db:Status-Status}\n' "$p" 2>/dev/null |
		grep -qx installed || missing="$missing $p"
done
if [ "${1:-}" = --print ]; then
	echo "${missing# }"
	exit
fi
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
	echo "packages.sh: there is no apt-get; missing packages:$missing" >&2
	exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || {
		echo "packages.sh: only root or sudo can install:$missing" >&2
		exit 1
	}
	sudo=sudo
fi
echo "packages.sh: installing$missing"
$sudo apt-get update -qq
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y \
	--no-install-recommends $missing </dev/null >/dev/null
