"""Estimates from few turns: medians, spreads, bootstrap intervals."""
import random
import statistics


def median(values):
    return statistics.median(values) if values else None


def spread_percent(values):
    """Half the distance between the quartiles, in percent of the median."""
    middle = statistics.median(values)
    if middle == 0:
        return 0.0
    if len(values) < 4:
        return abs(50 * (max(values) - min(values)) / middle)
    low, _, high = statistics.quantiles(values, n=4)
    return abs(50 * (high - low) / middle)


def geometric_mean(values):
    return statistics.geometric_mean(values) if values else None


def _percentile(ordered, share):
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def interval(statistic, *samples, confidence=0.95, rounds=2000, seed=1):
    """The interval of statistic(*samples) by the percentile bootstrap (Efron
    1979), which draws each sample anew. The same data give the same interval.
    None if a sample has fewer than two values."""
    if any(len(s) < 2 for s in samples):
        return None
    rng = random.Random(seed)
    drawn = sorted(
        statistic(*[rng.choices(s, k=len(s)) for s in samples])
        for _ in range(rounds))
    tail = (1 - confidence) / 2
    return _percentile(drawn, tail), _percentile(drawn, 1 - tail)


def ratio_of_medians(new, old):
    return statistics.median(new) / statistics.median(old)
