"""What changed between two files of results, and how sure that is.

For each workload, variant and metric: the ratio of the medians, new over old,
with a bootstrap interval over the turns. Each turn is divided by the base's
first, so a slower machine is no change.
"""
from lib import estimate, results

# A change is one beyond so many percent, and of at least so much: a few MB are
# noise whatever their ratio.
LIMITS = {
    "steady": (2.0, 0.0), "first": (5.0, 0.0), "second": (3.0, 0.0),
    "third": (3.0, 0.0), "fourth": (3.0, 0.0), "later": (3.0, 0.0),
    "cpu": (5.0, 0.0),
    "rss": (10.0, 8192.0), "tree": (10.0, 8192.0), "idle": (10.0, 8192.0),
}

SAME, BETTER, WORSE, UNSURE = "same", "better", "WORSE", "unsure"


class Change:
    """One figure, then and now. ratio: new over old; above 1 is worse."""

    def __init__(self, workload, variant, metric, old, new, limit, confidence):
        self.workload, self.variant, self.metric = workload, variant, metric
        self.old, self.new = estimate.median(old), estimate.median(new)
        self.ratio = self.new / self.old
        self.interval = estimate.interval(estimate.ratio_of_medians, new, old,
                                          confidence=confidence)
        self.percent, self.least = limit
        self.verdict = self._verdict()

    def _verdict(self):
        beyond = 1 + self.percent / 100
        matters = abs(self.new - self.old) >= self.least
        if self.interval is None:
            return UNSURE if self.ratio > beyond and matters else SAME
        low, high = self.interval
        if self.ratio > beyond and matters:
            return WORSE if low > 1 else UNSURE
        if self.ratio < 1 / beyond and matters:
            return BETTER if high < 1 else UNSURE
        return SAME


def _values(found, workload, variant, metric, relative):
    cell = found.cells.get((workload, variant))
    if cell is None:
        return []
    if not relative:
        return list(cell.values[metric].values())
    if variant == found.base:
        return []               # its ratio to itself is 1
    return [1 / r for r in found.speeds(workload, variant, metric)]


def changes(old, new, limits, confidence):
    """All figures that are in both old and new, which are Results."""
    out = []
    for workload in new.workloads:
        for variant in new.variants:
            for metric, (_, relative) in results.METRICS.items():
                relative = relative and old.base == new.base
                a = _values(old, workload, variant, metric, relative)
                b = _values(new, workload, variant, metric, relative)
                if a and b and min(a) > 0 and min(b) > 0:
                    out.append(Change(workload, variant, metric, a, b,
                                      limits[metric], confidence))
    return out


def missing(old, new):
    """The cells that only the old results have."""
    return sorted(set(old.cells) - set(new.cells))
