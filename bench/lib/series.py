"""Does a series of iteration times warm up, and where is it steady?

After Barrett, Bolz-Tereick, Killick, Mount and Tratt, "Virtual Machine Warmup
Blows Hot and Cold" (OOPSLA 2017): changepoints of mean and variance cut the
series into segments. The segments at the end that hardly differ from the last
one are the steady state; the warm-up comes before it. There are two
differences. Iterations take milliseconds here, so an outlier is compared with
its neighbours. Long series are averaged down to POINTS first.
"""
import math
import statistics

POINTS = 300        # a longer series is averaged down to so many
SHORTEST = 6        # points in a segment
SAME = 0.015        # means that differ by less are the same; noise
PENALTY = 15        # times log(n), as in the paper

# Kinds of series, and their signs in a table.
KINDS = {
    "flat": "=",        # steady from the start
    "warmup": "\\",     # steady in the end, and then fastest
    "slowdown": "/",    # steady in the end, but was faster
    "unsteady": "~",    # changed within its last quarter
    "short": "?",       # too few iterations to tell
}


def reduce(times):
    """Means of POINTS stretches of about the same length."""
    n = len(times)
    if n <= POINTS:
        return list(times)
    edges = [i * n // POINTS for i in range(POINTS + 1)]
    return [statistics.fmean(times[a:b]) for a, b in zip(edges, edges[1:])]


def without_outliers(times):
    """A value far outside its neighbours' quartiles becomes their median."""
    out = []
    for i, t in enumerate(times):
        near = times[max(0, i - 10):i + 11]
        if len(near) < 8:
            out.append(t)
            continue
        low, middle, high = statistics.quantiles(near, n=4)
        far = max(3 * (high - low), 0.05 * middle)
        out.append(t if low - far <= t <= high + far else middle)
    return out


def changepoints(values):
    """Where segments of one mean and variance begin, 0 first: the partition of
    the least cost (optimal partitioning; pruned as in PELT, Killick 2012)."""
    n = len(values)
    if n < 2 * SHORTEST:
        return [0]
    sums, squares = [0.0], [0.0]
    for v in values:
        sums.append(sums[-1] + v)
        squares.append(squares[-1] + v * v)
    # A fluctuation of a thousandth ends no segment, however calm.
    floor = (statistics.median(values) * 0.002) ** 2 or 1e-30
    penalty = PENALTY * math.log(n)

    def cost(a, b):
        k = b - a
        mean = (sums[b] - sums[a]) / k
        variance = (squares[b] - squares[a]) / k - mean * mean
        return k * (math.log(max(variance, floor)) + 1)

    best = [-penalty] + [math.inf] * n
    begin = [0] * (n + 1)
    candidates = [0]
    for b in range(SHORTEST, n + 1):
        totals = [(best[a] + cost(a, b) + penalty, a)
                  for a in candidates if b - a >= SHORTEST]
        if totals:
            best[b], begin[b] = min(totals)
        candidates = [a for a in candidates if b - a < SHORTEST or
                      best[a] + cost(a, b) <= best[b]] + [b - SHORTEST + 1]
    cuts, at = [], n
    while at > 0:
        at = begin[at]
        cuts.append(at)
    return cuts[::-1]


class Series:
    """The iteration times of one run, in seconds.

    kind: one of KINDS; steady: seconds per iteration in the steady state, or in
    the last half if there is none; warm_iterations, warm_seconds: the warm-up;
    segments: (first iteration, mean)."""

    def __init__(self, times):
        self.n = len(times)
        half = times[self.n // 2:]
        self.steady = statistics.fmean(half) if half else None
        self.warm_iterations, self.warm_seconds = 0, 0.0
        self.segments = []
        self.kind = "short"
        if self.n < 4 * SHORTEST:
            return
        points = without_outliers(reduce(times))
        scale = self.n / len(points)
        cuts = changepoints(points) + [len(points)]
        means = [statistics.fmean(points[a:b]) for a, b in zip(cuts, cuts[1:])]
        self.segments = [(round(a * scale), m) for a, m in zip(cuts, means)]

        # From the end backwards, while the mean is the same.
        first = len(means) - 1
        while first > 0 and abs(means[first - 1] / means[-1] - 1) < SAME:
            first -= 1
        start = cuts[first]
        if first == 0:
            self.kind = "flat"
        elif start > 0.75 * len(points):
            self.kind = "unsteady"
            return
        elif min(means[:first]) < means[-1] * (1 - SAME):
            self.kind = "slowdown"
        else:
            self.kind = "warmup"
        self.warm_iterations = round(start * scale)
        self.warm_seconds = sum(times[:self.warm_iterations])
        self.steady = statistics.fmean(points[start:])
