"""workloads_test.py - the table of workloads, and their inputs"""
import json
import os
import subprocess

from made_up import BENCH
from lib import workload


def the_table_is_sound():
    every = workload.table()
    names = [w.name for w in every]
    assert len(names) == len(set(names))
    for w in every:
        assert w.filter in ("-", "seconds", "lines"), w.name
        assert w.test_n > 0
        for a in w.arguments(1):
            assert "@" not in a, a
            assert not a.startswith(workload.SOURCE) or os.path.exists(a), a
        if w.stdin != "-":
            assert os.path.exists(os.path.join(BENCH, w.stdin + ".awk"))


def inputs_are_the_same_for_the_same_size():
    for kind in {w.stdin for w in workload.table()} - {"-"}:
        made = [subprocess.run(
            ["awk", "-v", "mb=0.1", "-f", os.path.join(BENCH, kind + ".awk")],
            capture_output=True, check=True).stdout for _ in range(2)]
        assert made[0] == made[1] and len(made[0]) >= 100000
        if kind == "json":
            for line in made[0].splitlines():
                json.loads(line)
