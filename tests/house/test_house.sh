#!/bin/sh
# test_house.sh - the order of the folders, the sizes, names and widths of the
# source, the files that its comments name, and the tests that docs/contract.md
# names; run from the build folder
src=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || {
	echo "skip house # no python3 of 3.9 or later"
	exit 77
}
status=0
if python3 -B "$src/scripts/check_layers.py" "$src" .; then
	echo "ok house_layers"
else
	echo "FAIL house_layers"
	status=1
fi
python3 -B "$src/scripts/check_house.py" "$src" . || status=1
python3 -B "$src/scripts/check_mentions.py" "$src" || status=1
python3 -B "$src/scripts/check_contract.py" "$src" . || status=1
exit $status
