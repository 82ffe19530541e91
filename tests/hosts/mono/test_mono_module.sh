#!/bin/sh
# test_mono_module.sh - with libmono-profiler-cof.so programs do on stock Mono
# what they do without it, and cof-stats shows where their time goes

# shellcheck source=tests/tools/tool_lib.sh
. "$(dirname "$0")/../../tools/tool_lib.sh"
command -v mono >/dev/null 2>&1 && command -v mcs >/dev/null 2>&1 || exit 77
# Stats files need a memory file system.
[ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ] || exit 77
dir=$(mktemp -d /dev/shm/cof-test.XXXXXX) || exit 77
pid=
trap 'test -n "$pid" && kill -KILL "$pid" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
LD_LIBRARY_PATH=$here/hosts/mono/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
XDG_DATA_HOME=$dir
export LD_LIBRARY_PATH XDG_DATA_HOME
unset COF_OPTIONS

cat >"$dir/guest.cs" <<'CS'
using System;
using System.Text;
using System.Threading;

static class Guest {
	static volatile bool over;
	static int result;

	static int Numbers(int n) {
		int sum = 0;
		for (int i = 0; i < n; i++)
			sum = (sum ^ i) + (sum & 7) * 3;
		return sum;
	}

	static int Texts(int n) {
		int sum = 0;
		for (int i = 0; i < n; i++) {
			var text = new StringBuilder();
			for (int k = 0; k < 100; k++)
				text.Append(k).Append(',');
			sum += text.ToString().Split(',').Length;
		}
		return sum;
	}

	static void Work() {
		while (!over)
			result += Numbers(100000) + Texts(50);
	}

	static int Main(string[] args) {
		if (args[0] == "throw")
			throw new InvalidOperationException("on purpose");
		if (args[0] == "exit")
			new Thread(() => Environment.Exit(9)).Start();
		if (args[0] == "short")
			return Texts(10) == 1010 ? 5 : 6;
		var other = new Thread(Work);
		other.Start();
		new Thread(() => {
			Console.In.ReadToEnd(); over = true;
		}).Start();
		Work();
		other.Join();
		for (int i = 0; i < 50; i++) {	/* threads that come and go */
			var t = new Thread(() => { result += Texts(1); });
			t.Start();
			t.Join();
		}
		GC.Collect();
		Console.WriteLine("over");
		return 5;
	}
}
CS
mcs -out:"$dir/guest.exe" "$dir/guest.cs" || fail "mcs"

# observed OPTIONS ARG...: run the program; its status is in $got
observed() {
	profile=$1
	shift
	timeout 600 mono --profile="$profile" "$dir/guest.exe" "$@" \
		>"$dir/out" 2>"$dir/err" </dev/null
	got=$?
}

# is STATUS WHAT: a test of $got
is() { [ "$got" = "$1" ] || fail "$2: status $got, not $1: $(cat "$dir/err")"; }

# -- Ends -------------------------------------------------------------------

observed cof short;            is 5 short
[ -s "$dir/err" ] && fail "said: $(cat "$dir/err")"
observed cof:mode=off short;   is 5 off
observed cof:sample_hz=2000,drain_ms=1 run;  is 5 run; shows '^over$'
observed cof:sample_hz=2000,drain_ms=1 exit; is 9 exit
observed cof throw;            is 1 throw; says 'on purpose'
observed cof:nosuch=1 short;   is 2 "wrong option"; says 'no option "nosuch"'

# -- Hot methods ------------------------------------------------------------

mkfifo "$dir/fifo"
mkdir -m 700 "$dir/stats"
timeout 900 mono "--profile=cof:stats=$dir/stats" "$dir/guest.exe" run \
	<"$dir/fifo" >"$dir/ran" 2>&1 &
pid=$!
exec 3>"$dir/fifo"
# Until cof-stats shows methods of the program and of code compiled ahead of
# time.
seen=
for _ in $(seq 6000); do
	stats=$(find "$dir/stats" -type f)
	if [ -n "$stats" ] && "$tool" --all "$stats" >"$dir/out" 2>"$dir/err" &&
	   grep -q 'Guest:Numbers' "$dir/out" &&
	   grep -q -e 'System\.' -e ' string:' "$dir/out"; then
		seen=yes
		break
	fi
	kill -0 "$pid" 2>/dev/null || break
	sleep 0.1
done
[ -n "$seen" ] || fail "hot methods are not shown: $(cat "$dir/out" "$dir/ran")"
shows '^program .*/guest\.exe$'
shows 'host monoprof'
exec 3>&-
wait "$pid"
got=$?
pid=
is 5 "observed run"
[ "$(cat "$dir/ran")" = over ] || fail "output: $(cat "$dir/ran")"

[ "$fails" = 0 ] || exit 1
