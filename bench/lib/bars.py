"""The bars, which are promises of `runtime`, and whether results meet them.

A bar has the command that measures it, and finds its figures in results. A
figure beyond the bound is close, not missed, if the bootstrap's interval over
the turns contains the bound.
"""
from lib import estimate

MET, MISSED, CLOSE, NOT = "met", "MISSED", "close", "not measured"
LUA = "lua-fib lua-nbody lua-strings lua-sort lua-closures"
REAL = LUA + " sqlite zstd-9 bzip2 jq mujs-tree mujs-text gawk minisat sim"
# Made to show one thing: these are no programs.
MADE = ("hello", "invert", "invert-long", "chase", "phases", "libc-chars",
        "libc-pointers", "libc-locals", "libc-blocks", "formulas",
        "mainloop")
FULL_SECONDS = 2        # natively; shorter runs have bars of their own


class Finding:
    """One figure against its bound. at_least: more is better."""

    def __init__(self, bar, what, samples, bound, at_least, unit=""):
        self.bar, self.what, self.bound = bar, what, bound
        self.at_least, self.unit = at_least, unit
        self.value = estimate.median(samples)
        self.interval = estimate.interval(estimate.median, samples)
        self.verdict = self._verdict()

    def _verdict(self):
        if self.value is None:
            return NOT
        if self._keeps(self.value):
            return MET
        if self.interval and any(map(self._keeps, self.interval)):
            return CLOSE
        return MISSED

    def _keeps(self, value):
        return value >= self.bound if self.at_least else value <= self.bound


def _programs(found):
    return [w for w in found.workloads if w not in MADE]


def _each_turn_mean(found, names, variant, metric):
    """The geometric mean over the workloads, turn by turn."""
    columns = [found.speeds(w, variant, metric) for w in names]
    columns = [c for c in columns if c]
    return [estimate.geometric_mean(turn) for turn in zip(*columns)]


def _slower(found, workload, metric):
    """auto's time over the base's, turn by turn."""
    return [1 / s for s in found.speeds(workload, "auto", metric)]


def more(found, workload, metric, scale):
    """How much more auto takes than the base, turn by turn."""
    cells = [found.cells.get((workload, "auto")),
             found.base_of(workload, "auto")]
    if None in cells:
        return []
    mine, its = [c.values[metric] for c in cells]
    return [(mine[t] - its[t]) * scale
            for t in sorted(mine.keys() & its.keys())]


def _base_seconds(found, workload):
    cell = found.cells.get((workload, found.base))
    return cell and cell.median("later") or 0


def _steady(found):
    lua = [w for w in found.workloads if w.startswith("lua-")]
    if lua:
        yield ("lua, mean of %d" % len(lua),
               _each_turn_mean(found, lua, "auto", "steady"), 1.30, True)
    if "sqlite" in found.workloads:
        yield "sqlite", found.speeds("sqlite", "auto"), 1.12, True


def _to_pgo(found):
    names = [w for w in _programs(found) if found.speeds(w, "native-pgo")]
    pairs = zip(_each_turn_mean(found, names, "auto", "steady"),
                _each_turn_mean(found, names, "native-pgo", "steady"))
    if names:
        yield ("mean of %d" % len(names), [a / b for a, b in pairs], 0.97,
               True)


def _no_program_slower(found):
    for w in _programs(found):
        yield w, found.speeds(w, "auto"), 0.98, True


def _simulator(found):
    if "sim" in found.workloads:
        yield "sim", found.speeds("sim", "auto"), 1.5, True


def _inverts(found):
    for name in ("invert", "invert-long"):
        if name in found.workloads:
            pairs = zip(found.speeds(name, "auto"),
                        found.speeds(name, "native-pgo"))
            yield name, [a / b for a, b in pairs], 1.0, True


def _second_run(found):
    for w in found.workloads:
        if _base_seconds(found, w) >= FULL_SECONDS:
            yield w, _slower(found, w, "second"), 1.02, False


def _dotnet(found):
    for w, bound in (("cs-small", 1.45), ("cs-vector", 1.9)):
        if w in found.workloads:
            yield w, found.speeds(w, "auto"), bound, True


def _dotnet_second(found):
    if "cs-mcs" in found.workloads:
        yield "cs-mcs", _slower(found, "cs-mcs", "second"), 1.0, False


def _hello(found):
    if "hello" in found.workloads:
        yield "hello", more(found, "hello", "second", 1e3), 10, False, " ms"


def _first_run(found):
    for w in found.workloads:
        if _base_seconds(found, w) >= 8:
            yield w, _slower(found, w, "first"), 1.25, False


def _no_gain(found):
    if "chase" not in found.workloads:
        return
    yield "chase", _slower(found, "chase", "third"), 1.005, False
    third = [r for r in found.document["runs"] if r["size"] == "next" and
             (r["workload"], r["variant"], r["earlier"]) ==
             ("chase", "auto", 2)]
    off = [(r["verdict"] or "").startswith("off") for r in third]
    yield "chase, share of them off", [float(o) for o in off], 1, True


def _hard(found):
    """Virtual calls, and a loop that is never left: nothing was tuned on."""
    for w in ("formulas", "mainloop"):
        if w not in found.workloads:
            continue
        for run in ("second", "third", "fourth"):
            yield (w + ", " + run, found.speeds(w, "auto", run), 0.98, True)
        pairs = zip(found.speeds(w, "auto", "fourth"),
                    found.speeds(w, "native-pgo", "fourth"))
        yield (w + ", fourth, over offline PGO", [a / b for a, b in pairs],
               0.95, True)


def _memory(metric, mb):
    def find(found):
        for w in found.workloads:
            yield w, more(found, w, metric, 1 / 1024), mb, False, " MB"
    return find


# name, options of bench/run, its workloads, the function that finds it
BARS = (
    ("steady state over native",
     "--variants native,native-pgo,auto", LUA + " sqlite", _steady),
    ("steady state over offline PGO and LTO",
     "--variants native,native-pgo,auto",
     REAL, _to_pgo),
    ("no program slower, steady state",
     "--variants native,native-pgo,auto",
     REAL, _no_program_slower),
    ("simulator, steady state: an aim",
     "--variants native,native-pgo,auto", "sim", _simulator),
    ("phases that invert, over offline PGO",
     "--variants native,native-pgo,auto", "invert", _inverts),
    ("second run of 2 s or more, over native",
     "--variants native,auto --next 1", "", _second_run),
    (".NET, steady state over Mono",
     "--variants native,auto", "cs-small cs-vector", _dotnet),
    (".NET, second run of a compiler over Mono",
     "--variants native,auto --next 1", "cs-mcs", _dotnet_second),
    ("second run of hello",
     "--variants native,auto --next 1", "hello", _hello),
    ("first run of 10 s, over native",
     "--variants native,auto --seconds 10", "", _first_run),
    ("no gain possible: third run over native",
     "--variants native,auto --next 2 --seconds 10", "chase", _no_gain),
    ("virtual calls, and one loop: speed from the second run on",
     "--variants native,native-pgo,auto --next 3 --seconds 6",
     "formulas mainloop", _hard),
    ("memory with all processes, more than native",
     "--variants native,auto --seconds 10", "", _memory("tree", 200)),
    ("memory when idle, more than native",
     "--variants native,auto --seconds 20", "", _memory("idle", 30)),
)


def commands():
    """(bar, arguments of bench/run)"""
    return [(name, (flags + " " + names).strip())
            for name, flags, names, _ in BARS]


def findings(found):
    """Of all bars. A bar without figures in these results is not measured."""
    out = []
    for name, _, _, find in BARS:
        some = [Finding(name, *f) for f in find(found)]
        some = [f for f in some if f.verdict != NOT]
        out += some or [Finding(name, "", [], 0, True)]
    return out
