"""bars_test.py - which bars made-up results meet"""
import os
import tempfile

from made_up import document, tool
from lib import bars, results, workload


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


def each_run_after_the_first_of_a_hard_program_has_a_bar():
    name = "virtual calls, and one loop: speed from the second run on"
    d = document({"auto": 1.0, "native-pgo": 1.0}, 1, names=("mainloop",),
                 noise=0.0)
    base = next(r["wall"] for r in d["runs"] if r["size"] == "short" and
                r["variant"] == "native")
    found = by_bar(with_next(d, (0.0, base, 0.0), ("warm",) * 3))[name]
    assert found == {
        "mainloop, second": bars.MET, "mainloop, third": bars.MISSED,
        "mainloop, fourth": bars.MET,
        "mainloop, fourth, over offline PGO": bars.MET}, found


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
