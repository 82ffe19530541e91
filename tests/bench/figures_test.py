"""figures_test.py - speeds, intervals and series whose truth is known"""
import random

from made_up import close, document, on_a_changing_machine
from lib import estimate, results
from lib.series import Series, changepoints


def speeds_are_those_that_were_put_in():
    found = results.Results(document({"co": 1.3}, 3, noise=0.0))
    for w in found.workloads:
        close(estimate.median(found.speeds(w, "co")), 1.3, 1e-6)
    close(found.mean_speed("co"), 1.3, 1e-6)
    close(found.cells["w1", "native"].median("steady"), 0.1, 0.005)
    # The start is 50 ms of a second.
    close(found.mean_speed("co", "later"), 1 / (1 / 1.3 + 0.05), 1e-6)


def beside_the_base_a_changing_machine_cancels_out():
    for lines in (True, False):
        d = document({"auto": 1.3, "co": 0.8}, 1, machine=1.0, noise=0.0)
        for r in d["runs"]:     # no other machine, and no start
            r["wall"] = r["n"] * 0.1 / {"auto": 1.3, "co": 0.8}.get(
                r["variant"], 1)
        for w in d["workloads"]:
            w["lines"] = lines
        found = results.Results(on_a_changing_machine(d, 7))
        for metric in ("steady", "first", "later"):
            for v, speed in (("auto", 1.3), ("co", 0.8)):
                speeds = found.speeds("w1", v, metric)
                assert len(speeds) == 7, (metric, speeds)
                for s in speeds:
                    close(s, speed, 1e-6)


def an_interval_holds_what_it_should():
    inside = 0
    rng = random.Random(9)
    for _ in range(100):
        sample = [rng.gauss(10, 1) for _ in range(15)]
        low, high = estimate.interval(estimate.median, sample, rounds=400)
        inside += low <= 10 <= high
    assert 85 <= inside <= 100, inside
    assert estimate.interval(estimate.median, [1.0]) is None


def times(rng, *stretches):
    return [mean * rng.gauss(1, 0.005) for n, mean in stretches
            for _ in range(n)]


def series_are_told_apart():
    for seed in range(5):
        rng = random.Random(seed)
        flat = Series(times(rng, (200, 0.01)))
        assert flat.kind == "flat", flat.segments
        warm = Series(times(rng, (60, 0.02), (140, 0.01)))
        assert warm.kind == "warmup", warm.segments
        assert 55 <= warm.warm_iterations <= 65, warm.warm_iterations
        close(warm.steady, 0.01, 0.0002)
        close(warm.warm_seconds, 1.2, 0.1)
        assert Series(times(rng, (60, 0.01), (140, 0.012))).kind == "slowdown"
        late = Series(times(rng, (180, 0.01), (20, 0.02)))
        assert late.kind == "unsteady", late.segments
        assert Series(times(rng, (10, 0.01))).kind == "short"
    assert Series([]).steady is None


def outliers_are_no_changepoints():
    rng = random.Random(4)
    series = times(rng, (200, 0.01))
    for i in (20, 77, 150, 151):
        series[i] *= 5
    assert Series(series).kind == "flat"


def long_series_are_averaged_down():
    rng = random.Random(4)
    warm = Series(times(rng, (1000, 0.02), (4000, 0.01)))
    assert warm.kind == "warmup"
    assert 900 <= warm.warm_iterations <= 1100, warm.warm_iterations


def changepoints_are_found_where_they_are():
    assert changepoints([1.0] * 30) == [0]
    assert changepoints([1.0] * 30 + [2.0] * 30) == [0, 30]
    assert changepoints([1.0] * 20 + [3.0] * 20 + [1.0] * 20) == [0, 20, 40]
    assert changepoints([]) == [0]
