"""compare_test.py - bench/compare, bench/report and bench/results on
made-up results
"""
import json
import os
import tempfile

from made_up import close, document, tool
from lib import results


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
