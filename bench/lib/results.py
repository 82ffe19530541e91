"""The results of bench/run: the file, and the figures made from its runs.

The file is one JSON object with all runs. The figures are made anew when the
file is read.

	made_by, format   "bench/run", 1
	began             UTC
	machine           cpu, cores, kernel, compiler, runtime: texts
	settings          variants (the first is the base), seconds, turns,
	                  learn, first, next, beside, seed, option
	workloads         name, program, n, args; lines: is each line a unit?
	                  fixed: is there only one size?
	failed            workload, why
	runs              of each:
	  workload, variant   names
	  beside          the variant that ran at the same time on the same
	                  processor, or null
	  turn            from 0; -1: a run before the turns, not measured
	  size            "short", "long", or "next", after a first run
	  n               units
	  fresh           true: a first run, with an empty cache and history
	  earlier         how many runs this cache and history had before
	  verdict         auto's, as `cof-stats --why` prints it
	  wall, cpu       seconds, from start to end; cpu of all threads
	  first_thread    CPU seconds of the first thread
	  rss_kb          the most memory
	  tree_kb         the most memory of it and its processes together, of
	                  five looks a second; shared memory counts for each
	  idle_kb, idle_private_kb   at the end, all and without files; null if
	                  the run was short
	  times           seconds of each line; null if lines are no units.
	                  Beside another run, CPU seconds of the first thread

A run beside another has to share its processor, so what it takes from start to
end is what its first thread takes.
"""
import json
import os
import statistics

from lib import estimate
from lib.series import Series

FORMAT = 1
MADE_BY = "bench/run"


class Bad(Exception):
    """Not a file of bench/run."""


def save(path, document):
    """Write the whole document, or nothing."""
    with open(path + ".new", "w") as f:
        json.dump(document, f, separators=(",", ":"))
        f.write("\n")
    os.replace(path + ".new", path)


def load(path):
    try:
        with open(path) as f:
            document = json.load(f)
    except OSError as e:
        raise Bad("%s: %s" % (path, e.strerror)) from e
    except ValueError as e:
        raise Bad("%s: not JSON: %s" % (path, e)) from e
    if not isinstance(document, dict) or document.get("made_by") != MADE_BY:
        raise Bad("%s: not made by %s" % (path, MADE_BY))
    if document.get("format") != FORMAT:
        raise Bad("%s: format %s, not %d" %
                  (path, document.get("format"), FORMAT))
    return document


# The metrics of a workload in a variant; less is better. (text, relative): if
# relative, each turn is divided by the base's before two files are compared, so
# that a slower machine cancels out.
METRICS = {
    "steady": ("steady state, seconds a unit", True),
    "first": ("first run ever, start to finish, s", True),
    "second": ("the run after it, s", True),
    "third": ("and the one after that, s", True),
    "fourth": ("and the fourth, s", True),
    "later": ("later run, start to finish, s", True),
    "cpu": ("later run, CPU seconds", True),
    "rss": ("most memory, KiB", False),
    "tree": ("most memory with the processes it started, KiB", False),
    "idle": ("memory at the end of the long run, KiB", False),
}


class Cell:
    """A workload in a variant: for each metric, a value for each turn."""

    def __init__(self, workload, variant, runs):
        self.workload, self.variant = workload["name"], variant
        self.lines = workload["lines"]
        self.shares = any(r.get("beside") for r in runs)
        self.took = "first_thread" if self.shares else "wall"
        measured = [r for r in runs if r["turn"] >= 0]
        self.learned = [r for r in runs if r["turn"] < 0]
        self.first = self._of(measured, "short", True)
        self.short = self._of(measured, "short", False)
        self.long = self._of(measured, "long", False)
        # A variant that cannot learn has no first runs.
        learns = any(r["earlier"] for r in runs)
        any_run = self.short if not learns else {}
        first = self.first or any_run
        self.series = {t: Series(r["times"]) for t, r in self.long.items()
                       if self.lines and r.get("times") and not self.shares}
        self.values = {
            "steady": self._steady(),
            "first": self._column(first, self.took),
            "second": self._column(self._next(measured, 1) or any_run,
                                   self.took),
            "third": self._column(self._next(measured, 2) or any_run,
                                  self.took),
            "fourth": self._column(self._next(measured, 3) or any_run,
                                   self.took),
            "later": self._column(self.short, self.took),
            "cpu": self._column(self.short, "cpu"),
            "rss": self._most("rss_kb"),
            "tree": self._most("tree_kb"),
            "idle": self._column(self.long, "idle_kb"),
        }

    @staticmethod
    def _of(runs, size, first):
        """{turn: run}; `first` runs had an empty cache and history."""
        return {r["turn"]: r for r in runs
                if r["size"] == size and r["fresh"] == first}

    @staticmethod
    def _column(runs, key, scale=1):
        return {t: r[key] * scale for t, r in runs.items()
                if r.get(key) is not None}

    @staticmethod
    def _next(runs, earlier):
        """{turn: run}; those after a first run."""
        return {r["turn"]: r for r in runs
                if r["size"] == "next" and r["earlier"] == earlier}

    def _most(self, key):
        """The most memory of all runs of a turn; the first compiles more."""
        columns = [self._column(runs, key)
                   for runs in (self.first, self.short, self.long)]
        return {t: max(c[t] for c in columns if t in c)
                for t in set().union(*columns)}

    def _steady(self):
        if self.series:
            return {t: s.steady for t, s in self.series.items()}
        if not self.long:       # there is one size
            return self._column(self.short, self.took)
        if self.shares and self.lines:
            return {t: statistics.fmean(r["times"][len(r["times"]) // 2:])
                    for t, r in self.long.items() if r["times"]}
        out = {}
        for t in self.long.keys() & self.short.keys():
            units = self.long[t]["n"] - self.short[t]["n"]
            gone = self.long[t][self.took] - self.short[t][self.took]
            if gone > 0 and units > 0:      # anything else is noise
                out[t] = gone / units
        return out

    def median(self, metric):
        return estimate.median(list(self.values[metric].values()))

    def kind(self):
        """The kind of most of the series, or None."""
        kinds = [s.kind for s in self.series.values()]
        return statistics.mode(kinds) if kinds else None

    def against(self, base, metric):
        """base / this, turn by turn; above 1 is better."""
        if metric == "steady" and self.shares and self.long and not self.lines:
            return self._steady_beside(base)
        mine, its = self.values[metric], base.values[metric]
        return [its[t] / mine[t] for t in sorted(mine.keys() & its.keys())
                if mine[t] > 0]


    def _steady_beside(self, base):
        """The speed of the units that a long run has more than a short one. The
        machine may have been slower in the one than in the other, so the base's
        own time beside each is the unit."""
        out = []
        for t in sorted(self.long.keys() & self.short.keys()):
            times = self.long[t]["n"] / self.short[t]["n"]
            long, short = (mine[t][self.took] / its[t][self.took]
                           for mine, its in ((self.long, base.long),
                                             (self.short, base.short)))
            if times * long > short:
                out.append((times - 1) / (times * long - short))
        return out


class Results:
    """All cells of a document."""

    def __init__(self, document):
        self.document = document
        self.base = document["settings"]["variants"][0]
        self.variants = document["settings"]["variants"]
        self.workloads = [w["name"] for w in document["workloads"]]
        runs, beside = {}, {}
        for r in document["runs"]:
            runs.setdefault((r["workload"], r["variant"]), []).append(r)
            if r["variant"] == self.base and r.get("beside"):
                beside.setdefault((r["workload"], r["beside"]), []).append(r)
        self.cells = {
            (w["name"], v): Cell(w, v, runs[w["name"], v])
            for w in document["workloads"] for v in self.variants
            if (w["name"], v) in runs}
        self.bases = {
            (w["name"], v): Cell(w, self.base, beside[w["name"], v])
            for w in document["workloads"] for v in self.variants
            if (w["name"], v) in beside}

    def base_of(self, workload, variant):
        """The base's cell that a variant is compared with, or None."""
        return self.bases.get((workload, variant),
                              self.cells.get((workload, self.base)))

    def speeds(self, workload, variant, metric="steady"):
        """Speed relative to the base, turn by turn."""
        cell = self.cells.get((workload, variant))
        base = self.base_of(workload, variant)
        return cell.against(base, metric) if cell and base else []

    def mean_speed(self, variant, metric="steady"):
        """The geometric mean over workloads of the medians."""
        medians = [estimate.median(s) for s in
                   (self.speeds(w, variant, metric) for w in self.workloads)
                   if s]
        return estimate.geometric_mean(medians)
