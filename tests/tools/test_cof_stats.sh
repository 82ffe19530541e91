#!/bin/sh
# test_cof_stats.sh - cof-stats on a live, a stopped and a killed process, on
# nonsense, and as JSON

# shellcheck source=tests/tools/tool_lib.sh
. "$(dirname "$0")/tool_lib.sh"
src=${srcdir:-.}
hold=$here/tests/tools/hold_stats

# Stats files need a memory file system. The user's directory takes no part.
[ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ] || exit 77
dir=$(mktemp -d /dev/shm/cof-test.XXXXXX) || exit 77
XDG_RUNTIME_DIR=$dir
export XDG_RUNTIME_DIR
pid=
trap 'test -n "$pid" && kill -KILL "$pid" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP

# hides PATTERN: a test that stdout does not show it
hides() {
	grep -q -e "$1" "$dir/out" && fail "\"$1\" in the output"
}

is_json() {
	if command -v python3 >/dev/null 2>&1 && python3 -c '' 2>/dev/null; then
		python3 -c 'import json, sys
json.load(open(sys.argv[1], encoding="utf-8"))' "$dir/out" || fail "not JSON"
	elif command -v jq >/dev/null 2>&1; then
		jq -e . "$dir/out" >/dev/null || fail "not JSON"
	fi
}

# value EXPRESSION WANT: a test of the JSON output
value() {
	command -v jq >/dev/null 2>&1 || return 0
	v=$(jq -r "$1" "$dir/out")
	[ "$v" = "$2" ] || fail "$1 is $v, not $2"
}

# -- Without a process ---------------------------------------------------------

run 0 --help;    shows '^usage: cof-stats'; shows 'Exit status'
run 0 --version; shows '^cof-stats [0-9]'
run 0 --options; shows '^# For users$'
shows '^# For tuning$'; shows '^# For tests'
shows '^sample_hz .*1\.\.50000 Hz'; shows '^mode .*off|pgo|co|full|auto'
run 0 --list;    shows '^PID '
run 0 --list --dir="$dir"; shows '^PID '
[ "$(wc -l <"$dir/out")" = 1 ] || fail "--list: not empty"
run 0 --list --dir="$dir" --json; shows '^\[\]$'
run 1 --list --dir="$dir/none"; says 'No such file'
run 2 --all --json 1;       says 'exclude'
run 2 --why=x --history="$(printf '%0300d' 0)"; says 'too long'
run 2;                      says 'one PID'
run 2 --nosuch;             says 'nosuch.*--help'
run 2 1 2;                  says 'one PID'
run 2 --watch=x 1;          says 'seconds'
run 2 --watch=0 1;          says 'seconds'
run 2 --list 1;             says 'takes no PID'
run 2 notapid;              says 'neither'
run 2 -- -5;                says 'neither'
run 1 2147483646;           says 'no such process'
run 1 "$dir/nofile";        says 'No such file'
run 1 "$0";                 says 'not a stats file'
run 1 "$dir/";              says 'not a regular file'
mkfifo "$dir/fifo"
run 1 "$dir/fifo";          says 'not a regular file'
rm "$dir/fifo"

"$tool" --options >/dev/full 2>/dev/null && fail "a full disk is no error"

# Every option is in the manual, with its default, in the same order.
"$tool" --options | sed '/^#/d; /^$/d' >"$dir/options"
while read -r name default rest; do
	[ "$default" = - ] && default=empty
	sed -n "/^\.It Cm $name\$/{n;p;}" "$src/docs/cof.3" |
		grep -q "^($default; " || echo "$name"
done <"$dir/options" >"$dir/missing"
[ -s "$dir/missing" ] && fail "not in cof.3: $(cat "$dir/missing")"

sed 's/ .*//' "$dir/options" >"$dir/names"
sed -n '/^\.Ss Options for users/,/^\.Sh/s/^\.It Cm //p' "$src/docs/cof.3" |
	cmp -s - "$dir/names" ||
	fail "the options of cof.3 are in another order"

# Every public function is in the manual.
sed -n 's/^COF_API [^(]*[ *]\(cof_[a-z_]*\)(.*/\1/p' "$src/cof/cof.h" |
while read -r name; do
	grep -q "^\.Fo $name\$" "$src/docs/cof.3" || echo "$name"
done >"$dir/missing"
[ -s "$dir/missing" ] && fail "not in cof.3: $(cat "$dir/missing")"

# And every option of the tool.
"$tool" --help | grep -o -e '--[a-z]*' | sort -u | while read -r name; do
	grep -q "Fl Fl ${name#--}" "$src/docs/cof-stats.1" || echo "$name"
done >"$dir/missing"
[ -s "$dir/missing" ] && fail "not in cof-stats.1: $(cat "$dir/missing")"

# fresh COMMAND...: start it, with its output in $dir/path; its number is $pid.
# A killed process may have left a file of that number elsewhere; then another
# one starts.
fresh() {
	for _ in $(seq 50); do
		rm -f "$dir/path"
		"$@" >"$dir/path" &
		pid=$!
		[ -e "/dev/shm/cof-$(id -u)/$pid" ] || return 0
		kill -TERM "$pid"
		wait "$pid" 2>/dev/null
	done
}

fresh sleep 600
run 1 $pid;                 says 'does not use libcof'
kill -TERM "$pid"
wait "$pid" 2>/dev/null
pid=

# -- A live process ------------------------------------------------------------

# wait_for COMMAND...: until it succeeds
wait_for() {
	for _ in $(seq 12000); do
		"$@" && return
		sleep 0.05
	done
	return 1
}

mkdir -m 700 "$dir/cof"
# start: a process with a stats file; its number is $pid
start() {
	fresh "$hold" "$dir/cof"
	wait_for test -s "$dir/path" && return
	fail "the process did not start"
	exit 1
}
start

run 0 $pid
shows "^pid $pid  running  up .* host test  mode auto  libcof "
shows '^program .*hold_stats'
shows '^options   sample_hz=499$'
shows '^source    timer: no PMU here$'
shows '^overhead  0\.50 % .*builds 2\.00 %$'
shows '^code .*hot 1\.5 KiB'
shows '^loop      on$'
# Saved are 99.9 samples of 2099.9.
shows '^gain      4\.8 % of the CPU time saved.* 25\.0 % in new versions$'
shows '^trials    1 faster$'
hashtable=System.Collections.Hashtable
shows "^ 50\.0 %  none     settled  - *-  $hashtable:ge\.\.\.\$"
shows '^ 16\.6 %  average  open     kept      +30\.0 %  main$'
# Reasons by their samples, the host's among them; they are no drops.
shows '^samples  as  *not in code that libcof built, because$'
sed -n '/^samples  as /,/^$/s/^ *\([0-9.]*\) %  \([A-Z_]*\) .*/\1 \2/p' \
	"$dir/out" | tr '\n' ' ' >"$dir/reasons"
[ "$(cat "$dir/reasons")" = '65.0 TOO_OLD 5.0 NOT_WORTH 5.0 NO_IR ' ] ||
	fail "reasons: $(cat "$dir/reasons")"
shows '^ 65\.0 %  TOO_OLD      it is \\x1bold$'
hides '^.* improved '
shows '^ *3 .* sampler   RING_FULL .*SAM was late'
shows '^ *7 .* predictor SETTLED '
hides ' NATIVE '	# its counter is 0
hides '^sampler$'
# Usual drops are below the others.
first=$(sed -n 's/.* \(CODE_FULL\|SETTLED\) .*/\1/p' "$dir/out" | head -n 1)
[ "$first" = CODE_FULL ] ||
	fail "drops: a usual one is first"
[ "$(wc -l <"$dir/out")" -le 24 ] || fail "more than a screen"
[ "$(LC_ALL=C.UTF-8 wc -L <"$dir/out")" -le 80 ] || fail "too wide for a screen"

run 0 --all $pid
shows "^pid $pid  running  up .* host test  mode auto  libcof "
shows '^gain '
shows '^code .*hot 1\.5 KiB.*reserved 512\.0 MiB'
shows " 120 *7 *1000 *0 none *settled *- *- *64  $hashtable:get_Item (object)\$"
shows ' static *replaced .*evil\\x1b\[2J\\x0a"quoted"\\\\ \\x80\\xff caf'
shows ' average *open .*main$'
shows '17 *250 *- *evil'
shows '^  in   taken .*samples'
shows '^  drop RING_FULL .*drops'
shows '^reclaim$'
shows '^  drop TOO_OLD *1300 '
[ "$(tr -d '\n\t -~' <"$dir/out" | LC_ALL=C tr -d '\200-\377' | wc -c)" = 0 ] ||
	fail "control characters in the output"

run 0 "$(cat "$dir/path")"; shows "^pid $pid "
run 0 --dir="$dir/cof" $pid; shows "^pid $pid "
run 1 --dir="$dir" $pid;     says 'no stats file'
run 1 $pid.7;                says 'no stats file'

run 0 --list
shows "^$pid *running *auto *test .*hold_stats"

run 0 --json $pid
is_json
[ "$(wc -l <"$dir/out")" = 1 ] || fail "--json: not one line"
value .pid $pid
value .state running
value .host test
value .mode auto
value .options sample_hz=499
value .derived.loop on
value .derived.overhead_percent 0.5
value .derived.recompiled_percent 25
value '.derived.saved_percent * 10 | round' 48
value .derived.code_hot_bytes 1536
value .counters.sampler.guest_ns.value 1000000000
value .counters.sampler.guest_ns.unit ns
value .counters.sampler.guest_ns.kind stat
value .counters.sampler.RING_FULL.kind drop
value .counters.improved.TOO_OLD.value 1300
value .counters.improved.HOST_2 null
value '.counters | keys_unsorted[0]' sampler
value '.hot | length' 3
value '.hot[0].weight' 120
value '.hot[0].settled' true
value '.hot[1].plan' static
value '.phases | length' 2
value '.phases[1].generation' 17

run 0 --list --json
is_json
run 0 --list --json --dir="$dir/cof"
is_json
value '.[0].pid' $pid

# Rates need two looks. Ctrl-C ends the tool with status 0.
"$tool" --all --watch=0.2 $pid >"$dir/out" 2>"$dir/err" &
watch=$!
wait_for grep -q 'taken .*[1-9][0-9]*\.[0-9]/s samples' "$dir/out"
kill -INT $watch 2>/dev/null || kill -TERM $watch
wait $watch
got=$?
[ $got = 0 ] || fail "--watch: status $got"
shows 'taken .*[1-9][0-9]*\.[0-9]/s samples'
shows 'taken .* -/s samples'

# The tool ends when its reader does; SIGPIPE is at its default.
timeout 600 "$tool" --watch=0.05 $pid | head -n 1 >/dev/null

# -- A stopped one -------------------------------------------------------------

kill -STOP $pid
is_stopped() {
	run 0 $pid
	grep -q stopped "$dir/out"
}
wait_for is_stopped
shows "^pid $pid  stopped "
run 0 --list; shows "^$pid *stopped "
kill -CONT $pid

# -- A killed one --------------------------------------------------------------

timeout 600 "$tool" --watch=0.1 $pid >"$dir/watched" &
watch=$!
kill -KILL $pid
wait $pid 2>/dev/null
wait $watch || fail "--watch: does not end with its process"
grep -q ' dead, last update' "$dir/watched" ||
	fail "--watch: does not say that the process died"
run 0 $pid
shows "^pid $pid  dead, last update .* s ago  up "
run 0 --all $pid
shows '^  in   taken '
run 0 --json $pid; is_json; value .state dead
run 0 --list; shows "^$pid *dead "

# A file that is damaged at one place is refused, or read; there is no crash.
file=$dir/cof/$pid
cp "$file" "$dir/good"
for at in 0 8 12 16 24 2200 2232 2240 2248 2256 2264 2268 2272 2276 2280 2284 \
	2304 2500; do
	cp "$dir/good" "$dir/bad"
	printf '\377\377\377\377\377\377\377\177' |
		dd of="$dir/bad" bs=1 seek=$at conv=notrunc 2>/dev/null
	timeout 600 "$tool" "$dir/bad" >"$dir/out" 2>"$dir/err"
	got=$?
	[ $got -le 1 ] || fail "damaged at $at: status $got"
	[ $got = 0 ] || [ "$(wc -l <"$dir/err")" = 1 ] ||
		fail "damaged at $at: not one line"
done
head -c 3000 "$dir/good" >"$dir/bad"
run 1 "$dir/bad"; says 'damaged'
cp "$dir/good" "$dir/cof/1.2x"	# its name is not a stats file's
printf 'x' >"$dir/cof/77"	# its content is not
run 0 --list --dir="$dir/cof"; hides '^77 '; hides '1\.2x'
rm "$file"
run 1 $pid; says 'no such process'

# -- One that ends normally ----------------------------------------------------

start
rm -f "$dir/watched"
timeout 600 "$tool" --watch=0.1 $pid >"$dir/watched" &
watch=$!
wait_for test -s "$dir/watched"
kill -TERM $pid
wait $pid || fail "the process did not end well"
wait $watch || fail "--watch: does not end when libcof is freed"
[ -e "$(cat "$dir/path")" ] && fail "the file stayed"
pid=

# -- A service -----------------------------------------------------------------

# Workers are killed by their numbers, which their files' names are.
: >"$dir/path"
"$hold" "$dir/cof" 3 >"$dir/path" &
pid=$!
four() {
	[ "$(wc -l <"$dir/path")" = 4 ]
}
wait_for four || fail "no workers"
workers=$(sed 's#.*/##' "$dir/path" | grep -v "^$pid\$")
trap 'kill -KILL $pid $workers 2>/dev/null; rm -rf "$dir"' EXIT
listed() {
	grep -c -e "^  [0-9]* *$1 .*hold_stats" "$dir/out"
}
run 0 --list --dir="$dir/cof"
shows "^$pid *running *auto *test .*hold_stats"
[ "$(listed running)" = 3 ] || fail "--list: $(listed running) workers"
[ "$(sed -n "/^$pid /{n;p;n;p;n;p;}" "$dir/out" | grep -c '^  ')" = 3 ] ||
	fail "--list: workers are not below their service"
for w in $workers; do
	run 0 --list --dir="$dir/cof"; shows "^  $w *running"
	run 0 "$w"; shows "^service   forked from $pid,"
	run 0 --json "$w"; value .pid "$w"; value .service $pid
done
run 0 $pid; hides '^service'
run 0 --json $pid; value .service $pid
# The oldest one stands for those that are left, and for dead ones if there are
# no others.
kill -KILL $pid
wait $pid 2>/dev/null
run 0 --list --dir="$dir/cof"
hides "^$pid "
[ "$(listed running)" = 2 ] || fail "--list: $(listed running) workers left"
[ "$(grep -c '^[0-9].* running ' "$dir/out")" = 1 ] ||
	fail "--list: none stands for the service"
for w in $workers; do
	kill -KILL "$w"
done
all_dead() {
	run 0 --list --dir="$dir/cof"
	! grep -q ' running ' "$dir/out"
}
wait_for all_dead
shows "^$pid *dead "
[ "$(listed dead)" = 3 ] || fail "--list: $(listed dead) dead workers"
pid=
trap 'rm -rf "$dir"' EXIT

[ $fails = 0 ]
