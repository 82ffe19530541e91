#!/bin/sh
# autogen.sh - make configure from configure.ac
set -e
cd "$(dirname "$0")"
mkdir -p m4 build-aux
autoreconf -fi
