"""made_up.py - made-up results of bench/run, and where bench/ is"""
import os
import random
import subprocess
import sys

BENCH = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))), "bench")
sys.path.insert(0, BENCH)

from lib import results                                        # noqa: E402


def close(a, b, by=1e-9):
    assert abs(a - b) <= by, "%r is not %r" % (a, b)


def document(speeds, seed, turns=7, noise=0.01, machine=1.0, memory=100000,
             names=("w1", "w2"), base="native"):
    """Results of bench/run for modes that are `speeds` times as fast as native.
    The seed decides the noise."""
    rng = random.Random(seed)
    variants = [base, *speeds]
    runs = []
    for name in names:
        for turn in range(turns):
            today = machine * rng.uniform(0.97, 1.03)   # for all alike
            for v in variants:
                speed = speeds.get(v, 1.0)
                for size, n, fresh in (("short", 10, True),
                                       ("short", 10, False),
                                       ("long", 20, False)):
                    if fresh and v == base:
                        continue
                    wall = (0.05 * (v != base) + n * 0.1 / speed) * today
                    wall *= rng.gauss(1, noise / 4)
                    runs.append({
                        "workload": name, "variant": v, "turn": turn,
                        "size": size, "n": n, "fresh": fresh, "earlier": 0,
                        "wall": wall, "cpu": wall, "rss_kb":
                        memory * rng.gauss(1, noise), "idle_kb": None,
                        "idle_private_kb": None, "times": None})
    return {
        "made_by": results.MADE_BY, "format": results.FORMAT,
        "began": "2026-01-01T00:00:00Z",
        "machine": {"cpu": "<none>", "cores": 2, "kernel": "0",
                    "compiler": None, "runtime": None},
        "settings": {"variants": variants, "seconds": 1, "turns": turns,
                     "learn": 2, "first": True, "seed": seed, "option": []},
        "workloads": [{"name": n, "program": n, "n": 10, "lines": False,
                       "fixed": False, "args": []} for n in names],
        "runs": runs, "failed": []}


def on_a_changing_machine(d, seed):
    """d as --beside would have it: each run with the base beside it, and the
    machine at a speed of its own in each."""
    rng, runs = random.Random(seed), []
    for r in d["runs"]:
        if r["variant"] == "native":
            continue
        speed = rng.uniform(0.5, 1.5)
        base = r["n"] * 0.1
        for variant, other, seconds in (
                (r["variant"], "native", r["wall"]),
                ("native", r["variant"], base)):
            lines = [seconds / r["n"] * speed] * r["n"]
            runs.append(dict(r, variant=variant, beside=other, times=lines,
                             wall=9.0, first_thread=seconds * speed))
    return dict(d, runs=runs)


def tool(name, *args):
    done = subprocess.run([sys.executable, os.path.join(BENCH, name), *args],
                          capture_output=True, text=True)
    assert "Traceback" not in done.stderr, done.stderr
    return done
