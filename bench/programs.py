#!/usr/bin/env python3
"""Real programs under `runtime` against the same programs compiled natively.

Each workload runs natively, with --cof=off and with --cof=co, in turns, so that
whatever else the machine does hits all three alike; runs to warm up are not
counted. Every turn is a run of N and one of 2N units of work, and the difference
is the steady state: start-up, first compilation and recompilation drop out as
long as they are over within the shorter run. N is chosen so that N units take
--seconds natively. Outputs are compared with the native ones, always.

Times are wall clock, medians over the turns; "spread" is half the distance
between the quartiles, in percent. Run from the build folder.
"""
import argparse
import hashlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(HERE)
MODES = ("native", "off", "co")


class Workload:
    """A line of workloads.txt."""

    def __init__(self, line):
        (self.name, self.program, test_n, self.stdin, self.filter,
         *self.args) = line.split()
        self.test_n = int(test_n)

    def arguments(self, n):
        return [a.replace("@N", str(n)).replace("@S", SOURCE)
                for a in self.args]


class Run:
    """What one process did. It is started by e2e_run, which is small: a child of
    ours would begin with our memory, and keep it as the most it had."""

    def __init__(self, starter, folder, command, stdin, filter_name):
        status = os.path.join(folder, "status")
        usage = os.path.join(folder, "usage")
        with open(stdin, "rb") as source, tempfile.TemporaryFile() as out, \
                tempfile.TemporaryFile() as err:
            begin = time.monotonic()
            subprocess.run([starter, "-u", usage, status, "0", *command],
                           stdin=source, stdout=out, stderr=err, check=True)
            self.wall = time.monotonic() - begin
            out.seek(0)
            err.seek(0)
            text, self.err = out.read(), err.read().decode(errors="replace")
        if filter_name == "seconds":
            text = re.sub(rb" *[0-9]*\.[0-9]*s\n", b"\n", text)
        self.output = hashlib.sha256(text).hexdigest()
        with open(usage) as f:
            cpu, rss = f.read().split()
        self.cpu, self.rss_kb = float(cpu), int(rss)
        with open(status) as f:
            ended = f.read().strip()
        if ended != "exit 0":
            sys.exit("%s: ended by %s: %s" % (
                " ".join(command), ended, self.err.strip()))


class Bench:
    def __init__(self, workload, args, folder):
        self.workload, self.args, self.folder = workload, args, folder
        self.expected = {}

    def stdin(self, n):
        if self.workload.stdin == "-":
            return os.devnull
        path = os.path.join(self.folder, "text.%d" % n)
        if not os.path.exists(path):
            with open(path, "wb") as out:
                subprocess.run(["awk", "-v", "mb=%d" % n, "-f",
                                os.path.join(HERE, "text.awk")],
                               stdout=out, check=True)
        return path

    def command(self, mode, n, extra=()):
        base = os.path.join(self.args.programs, self.workload.program)
        if mode == "native":
            head = [base + ".native"]
        else:
            head = [self.args.runtime, "--cof=" + mode, *self.args.option,
                    *extra, base + ".bc"]
        return head + self.workload.arguments(n)

    def run(self, mode, n, extra=()):
        run = Run(self.args.starter, self.folder,
                  self.command(mode, n, extra), self.stdin(n),
                  self.workload.filter)
        want = self.expected.setdefault(n, run.output)
        if run.output != want:
            sys.exit("%s: %s with N = %d gave another output than native" %
                     (self.workload.name, mode, n))
        return run

    def choose_n(self):
        """As many units as take so long natively."""
        n = self.workload.test_n
        for _ in range(6):
            wall = self.run("native", n).wall
            if wall > 0.8 * self.args.seconds:
                break
            n = max(n + 1, round(n * min(20, self.args.seconds / wall)))
        return n

    def startup_ms(self, mode):
        times = []
        for _ in range(self.args.turns):
            run = self.run(mode, self.workload.test_n, ["--cof-startup"])
            found = re.search(r"^startup_ns (\d+)$", run.err, re.M)
            if not found:
                return None
            times.append(int(found.group(1)) / 1e6)
        return statistics.median(times)

    def measure(self):
        n = self.choose_n()
        modes = self.args.modes
        short = {m: [] for m in modes}
        long = {m: [] for m in modes}
        for mode in modes:
            self.run(mode, self.workload.test_n)
        for turn in range(self.args.turns):
            shift = turn % len(modes)
            for mode in modes[shift:] + modes[:shift]:
                short[mode].append(self.run(mode, n))
                long[mode].append(self.run(mode, 2 * n))
        return [self.row(m, n, short[m], long[m]) for m in modes]

    def row(self, mode, n, short, long):
        marginal = [b.wall - a.wall for a, b in zip(short, long)]
        return {
            "workload": self.workload.name, "mode": mode, "n": n,
            "wall_n": [r.wall for r in short],
            "wall_2n": [r.wall for r in long],
            "cpu_n": [r.cpu for r in short],
            "cpu_2n": [r.cpu for r in long],
            "marginal": marginal,
            "median_n": statistics.median(r.wall for r in short),
            "median_marginal": statistics.median(marginal),
            "spread_percent": spread(marginal),
            "rss_kb": max(r.rss_kb for r in short + long),
            "startup_ms": None if mode == "native" else self.startup_ms(mode),
        }


def spread(values):
    """Half the distance between the quartiles, in percent of the median."""
    if len(values) < 4:
        return 50 * (max(values) - min(values)) / statistics.median(values)
    low, middle, high = statistics.quantiles(values, n=4)
    return 50 * (high - low) / middle


def compare(rows):
    """Each row against the native one of its workload. A steady state of no
    length or less is noise, and compares with nothing."""
    native = rows[0]
    for row in rows:
        good = min(native["median_marginal"], row["median_marginal"]) > 0
        row["speed"] = (native["median_marginal"] / row["median_marginal"]
                        if good else None)
        row["speed_with_start"] = native["median_n"] / row["median_n"]
    return rows


def mean(rows, key):
    values = [r[key] for r in rows if r[key] is not None]
    return "%.3f" % statistics.geometric_mean(values) if values else "unknown"


def figure(form, value):
    return "-" if value is None else form % value


HEADING = ("workload", "mode", "N", "steady s", "spread", "speed",
           "run s", "run speed", "start ms", "RSS MB")
LINE = "%-14s %-7s %6s %9s %7s %6s %8s %9s %9s %7s"


def print_row(row):
    print(LINE % (
        row["workload"], row["mode"], row["n"],
        "%.3f" % row["median_marginal"], "%.1f %%" % row["spread_percent"],
        figure("%.3f", row["speed"]), "%.3f" % row["median_n"],
        "%.3f" % row["speed_with_start"], figure("%.1f", row["startup_ms"]),
        "%.0f" % (row["rss_kb"] / 1024)), flush=True)


def print_means(rows, modes):
    for mode in modes[1:]:
        of_mode = [r for r in rows if r["mode"] == mode]
        print("%-14s %-7s geometric mean of speed %s, of run speed %s" % (
            "all", mode, mean(of_mode, "speed"),
            mean(of_mode, "speed_with_start")))


def arguments():
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("workload", nargs="*", help="of workloads.txt; default: all")
    p.add_argument("--seconds", type=float, default=5.0,
                   help="of a short run, natively (5)")
    p.add_argument("--turns", type=int, default=5, help="of each mode (5)")
    p.add_argument("--modes", default=",".join(MODES), metavar="MODE,...",
                   help="the first is what the others are compared with\n"
                        "(native,off,co)")
    p.add_argument("--runtime", default="runtime/runtime")
    p.add_argument("--starter", default="tests/e2e_run")
    p.add_argument("--programs", default="programs",
                   help="what scripts/programs.sh made")
    p.add_argument("--option", action="append", default=[],
                   metavar="--cof-NAME=VALUE", help="for runtime; repeatable")
    p.add_argument("--json", metavar="FILE", help="one object a line")
    args = p.parse_args()
    args.modes = args.modes.split(",")
    args.runtime = os.path.abspath(args.runtime)
    args.starter = os.path.abspath(args.starter)
    args.programs = os.path.abspath(args.programs)
    return args


def workloads(wanted):
    with open(os.path.join(HERE, "workloads.txt")) as table:
        every = [Workload(l) for l in table if l[:1].isalpha()]
    known = [w.name for w in every]
    for name in wanted:
        if name not in known:
            sys.exit("no workload %s; there are: %s" % (name, " ".join(known)))
    return [w for w in every if not wanted or w.name in wanted]


def main():
    args = arguments()
    os.environ.pop("COF_OPTIONS", None)
    out = open(args.json, "w") if args.json else None
    every = []
    print(LINE % HEADING)
    with tempfile.TemporaryDirectory(prefix="cof-bench.") as folder:
        for workload in workloads(args.workload):
            rows = compare(Bench(workload, args, folder).measure())
            every += rows
            for row in rows:
                print_row(row)
                if out:
                    print(json.dumps(row), file=out, flush=True)
    print_means(every, args.modes)


if __name__ == "__main__":
    main()
