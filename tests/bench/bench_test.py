"""bench_test.py - bench/'s scripts on made-up results, whose truth is known

test_bench.sh starts it. It prints `ok NAME` or `FAIL NAME` for each test.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
BENCH = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))), "bench")
sys.path.insert(0, BENCH)

from lib import (                                              # noqa: E402
    bars, estimate, inputs, results, tuning, wideresults, workload)
from lib.process import Place, Run                             # noqa: E402
from lib.phasescore import (                                   # noqa: E402
    Phases, Score, from_reports, recognized)
from lib.series import Series, changepoints                    # noqa: E402


def close(a, b, by=1e-9):
    assert abs(a - b) <= by, "%r is not %r" % (a, b)


# -- Made-up results ---------------------------------------------------------

def document(speeds, seed, turns=7, noise=0.01, machine=1.0, memory=100000,
             names=("w1", "w2"), base="native"):
    """Results of bench/run for modes that are `speeds` times as fast as native.
    The seed decides the noise."""
    rng = random.Random(seed)
    variants = [base, *speeds]
    runs = []
    for name in names:
        for turn in range(turns):
            today = machine * rng.uniform(0.97, 1.03)   # for all alike
            for v in variants:
                speed = speeds.get(v, 1.0)
                for size, n, fresh in (("short", 10, True),
                                       ("short", 10, False),
                                       ("long", 20, False)):
                    if fresh and v == base:
                        continue
                    wall = (0.05 * (v != base) + n * 0.1 / speed) * today
                    wall *= rng.gauss(1, noise / 4)
                    runs.append({
                        "workload": name, "variant": v, "turn": turn,
                        "size": size, "n": n, "fresh": fresh, "earlier": 0,
                        "wall": wall, "cpu": wall, "rss_kb":
                        memory * rng.gauss(1, noise), "idle_kb": None,
                        "idle_private_kb": None, "times": None})
    return {
        "made_by": results.MADE_BY, "format": results.FORMAT,
        "began": "2026-01-01T00:00:00Z",
        "machine": {"cpu": "<none>", "cores": 2, "kernel": "0",
                    "compiler": None, "runtime": None},
        "settings": {"variants": variants, "seconds": 1, "turns": turns,
                     "learn": 2, "first": True, "seed": seed, "option": []},
        "workloads": [{"name": n, "program": n, "n": 10, "lines": False,
                       "fixed": False, "args": []} for n in names],
        "runs": runs, "failed": []}


def on_a_changing_machine(d, seed):
    """d as --beside would have it: each run with the base beside it, and the
    machine at a speed of its own in each."""
    rng, runs = random.Random(seed), []
    for r in d["runs"]:
        if r["variant"] == "native":
            continue
        speed = rng.uniform(0.5, 1.5)
        base = r["n"] * 0.1
        for variant, other, seconds in (
                (r["variant"], "native", r["wall"]),
                ("native", r["variant"], base)):
            lines = [seconds / r["n"] * speed] * r["n"]
            runs.append(dict(r, variant=variant, beside=other, times=lines,
                             wall=9.0, first_thread=seconds * speed))
    return dict(d, runs=runs)


def tool(name, *args):
    done = subprocess.run([sys.executable, os.path.join(BENCH, name), *args],
                          capture_output=True, text=True)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def compare(old, new, *flags):
    """Status and output of bench/compare."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, d in enumerate((old, new)):
            paths.append(os.path.join(folder, "%d.json" % i))
            with open(paths[-1], "w") as f:
                f.write(d if isinstance(d, str) else json.dumps(d))
        done = tool("compare", *flags, *paths)
    return done.returncode, done.stdout + done.stderr


# -- compare -----------------------------------------------------------------

def noise_alone_is_no_regression():
    for seed in range(8):
        status, said = compare(document({"co": 1.1}, seed),
                               document({"co": 1.1}, seed + 100))
        assert status == 0 and "WORSE" not in said, said


def a_slower_steady_state_is_a_regression():
    for seed in range(4):
        status, said = compare(document({"co": 1.2}, seed),
                               document({"co": 1.1}, seed + 100))
        assert status == 1 and "WORSE" in said, said


def a_faster_one_is_told_and_is_none():
    status, said = compare(document({"co": 1.0}, 1), document({"co": 1.2}, 2))
    assert status == 0 and "better" in said, said


def a_slower_machine_is_no_regression():
    status, said = compare(document({"co": 1.1}, 1),
                           document({"co": 1.1}, 2, machine=1.5))
    assert status == 0, said


def memory_is_looked_at():
    status, said = compare(document({"co": 1.1}, 1),
                           document({"co": 1.1}, 2, memory=150000))
    assert status == 1 and "rss" in said, said
    # Eight megabytes do not matter, whatever their ratio.
    status, said = compare(document({"co": 1.1}, 1, memory=8000),
                           document({"co": 1.1}, 2, memory=12000))
    assert status == 0, said


def a_threshold_forgives_what_is_below_it():
    old, new = document({"co": 1.2}, 1), document({"co": 1.1}, 2)
    assert compare(old, new, "--threshold", "25")[0] == 0
    assert compare(old, new, "--threshold", "2")[0] == 1


def one_turn_is_never_sure():
    status, said = compare(document({"co": 1.2}, 1, turns=1),
                           document({"co": 1.0}, 2, turns=1))
    assert status == 0 and "unsure" in said, said


def what_noise_could_have_made_is_unsure():
    said = ""
    for seed in range(6):
        status, out = compare(document({"co": 1.1}, seed, noise=0.4),
                              document({"co": 1.1}, seed + 100, noise=0.4),
                              "--metric", "steady", "--metric", "later")
        assert status == 0, out
        said += out
    assert " unsure\n" in said, said


def what_is_not_measured_any_more_is_a_regression():
    old = document({"co": 1.1}, 1)
    new = document({"co": 1.1}, 2, names=("w1",))
    status, said = compare(old, new)
    assert status == 1 and "not measured any more" in said, said
    assert compare(old, new, "--allow-missing")[0] == 0


def bad_files_are_refused():
    good = document({"co": 1.1}, 1)
    other = dict(good, format=99)
    empty = dict(good, runs=[], workloads=[])
    torn = {k: v for k, v in good.items() if k != "settings"}
    for bad in ("", "[]", "{}", "null", '{"made_by": 3}', other, empty, torn,
                json.dumps(good)[:500]):
        status, said = compare(good, bad)
        assert status == 2 and said.startswith("bench/compare:"), (bad, said)
    assert tool("compare", "/nonexistent", "/nonexistent").returncode == 2


def a_report_is_a_whole_page():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "r.json")
        d = document({"co": 1.1, "auto": 1.3}, 1)
        for r in d["runs"]:
            if r["workload"] == "w1":
                r["times"] = [r["wall"] / 50] * 50
        d["workloads"][0]["lines"] = True
        results.save(path, d)
        done = tool("report", path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("</html>")
    assert done.stdout.count("<svg") == done.stdout.count("</svg>") >= 10
    # The page is self-contained, and foreign text is escaped.
    assert "http" not in done.stdout and "<script" not in done.stdout
    assert "&lt;none&gt;" in done.stdout


def a_results_page_says_what_the_bars_say():
    with tempfile.TemporaryDirectory() as folder:
        path, starts, parts = (os.path.join(folder, n) for n in "rsp")
        results.save(path, document({"native-pgo": 1.2, "auto": 1.3}, 1,
                                    names=("lua-fib", "sqlite")))
        results.save(starts, {"made_by": "bench/startup", "format": 1,
                              "turns": 3, "ms": {"hello": {
                                  "later": {"wall": 5.25, "over": 4.125}}}})
        with open(parts, "w") as f:
            f.write('{"bench":"off","pairs":9,"ratio":1.001}\n')
        done = tool("results", "--startup", starts, "--parts", parts, path)
        other = document({"auto": 1.3}, 2)
        other["machine"]["cpu"] = "another"
        results.save(path + "2", other)
        mixed = tool("results", path, path + "2")
    assert done.returncode == 0, done.stderr
    for line in ("## Steady state", "| program | native-pgo | auto |",
                 "## Start to finish, mode auto", "## Bars",
                 "| hello | later | 5.25 | 4.12 | - |",
                 "| off | pairs 9, ratio 1.001 |"):
        assert line in done.stdout, line
    fib = next(x for x in done.stdout.splitlines()
               if x.startswith("| lua-fib |"))
    close(float(fib.split("|")[3].split()[0]), 1.3, 0.02)
    # One page has the figures of one machine.
    assert mixed.returncode != 0 and "differ" in mixed.stderr, mixed.stderr


# -- bench/wide --------------------------------------------------------------

def wide_rounds(auto, pgo=None, kb=1000):
    """Five rounds on machines that differ; auto's runs are so many times
    native's."""
    def run(times, kb=1000):
        return {"wall": speed * times, "cpu": speed * times * 2, "kb": kb}
    out = []
    for speed in (1.0, 1.5, 0.8, 2.0, 1.2):
        out.append({"native": [run(1)], "auto": [run(t, kb) for t in auto]})
        if pgo:
            out[-1]["pgo"] = [run(pgo)]
    return out


def wide_runs_are_judged_by_their_length():
    learns = [1.2, 1.0, 1.0, 0.5, 0.5]
    rows = wideresults.rows_of({
        "a": [[1, 7, wide_rounds(learns)],
              [10, 70, wide_rounds(learns, 0.6, kb=3048)]],
        "b": [[10, 9, wide_rounds([1.0, 1.0, 1.0, 1.1, 1.0], 0.9)]]})
    close(rows[1].mb, 2)
    close(rows[1].pgo, 0.6)
    assert rows[0].pgo is None
    found = {(f.bar, f.what): f for f in wideresults.findings(rows)}
    mean = found["fourth run of 10 s over offline PGO and LTO", "mean of 2"]
    close(mean.value, (0.6 / 0.5 * 0.9 / 1.1) ** 0.5)
    fourth = "fourth run of 10 s over native"
    first = "first run of 10 s: times native's"
    assert [found[k].verdict for k in
            ((fourth, "a"), (fourth, "b"), (first, "a"), (first, "b"))] == [
                bars.MET, bars.MISSED, bars.MISSED, bars.MET]
    assert [n for n in range(1, 6)
            if ("run %d of 1 s over native" % n, "a") in found] == [3, 4, 5]


def the_results_page_has_losses_first():
    with tempfile.TemporaryDirectory() as folder:
        path, wide = (os.path.join(folder, n) for n in "rw")
        results.save(path, document({"auto": 1.3}, 1))
        results.save(wide, {"made_by": "bench/wide", "programs": {
            "gains": [[1, 7, wide_rounds([1.0, 0.5])]],
            "loses": [[1, 7, wide_rounds([1.0, 1.25])]]}})
        done = tool("results", "--wide", wide, path)
        other = tool("results", "--wide", path, path)
    assert done.returncode == 0, done.stderr
    at = [done.stdout.index(line) for line in (
        "| loses | - | 1.00 | 1.25 | 1.25 | 0 |",
        "| gains | - | 1.00 | 0.50 | 0.50 | 0 |")]
    assert at == sorted(at), done.stdout
    assert other.returncode != 0 and "bench/wide" in other.stderr


def each_wide_program_has_a_build_and_an_input():
    with open(os.path.join(BENCH, "..", "scripts", "wide_builds.sh")) as f:
        builds = f.read()
    with open(os.path.join(BENCH, "wide.txt")) as f:
        lines = [line.split() for line in f if line[:1].isalpha()]
    assert [w[0] for w in lines] == sorted(w[0] for w in lines)
    for name, path, _, kind, *words in lines:
        build = path.split("/")[0]
        for part in "configure_%s() " % build, "make_%s() " % build:
            assert "\n" + part in builds, part
        scripts = [os.path.join(BENCH, kind + ".awk")] if kind != "-" else []
        scripts += [w.replace("@S/bench", BENCH) for w in words
                    if w.startswith("@S")]
        for script in scripts:
            assert os.path.exists(script) or hasattr(inputs, kind), script


def inputs_are_the_same_each_time():
    for kind in ("cnf", "xml", "lp", "grammar"):
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, n) for n in "abc"]
            for path, n in zip(files, (2, 2, 6)):
                inputs.make(kind, n, path)
            a, b, c = (open(f, "rb").read() for f in files)
        assert a == b and len(c) > len(a) > 0, kind


# -- Bars --------------------------------------------------------------------

def with_next(d, walls, verdicts):
    """d with runs of auto after each first run: for each, how many seconds more
    than native it takes, and auto's verdict."""
    for r in [r for r in d["runs"] if r["fresh"] and r["variant"] == "auto"]:
        base = next(b for b in d["runs"] if b["variant"] == "native" and
                    b["size"] == "short" and b["turn"] == r["turn"] and
                    b["workload"] == r["workload"])
        for i, (more, verdict) in enumerate(zip(walls, verdicts)):
            d["runs"].append(dict(r, size="next", fresh=False, earlier=1 + i,
                                  wall=base["wall"] + more, verdict=verdict))
    return d


def by_bar(d):
    """{bar: {what: verdict}}"""
    out = {}
    for f in bars.findings(results.Results(d)):
        out.setdefault(f.bar, {})[f.what] = f.verdict
    return out


def bars_are_met_or_missed_by_what_they_are_about():
    names = ("lua-fib", "lua-sort", "sqlite")
    d = document({"native-pgo": 1.3, "auto": 1.31}, 1, names=names)
    found = by_bar(d)
    assert found["steady state over native"] == {
        "lua, mean of 2": bars.MET, "sqlite": bars.MET}, found
    assert found["steady state over offline PGO and LTO"] == {
        "mean of 3": bars.MET}, found
    assert set(found["no program slower, steady state"]) == set(names)
    assert found["phases that invert, over offline PGO"] == {"": bars.NOT}
    found = by_bar(document({"native-pgo": 1.3, "auto": 1.2}, 1, names=names))
    assert found["steady state over native"]["lua, mean of 2"] == bars.MISSED
    assert found["steady state over native"]["sqlite"] == bars.MET
    assert found["steady state over offline PGO and LTO"] == {
        "mean of 3": bars.MISSED}, found
    found = by_bar(document({"native-pgo": 1.0, "auto": 0.9}, 1,
                            names=("invert",)))
    assert found["phases that invert, over offline PGO"] == {
        "invert": bars.MISSED}, found
    # A made workload is no program.
    assert found["no program slower, steady state"] == {"": bars.NOT}, found


def what_noise_hides_is_close():
    d = document({"auto": 0.978}, 3, names=("jq",), noise=0.2)
    found = by_bar(d)["no program slower, steady state"]
    assert found == {"jq": bars.CLOSE}, found


def runs_after_the_first_have_bars():
    def short(more, verdicts=("warm", "off, no gain")):
        d = document({"auto": 1.0}, 1, names=("chase", "hello"), noise=0.0)
        for r in d["runs"]:
            r["wall"] *= 10
        return by_bar(with_next(d, more, verdicts))

    found = short((0.009, 0.009))
    assert found["second run of hello"] == {"hello": bars.MET}, found
    assert found["second run of 2 s or more, over native"] == {
        "chase": bars.MET, "hello": bars.MET}, found
    assert found["no gain possible: third run over native"] == {
        "chase": bars.MET, "chase, share of them off": bars.MET}, found
    found = short((0.011, 0.2), ("warm", "warm"))
    assert found["second run of hello"] == {"hello": bars.MISSED}, found
    assert found["no gain possible: third run over native"] == {
        "chase": bars.MISSED,
        "chase, share of them off": bars.MISSED}, found


def memory_is_that_of_all_processes():
    d = document({"auto": 1.0}, 1, names=("jq",))
    for r in d["runs"]:
        r["tree_kb"] = 10240 + 250 * 1024 * (r["variant"] == "auto")
    assert by_bar(d)["memory with all processes, more than native"] == {
        "jq": bars.MISSED}


def every_bar_says_how_it_is_measured():
    done = tool("bars", "--commands")
    names = {w.name for w in workload.table()}
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == len(bars.BARS) > 8
    for _, flags in bars.commands():
        words = flags.split()
        for i, word in enumerate(words):
            if not word.startswith("--") and not words[i - 1].startswith("--"):
                assert word in names, word


def missed_bars_are_told_by_the_status():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "r.json")
        for speed, status in ((1.2, 0), (0.8, 1)):
            results.save(path, document({"auto": speed}, 1, names=("jq",)))
            done = tool("bars", path)
            assert done.returncode == status, done.stdout
        assert tool("bars", path + ".no").returncode == 2


# -- Processes ---------------------------------------------------------------

def what_is_left_behind_is_waited_for_and_not_counted():
    starter = os.path.abspath(os.environ.get("E2E_RUN", "tests/e2e/e2e_run"))
    if not os.access(starter, os.X_OK):
        return                  # `make check` makes it
    left = "while kill -0 $$; do sleep 0.1; done; sleep 3; : >left"
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        run = Run(starter, folder,
                  ["sh", "-c", "cd %s; setsid sh -c \"%s\" & sleep 1" %
                   (folder, left)], os.devnull, dict(os.environ))
        took = time.monotonic() - began
        assert os.path.exists(os.path.join(folder, "left"))
    assert run.status == "exit 0", run.status
    assert 1 <= run.wall <= took - 1, (run.wall, took)
    # Of three processes, two of them shells.
    assert run.tree_kb > 1.5 * run.rss_kb > 0, (run.tree_kb, run.rss_kb)


# -- Figures -----------------------------------------------------------------

def speeds_are_those_that_were_put_in():
    found = results.Results(document({"co": 1.3}, 3, noise=0.0))
    for w in found.workloads:
        close(estimate.median(found.speeds(w, "co")), 1.3, 1e-6)
    close(found.mean_speed("co"), 1.3, 1e-6)
    close(found.cells["w1", "native"].median("steady"), 0.1, 0.005)
    # The start is 50 ms of a second.
    close(found.mean_speed("co", "later"), 1 / (1 / 1.3 + 0.05), 1e-6)


def beside_the_base_a_changing_machine_cancels_out():
    for lines in (True, False):
        d = document({"auto": 1.3, "co": 0.8}, 1, machine=1.0, noise=0.0)
        for r in d["runs"]:     # no other machine, and no start
            r["wall"] = r["n"] * 0.1 / {"auto": 1.3, "co": 0.8}.get(
                r["variant"], 1)
        for w in d["workloads"]:
            w["lines"] = lines
        found = results.Results(on_a_changing_machine(d, 7))
        for metric in ("steady", "first", "later"):
            for v, speed in (("auto", 1.3), ("co", 0.8)):
                speeds = found.speeds("w1", v, metric)
                assert len(speeds) == 7, (metric, speeds)
                for s in speeds:
                    close(s, speed, 1e-6)


def first_threads_share_a_processor():
    place = Place()
    assert place.first and place.others
    code = "import threading, time; t = threading.Thread(target=time.sleep, " \
           "args=(60,)); t.start(); print(1, flush=True); t.join()"
    with subprocess.Popen([sys.executable, "-c", code],
                          stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        place.put(process.pid)
        threads = os.listdir("/proc/%d/task" % process.pid)
        for thread in map(int, threads):
            assert os.sched_getaffinity(thread) == (
                place.first if thread == process.pid else place.others)
        process.kill()
    assert len(threads) == 2
    place.put(process.pid)      # it has ended
    place.put(None)             # it is not there yet


def beside_another_a_run_tells_its_first_thread():
    starter = os.path.abspath(os.environ.get("E2E_RUN", "tests/e2e/e2e_run"))
    if not os.access(starter, os.X_OK):
        return                  # `make check` makes it
    busy = "i=0; while [ $i -lt %d ]; do i=$((i + 1)); done; echo"
    line = "sleep 0.3; %s; %s" % (busy % 40000, busy % 1)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(starter, folder, ["sh", "-c", line], os.devnull,
                  dict(os.environ), lines=True, place=Place())
        assert os.listdir(folder) == []
    # Asleep it used no time; a tick may not be counted yet.
    assert len(run.times) == 2 and 0 <= run.first <= run.cpu + 0.02, run.first
    assert sum(run.times) <= run.first + 0.02, run.times
    assert run.wall >= 0.3


def an_interval_holds_what_it_should():
    inside = 0
    rng = random.Random(9)
    for _ in range(100):
        sample = [rng.gauss(10, 1) for _ in range(15)]
        low, high = estimate.interval(estimate.median, sample, rounds=400)
        inside += low <= 10 <= high
    assert 85 <= inside <= 100, inside
    assert estimate.interval(estimate.median, [1.0]) is None


def times(rng, *stretches):
    return [mean * rng.gauss(1, 0.005) for n, mean in stretches
            for _ in range(n)]


def series_are_told_apart():
    for seed in range(5):
        rng = random.Random(seed)
        flat = Series(times(rng, (200, 0.01)))
        assert flat.kind == "flat", flat.segments
        warm = Series(times(rng, (60, 0.02), (140, 0.01)))
        assert warm.kind == "warmup", warm.segments
        assert 55 <= warm.warm_iterations <= 65, warm.warm_iterations
        close(warm.steady, 0.01, 0.0002)
        close(warm.warm_seconds, 1.2, 0.1)
        assert Series(times(rng, (60, 0.01), (140, 0.012))).kind == "slowdown"
        late = Series(times(rng, (180, 0.01), (20, 0.02)))
        assert late.kind == "unsteady", late.segments
        assert Series(times(rng, (10, 0.01))).kind == "short"
    assert Series([]).steady is None


def outliers_are_no_changepoints():
    rng = random.Random(4)
    series = times(rng, (200, 0.01))
    for i in (20, 77, 150, 151):
        series[i] *= 5
    assert Series(series).kind == "flat"


def long_series_are_averaged_down():
    rng = random.Random(4)
    warm = Series(times(rng, (1000, 0.02), (4000, 0.01)))
    assert warm.kind == "warmup"
    assert 900 <= warm.warm_iterations <= 1100, warm.warm_iterations


def changepoints_are_found_where_they_are():
    assert changepoints([1.0] * 30) == [0]
    assert changepoints([1.0] * 30 + [2.0] * 30) == [0, 30]
    assert changepoints([1.0] * 20 + [3.0] * 20 + [1.0] * 20) == [0, 20, 40]
    assert changepoints([]) == [0]


# -- Phases ------------------------------------------------------------------

ABC = Phases([(0, 4), (4, 8), (8, 12)], 12)


def a_perfect_detector_scores_one():
    score = Score(ABC, Phases(ABC.stretches, 12))
    close(score.score, 1)
    assert score.wrong == 0 and score.matched == score.real == 5


def one_that_says_nothing_scores_little():
    score = Score(ABC, from_reports([], 12))
    close(score.correlation, 0)
    close(score.sensitivity, 0)
    close(score.false_positives, 0)
    close(score.score, 0.25)


def a_late_one_loses_correlation_alone():
    reports = []
    for start in (0, 4, 8):
        reports += [(start + 0.2, "change")] if start else []
        reports.append((start + 0.8, "steady"))
    score = Score(ABC, from_reports(reports, 12))
    close(score.sensitivity, 1)
    close(score.false_positives, 0)
    # 0.8 s of each phase: at first not yet, later still the last, then not yet.
    close(score.correlation, 1 - (0.8 + 0.6 + 0.6) / 12, 0.005)
    close(max(score.delays), 0.8)


def false_alarms_are_counted():
    reports = [(0.1, "steady"), (2, "change"), (2.5, "steady"),
               (4.2, "change"), (4.6, "steady")]
    score = Score(Phases([(0, 4), (4, 8)], 8), from_reports(reports, 8))
    # The end at 2 and the start at 2.5 are of no phase.
    assert score.wrong == 2 and score.matched == 3, vars(score)
    close(score.false_positives, 2 / 5)
    close(score.sensitivity, 1)


def what_comes_too_late_matches_nothing():
    # The end at 4 is not what is said at 7: half of the next phase is gone.
    found = from_reports([(0.1, "steady"), (7, "change")], 8)
    score = Score(Phases([(0, 4), (4, 8)], 8), found)
    assert (score.matched, score.real, score.wrong) == (1, 3, 1), vars(score)


def transitions_are_states_of_their_own():
    real = Phases([(0, 4), (6, 10)], 10)
    found = from_reports([(0, "steady"), (4, "change"), (6, "steady")], 10)
    close(Score(real, found).score, 1)
    without = from_reports([(0, "steady"), (4, "change"), (4.2, "steady")], 10)
    assert Score(real, without).correlation < 0.85


def a_detector_that_never_says_steady_is_so_at_once():
    found = from_reports([(0.2, "change"), (4.2, "change")], 8)
    assert found.stretches == [(0.2, 4.2), (4.2, 8)]


def returning_phases_are_known_by_their_numbers():
    stretches, names = [(0, 4), (4, 8), (8, 12), (12, 16)], "ABAB"

    def said(*numbers):
        return [(4 * i + 0.5, "steady", n) for i, n in enumerate(numbers)]

    assert recognized(stretches, names, said(1, 2, 1, 2)) == (2, 2)
    assert recognized(stretches, names, said(1, 2, 3, 2)) == (1, 2)
    assert recognized(stretches, names, said(1, 1, 1, 1)) == (1, 2)
    assert recognized(stretches, names, []) == (0, 2)


# -- The table ---------------------------------------------------------------

def the_table_is_sound():
    every = workload.table()
    names = [w.name for w in every]
    assert len(names) == len(set(names))
    for w in every:
        assert w.filter in ("-", "seconds", "lines"), w.name
        assert w.test_n > 0
        for a in w.arguments(1):
            assert "@" not in a, a
            assert not a.startswith(workload.SOURCE) or os.path.exists(a), a
        if w.stdin != "-":
            assert os.path.exists(os.path.join(BENCH, w.stdin + ".awk"))


def inputs_are_the_same_for_the_same_size():
    for kind in {w.stdin for w in workload.table()} - {"-"}:
        made = [subprocess.run(
            ["awk", "-v", "mb=0.1", "-f", os.path.join(BENCH, kind + ".awk")],
            capture_output=True, check=True).stdout for _ in range(2)]
        assert made[0] == made[1] and len(made[0]) >= 100000
        if kind == "json":
            for line in made[0].splitlines():
                json.loads(line)


# -- Sensitivity -------------------------------------------------------------

def constants_are_read_from_their_tables():
    every = {c.name: c for c in tuning.table()}
    assert len(every) == len(tuning.table())
    assert {"evidence_blocks", "llvm.tail_dup", "mono.inline_depth"} <= \
        every.keys()
    for c in every.values():
        assert c.least <= c.value <= c.most and c.unit and c.what, c.name
        assert c.source and c.measured, c.name
        for v in c.settings().values():
            assert c.least <= v <= c.most and v != c.value, c.name
    assert every["evidence_blocks"].settings() == {"half": 6, "double": 24}
    assert every["load_floor"].settings() == {"half": 1 / 32, "double": 1 / 8}


def journal(effects, turns, noise, seed=1):
    """Lines of bench/sensitivity; effects: {(constant, workload, setting):
    times as long}."""
    rng, lines = random.Random(seed), []
    for t in range(turns):
        for constant in ("-", "evidence_blocks", "evidence_pool",
                         "unit_least_ms"):
            for w in ("lua-fib", "sqlite", "jq"):
                sessions = {}
                for s in ("default", "half", "double"):
                    by = effects.get((constant, w, s), 1)
                    sessions[s] = {"wall": [by * rng.gauss(1, noise)
                                            for _ in range(3)]}
                lines.append({"kind": "turn", "constant": constant, "turn": t,
                              "workload": w, "sessions": sessions})
    return lines


def sensitivity_says_which_constants_matter():
    effects = {("evidence_pool", "sqlite", "half"): 1.10,
               ("unit_least_ms", "sqlite", "double"): 1.10,
               ("unit_least_ms", "jq", "double"): 0.90}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s.jsonl")
        with open(path, "w") as f:
            for line in journal(effects, 9, 0.01):
                f.write(json.dumps(line) + "\n")
            f.write('{"kind":"turn","const')        # a killed writer's
        said = subprocess.run(
            [os.path.join(BENCH, "sensitivity"), "--report", "--out", path],
            capture_output=True, text=True, check=True).stdout
        found = [l.split("-> ")[1] for l in said.splitlines() if "-> " in l]
        assert sorted(found) == ["matters", "no", "no", "only sqlite"], said
        said = subprocess.run(
            [os.path.join(BENCH, "sensitivity"), "--report", "--list",
             "matters", "--out", path],
            capture_output=True, text=True, check=True).stdout
        assert said.split() == ["unit_least_ms"], said


# A bench/stepped whose effects are known: in families a and b chance is half a
# percent, in c three.
STEPPED = """#!%s
import json, os, random, sys
at = dict(zip(sys.argv[1::2], sys.argv[2::2]))
first, seeds, shake = (int(at["--" + n]) for n in ("first", "seeds", "shake"))
tuned = os.environ.get("COF_TUNING", "")
if tuned.startswith("phase_keep"):
    sys.exit("it fails")
with open(sys.argv[0] + ".log", "a") as f:
    f.write(tuned + "\\n")
effects = {"evidence_pool=4": {"a": 1.1},
           "unit_least_ms=500": {"a": 1.1, "b": 0.9},
           "drift_same=0.325": {"c": 1.045},
           "evidence_equal=0.02": {"a": 1.001, "c": 1.02},
           "promise_keep=0.45": {"a": 1.0195, "b": 1.0195, "c": 1.0195}}
for family, chance in ("a", 0.005), ("b", 0.005), ("c", 0.03):
    for seed in range(first, first + seeds):
        cpu = 10.0 + seed
        if shake:
            rng = random.Random("%%s %%d %%d" %% (family, seed, shake))
            cpu *= 1 + chance * rng.choice((-1, 1))
        cpu *= effects.get(tuned, {}).get(family, 1)
        print(json.dumps({"family": family, "seed": seed, "cpu_s": cpu,
                          "gain_pct": 5.0, "digest": "%%r" %% cpu}))
print(json.dumps({"read": ["evidence_blocks", "evidence_pool", "drift_same",
                           "unit_least_ms", "evidence_equal", "phase_keep",
                           "promise_keep"]}))
""" % sys.executable


def sensitivity_in_steps_says_which_constants_matter():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "stepped")
        log, out = program + ".log", os.path.join(folder, "s.jsonl")
        with open(program, "w") as f:
            f.write(STEPPED)
        os.chmod(program, 0o755)

        def says(*more, status=0):
            r = subprocess.run(
                [os.path.join(BENCH, "sensitivity"), "--stepped", "--program",
                 program, "--out", out, *more],
                capture_output=True, text=True, check=False)
            assert r.returncode == status, r
            return r.stdout + r.stderr

        wanted = ("evidence_blocks", "evidence_pool", "evidence_equal",
                  "unit_least_ms", "drift_same", "trial_favour", "promise_keep")
        said = says("--seeds", "4", *wanted)
        found = {cells[1]: cells[-2] for cells in
                 ([c.strip() for c in line.split("|")]
                  for line in said.splitlines()) if len(cells) == 7}
        assert {n: found[n] for n in wanted} == {
            "evidence_blocks": "no effect", "evidence_pool": "only a",
            "evidence_equal": "rare", "unit_least_ms": "matters",
            "drift_same": "unsure", "trial_favour": "not read",
            "promise_keep": "matters"}, said
        assert "-10.0 ±0.3 b, +10.0 ±0.3 a" in said, said
        assert "| c | 4 | +5.0 | 3.0 |" in said, said
        # What the file has is not run again, but for a look at the build.
        with open(log) as f:
            before = f.read().split("\n")
        assert "trial_favour" not in "".join(before)
        says("--seeds", "4", *wanted)
        with open(log) as f:
            assert set(f.read().split("\n")[len(before):]) <= {""}
        assert says("--report", "--list", "unsure",
                    *wanted).split() == ["drift_same"]
        says("--seeds", "400", "--first", "5", "drift_same")
        assert says("--report", "--list", "only",
                    "drift_same").split() == ["drift_same"]
        assert "it fails" in says("--seeds", "1", "phase_keep", status=1)
        assert "no constant of cof/" in says("--group", "no such", status=1)


def runs_of_another_build_are_refused():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "stepped")
        for text in STEPPED, STEPPED.replace("10.0 + seed", "9.0 + seed"):
            with open(program, "w") as f:
                f.write(text)
            os.chmod(program, 0o755)
            r = subprocess.run(
                [os.path.join(BENCH, "sensitivity"), "--stepped", "--program",
                 program, "--out", os.path.join(folder, "s.jsonl"),
                 "--seeds", "1", "evidence_blocks"],
                capture_output=True, text=True, check=False)
        assert r.returncode == 1 and "another build" in r.stderr, r


TESTS = [t for name, t in list(globals().items())
         if callable(t) and getattr(t, "__module__", "") == __name__ and
         name not in ("close", "document", "tool", "compare", "times",
                      "with_next", "by_bar", "journal", "wide_rounds",
                      "on_a_changing_machine")]


def main():
    failed = 0
    for test in TESTS:
        try:
            test()
            print("ok", test.__name__)
        except Exception:       # the other tests run in any case
            failed += 1
            print("FAIL", test.__name__)
            print("  " + traceback.format_exc().replace("\n", "\n  "))
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
