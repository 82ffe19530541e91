"""wide_test.py - what rounds of bench/wide come to, and what programs it has"""
import os
import tempfile

from made_up import BENCH, close, document, tool
from lib import bars, inputs, results, wideresults


def wide_rounds(auto, pgo=None, kb=1000, off=None):
    """Five rounds on machines that differ; auto's runs are so many times
    native's."""
    def run(times, kb=1000):
        return {"wall": speed * times, "cpu": speed * times * 2, "kb": kb}
    out = []
    for speed in (1.0, 1.5, 0.8, 2.0, 1.2):
        out.append({"native": [run(1)], "auto": [run(t, kb) for t in auto]})
        for variant, times in ("pgo", pgo), ("off", off):
            if times:
                out[-1][variant] = [run(times)]
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


def a_run_is_compared_with_the_one_beside_it():
    def run(wall, **more):
        return {"wall": wall, "cpu": wall, "kb": 0, **more}
    rounds = [{"native": [run(2)], "auto": [run(3, beside=run(6))]}]
    assert wideresults.over(rounds, "auto", 0, "wall") == [0.5]
    close(wideresults.Row("a", 1, rounds).cpu[0], 0.5)


def the_results_page_has_losses_first():
    with tempfile.TemporaryDirectory() as folder:
        path, wide = (os.path.join(folder, n) for n in "rw")
        results.save(path, document({"auto": 1.3}, 1))
        results.save(wide, {"made_by": "bench/wide", "programs": {
            "gains": [[1, 7, wide_rounds([1.0, 0.5], off=1.02)]],
            "loses": [[1, 7, wide_rounds([1.0, 1.25])]]}})
        done = tool("results", "--wide", wide, path)
        other = tool("results", "--wide", path, path)
    assert done.returncode == 0, done.stderr
    at = [done.stdout.index(line) for line in (
        "| loses | - | - | 1.00 | 1.25 | 1.25 | 0 |",
        "| gains | 1.02 | - | 1.00 | 0.50 | 0.50 | 0 |")]
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
    for kind in ("cnf", "xml", "lp", "grammar", "lexer"):
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, n) for n in "abc"]
            for path, n in zip(files, (2, 2, 6)):
                inputs.make(kind, n, path)
            a, b, c = (open(f, "rb").read() for f in files)
        assert a == b and len(c) > len(a) > 0, kind
