"""docs/results.md: the tables of one run of the benchmarks.

Each section is a heading and a table of texts.
"""
from lib import bars, estimate, variant, wideresults

HEAD = """# Results

One machine, one version, one date. `bench/results` makes this page; how the
figures are measured, and what they mean, is in [benchmarks.md](benchmarks.md).
Speeds are the base's time over this one's, turn by turn: above 1 is faster.
Figures are medians over the turns, and in brackets the bootstrap's 95 %
interval.
"""
NONE = "-"


def table(heading, rows):
    lines = ["| " + " | ".join(heading) + " |",
             "|" + "---|" * len(heading)]
    lines += ["| " + " | ".join(r) + " |" for r in rows]
    return "\n".join(lines) + "\n"


def section(title, text, heading, rows):
    """Empty without rows."""
    if not rows:
        return ""
    return "\n## %s\n\n%s%s" % (title, text + "\n\n" if text else "",
                                table(heading, rows))


def figure(samples, digits=2):
    """The median and its interval."""
    if not samples:
        return NONE
    around = estimate.interval(estimate.median, samples)
    said = "%.*f" % (digits, estimate.median(samples))
    if around:
        said += " (%.*f to %.*f)" % (digits, around[0], digits, around[1])
    return said


def _columns(found):
    """All variants but the bases, in the order of bench/run."""
    names = {v for f in found for v in f.variants[1:]}
    return [n for n in variant.NAMES if n in names]


def _each(found):
    """Each workload with the first file that has it."""
    seen = set()
    for f in found:
        for w in f.workloads:
            if w not in seen:
                seen.add(w)
                yield f, w


def machine(documents):
    keys = ("cpu", "cores", "kernel", "compiler", "runtime")
    rows = [("measured", documents[0]["began"])]
    rows += [(k, str(documents[0]["machine"].get(k, NONE))) for k in keys]
    for d in documents:
        s = d["settings"]
        rows.append(("bench/run", "--variants %s --seconds %g --turns %d "
                     "--learn %d --next %d%s" % (
                         ",".join(s["variants"]), s["seconds"], s["turns"],
                         s["learn"], s.get("next", 0),
                         " --beside" if s.get("beside") else "")))
    return section("Machine and settings", "", ("what", "value"), rows)


def steady(found):
    columns = _columns(found)
    rows = [(w, *(figure(f.speeds(w, c)) for c in columns))
            for f, w in _each(found)]
    return section("Steady state", "Speed over the base's.",
                   ("program", *columns),
                   [r for r in rows if set(r[1:]) != {NONE}])


RUNS = ("first", "second", "third", "fourth", "later")


def runs(found):
    rows = []
    for f, w in _each(found):
        cells = [figure(f.speeds(w, "auto", m)) for m in RUNS]
        if set(cells) != {NONE}:
            rows.append((w, *cells))
    return section("Start to finish, mode auto",
                   "Speed over the base's, by how many runs the program had "
                   "before.", ("program", *RUNS), rows)


def memory(found):
    rows = []
    for f, w in _each(found):
        cells = [figure(bars.more(f, w, m, 1 / 1024), 0)
                 for m in ("tree", "idle")]
        if set(cells) != {NONE}:
            rows.append((w, *cells))
    return section("Memory, mode auto", "MB more than the base's.",
                   ("program", "most, with all processes", "idle"), rows)


def bars_met(findings, title="Bars"):
    """The measured bars, with their verdicts."""
    return section(title, "", ("bar", "of", "measured", "bound",
                                "95 % interval", "verdict"), [
        (f.bar, f.what, "%.3f%s" % (f.value, f.unit),
         "%s %g" % (">=" if f.at_least else "<=", f.bound),
         "%.3f to %.3f" % f.interval if f.interval else "one turn", f.verdict)
        for f in findings if f.value is not None])


STARTS = (("wall", "wall ms"), ("over", "over native ms"), ("times", "times"))


def starting(document):
    """The document is that of bench/startup --json."""
    return section("Starting", "Medians; a program that does next to nothing.",
                   ("program", "variant", *(name for _, name in STARTS)), [
        (w, v, *("%.2f" % m[k] if k in m else NONE for k, _ in STARTS))
        for w, of in document["ms"].items() for v, m in of.items()])


def parts(lines):
    """lines: the objects of `make bench`."""
    rows = []
    for o in lines:
        values = ", ".join("%s %s" % (k, v) for k, v in o.items()
                           if k != "bench")
        rows.append((str(o.get("bench", NONE)), values))
    return section("Parts of libcof", "As `make bench` prints them.",
                   ("bench", "figures"), rows)


def wide(document):
    """The document is that of bench/wide --json. Losses first."""
    rows = wideresults.rows_of(document["programs"])
    runs = max((len(r.wall) for r in rows), default=0)
    out = ""
    for seconds in sorted({r.seconds for r in rows}):
        some = sorted((r for r in rows if r.seconds == seconds),
                      key=lambda r: -r.wall[-1])
        out += section(
            "Programs nobody tuned for, %g s" % seconds,
            "Wall time over native's: below 1 is faster. `off` is mode off: "
            "the executable of cof-cc, and nothing is built. Of the last run "
            "CPU time, too.",
            ("program", "off", "native-pgo",
             *("run %d" % (i + 1) for i in range(runs)), "CPU", "MB more"),
            [(r.name, *("%.2f" % t if t else NONE for t in (r.off, r.pgo)),
              *("%.2f" % t for t in r.wall), "%.2f" % r.cpu[-1],
              "%.0f" % r.mb) for r in some])
    return out + bars_met(wideresults.findings(rows),
                          "Bars of programs nobody tuned for")
