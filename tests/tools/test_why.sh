#!/bin/sh
# test_why.sh - cof-stats --why shows the evidence for mode auto's verdict

# shellcheck source=tests/tools/tool_lib.sh
. "$(dirname "$0")/tool_lib.sh"
write=$here/tests/tools/write_history

"$tool" --why=/ --history=/nonexistent/x 2>&1 | grep -q "without SQLite" &&
	exit 77
dir=$(mktemp -d "${TMPDIR:-/tmp}/cof-why.XXXXXX") || exit 77
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
unset COF_OPTIONS
db=$dir/cof/history.db
echo one >"$dir/one"
echo two >"$dir/two"
echo three >"$dir/three"

# There is no history yet.
run 1 --why="$dir/one" --history="$db"
says "no history yet"
[ -e "$dir/cof" ] && fail "looking made a directory"

"$write" "$db" "$dir/one" "$dir/one" gain 3 || fail "write_history"
"$write" "$db" "$dir/two" "$dir/two" none 2 || fail "write_history"
"$write" "$db" "$dir/three" "$dir/three" short 3 || fail "write_history"

run 0 --why="$dir/one" --history="$db"
shows "as in mode full and builds 3 known hot methods"
shows "hot set     3 methods"
shows "m0$"
run 0 --why "$dir/two" --history "$db"
shows "turns itself off: the last 2 runs gained"
shows "saved       0 ms of 20"
shows "believed    0 ms more, not measured; it counts by 100.0 %"
run 0 --why=two --history="$db"			# by name
shows "turns itself off"
run 0 --why="$dir/three" --history="$db"
shows "turns itself off: the last 3 runs took at most 10 ms"

# The rules are options of libcof.
COF_OPTIONS=auto_short_ms=5 timeout 600 "$tool" --why=three --history="$db" \
	>"$dir/out"
shows "gained"
XDG_DATA_HOME=$dir timeout 600 "$tool" --why=one >"$dir/out"
shows "$db"

# A file that has changed is found by its name; the tool says that it changed.
echo more >>"$dir/one"
run 0 --why="$dir/one" --history="$db"
shows "no run of a file with this content"
run 1 --why=four --history="$db"
says "no run of this program"
run 1 --why=one --history=none
says "none"
run 2 --why=one --watch --history="$db"
run 2 --why=one --history="$db" 12

# As JSON.
run 0 --why=two --history="$db" --json
if command -v python3 >/dev/null; then
	python3 - "$dir/out" <<'END' || fail "JSON"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["verdict"] == "off, no gain", d["verdict"]
assert d["evidence"]["judged"] == 2 and len(d["runs"]) == 2
assert d["methods"][0]["name"] == "m0"
assert d["methods"][0]["profile_bytes"] == 11
END
fi

# What it would wait for without end.
mkfifo "$db-journal" "$dir/fifo"
run 1 --why=one --history="$db"
says "not a plain file"
rm "$db-journal"
run 1 --why=one --history="$dir/fifo"
run 1 --why="$dir/fifo" --history="$db"

# The tool changes neither a damaged history nor another file.
cp "$db" "$dir/cof/other.db"
dd if=/dev/zero of="$dir/cof/other.db" bs=4096 seek=2 count=4 conv=notrunc \
	2>/dev/null
cp "$dir/cof/other.db" "$dir/cof/same.db"
run 1 --why=one --history="$dir/cof/other.db"
cmp -s "$dir/cof/other.db" "$dir/cof/same.db" || fail "looking changed it"
run 1 --why=one --history="$dir/one"

exit $((fails > 0))
