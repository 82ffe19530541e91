"""What bench/wide measured, as figures and against its bars.

A measurement is a length in seconds, N, and rounds: {variant: its runs}, each
run {"wall": s, "cpu": s, "kb": KiB}. auto's runs begin without a history. A run
that had a native one beside it has that as "beside"; "wall" is the time of the
first thread in both.
"""
import statistics

from lib import bars, estimate

FOURTH = 3              # runs count from 0
LONG, SHORT = 10, 1     # lengths that have bars, in seconds


def over(rounds, variant, at, metric):
    """A variant's at-th run over native's, round by round."""
    runs = [(r[variant][at], r["native"][0]) for r in rounds
            if variant in r and at < len(r[variant])]
    return [run[metric] / run.get("beside", native)[metric]
            for run, native in runs]


def median(samples):
    return statistics.median(samples) if samples else None


def more_mb(rounds):
    """The most memory of auto's runs, more than native's: the median."""
    return statistics.median(max(a["kb"] for a in r["auto"]) -
                             r["native"][0]["kb"] for r in rounds) / 1024


class Row:
    """A program at one length: medians over the rounds, times native's."""

    def __init__(self, name, seconds, rounds):
        runs = range(len(rounds[0]["auto"]))
        self.name, self.seconds, self.rounds = name, seconds, rounds
        self.off, self.pgo = (median(over(rounds, v, 0, "wall"))
                              for v in ("off", "pgo"))
        self.wall = [median(over(rounds, "auto", i, "wall")) for i in runs]
        self.cpu = [median(over(rounds, "auto", i, "cpu")) for i in runs]
        self.mb = more_mb(rounds)


def rows_of(programs):
    """programs: {name: measurements}"""
    return [Row(name, seconds, rounds) for name, found in programs.items()
            for seconds, _, rounds in found]


def _of(rows, seconds):
    return [r for r in rows if r.seconds == seconds]


def _means(rows):
    """The fourth run's speed over that of offline PGO, as geometric means over
    the programs, round by round."""
    columns = [[a / b for a, b in zip(over(r.rounds, "pgo", 0, "wall"),
                                      over(r.rounds, "auto", FOURTH, "wall"))]
               for r in rows]
    columns = [c for c in columns if c]
    return [estimate.geometric_mean(turn) for turn in zip(*columns)]


def findings(rows):
    """Of all bars of which something was measured."""
    out = []
    some = _of(rows, LONG)
    out.append(bars.Finding("fourth run of 10 s over offline PGO and LTO",
                            "mean of %d" % len(some), _means(some), 0.98,
                            True))
    for r in some:
        out.append(bars.Finding(
            "fourth run of 10 s over native", r.name,
            [1 / t for t in over(r.rounds, "auto", FOURTH, "wall")], 0.97,
            True))
        out.append(bars.Finding(
            "first run of 10 s: times native's", r.name,
            over(r.rounds, "auto", 0, "wall"), 1.10, False))
    for r in _of(rows, SHORT):
        for at in range(2, len(r.wall)):
            out.append(bars.Finding(
                "run %d of 1 s over native" % (at + 1), r.name,
                [1 / t for t in over(r.rounds, "auto", at, "wall")], 0.97,
                True))
    return [f for f in out if f.value is not None]
