"""The effect of each constant, by a journal of bench/sensitivity."""
import statistics

# A constant matters beyond so many percent.
METRICS = {"first": 5.0, "last": 3.0}
MATTERS, ONLY, NO, UNSURE, BAD = "matters", "only", "no", "unsure", "FAILED"
NONE = "-"              # stands for no constant


class Effect:
    """How much more time a setting takes on a workload, by one metric, in
    percent. `spread` is that of one turn."""

    def __init__(self, ratios, limit, spread):
        self.percent = 100 * (statistics.median(ratios) - 1)
        self.error = 100 * 1.25 * spread / len(ratios) ** 0.5
        self.beyond = abs(self.percent) > limit
        self.sure = len(ratios) >= 3 and abs(self.percent) > 3.5 * self.error

    def text(self):
        return "%+.1f +-%.1f" % (self.percent, self.error)


def ratios_of(turns):
    """{(setting, metric): [time over the unchanged session's]}, of the turns of
    one constant and workload; and the failures."""
    ratios, failed = {}, []
    for t in turns:
        base = t["sessions"]["default"]
        for setting, s in t["sessions"].items():
            if setting == "default":
                continue
            if "failed" in s:
                failed.append(s["failed"])
                continue
            for metric, at in (("first", 0), ("last", -1)):
                ratios.setdefault((setting, metric), []).append(
                    s["wall"][at] / base["wall"][at])
    return ratios, failed


def spreads_of(cells):
    """{(workload, metric): the standard deviation of a turn's ratio}, from the
    median distance of turns to the median of their setting."""
    distances = {}
    for (_, w), (ratios, _) in cells.items():
        for (_, metric), r in ratios.items():
            middle, n = statistics.median(r), len(r)
            if n > 1:
                distances.setdefault((w, metric), []).extend(
                    abs(x - middle) * (n / (n - 1)) ** 0.5 for x in r)
    return {k: 1.48 * statistics.median(d) for k, d in distances.items()}


def verdict(rows):
    """The verdict on a constant; rows: [(workload, effects, failed)]."""
    if any(failed for _, _, failed in rows):
        return BAD
    sure = [w for w, effects, _ in rows
            if any(e.beyond and e.sure for e in effects.values())]
    maybe = any(e.beyond for _, effects, _ in rows for e in effects.values())
    if len(sure) > 1:
        return MATTERS
    if sure:
        return "%s %s" % (ONLY, sure[0])
    return UNSURE if maybe else NO


ROW = "%-26s %-12s %-13s %5s  %-15s %-15s %-16s %s"


def report(journal, constants, workloads, which):
    by = {}
    for t in journal.turns:
        by.setdefault((t["constant"], t["workload"]), []).append(t)
    cells = {k: ratios_of(turns) for k, turns in by.items()}
    spreads = spreads_of(cells)

    def effects(key):
        ratios, failed = cells[key]
        return {k: Effect(r, METRICS[k[1]],
                          spreads.get((key[1], k[1]), float("inf")))
                for k, r in ratios.items()}, failed

    if not which:
        print("Time, percent more than without the change: median, and "
              "standard error")
        print(ROW % ("constant", "value", "workload", "turns",
                     "half: first run", "last run", "double: first run",
                     "last run"))
    counts = {}
    for c in constants:
        rows = [(w.name, *effects((c.name, w.name))) for w in workloads
                if (c.name, w.name) in by]
        if not rows:
            continue
        found = verdict(rows)
        counts[found.split()[0]] = counts.get(found.split()[0], 0) + 1
        if which:
            if found.split()[0] == which and c.name != NONE:
                print(c.name)
            continue
        for i, (w, found_of, failed) in enumerate(rows):
            print(ROW % (
                c.name if i == 0 else "",
                ("%s %s" % (c.written, c.unit))[:12] if i == 0 else "", w,
                len(by[c.name, w]),
                *[found_of[k].text() if k in found_of else "-"
                  for k in (("half", "first"), ("half", "last"),
                            ("double", "first"), ("double", "last"))]))
            for why in failed[:1]:
                print("    failed %d times: %s" % (len(failed), why))
        print("%26s %s" % ("->", found), flush=True)
    if not which:
        print(", ".join("%s: %d" % kv for kv in sorted(counts.items())))
