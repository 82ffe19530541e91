"""sensitivity_test.py - which constants matter, of effects that are known"""
import json
import os
import random
import subprocess
import sys
import tempfile

from made_up import BENCH
from lib import tuning


def constants_are_read_from_their_tables():
    every = {c.name: c for c in tuning.table()}
    assert len(every) == len(tuning.table())
    assert {"evidence_blocks", "llvm.tail_dup", "mono.inline_depth"} <= \
        every.keys()
    for c in every.values():
        assert c.least <= c.value <= c.most and c.unit and c.what, c.name
        assert c.source and c.measured, c.name
        for v in c.settings().values():
            assert c.least <= v <= c.most and v != c.value, c.name
    assert every["evidence_blocks"].settings() == {"half": 6, "double": 24}
    assert every["load_floor"].settings() == {"half": 1 / 32, "double": 1 / 8}


def journal(effects, turns, noise, seed=1):
    """Lines of bench/sensitivity; effects: {(constant, workload, setting):
    times as long}."""
    rng, lines = random.Random(seed), []
    for t in range(turns):
        for constant in ("-", "evidence_blocks", "evidence_pool",
                         "unit_least_ms"):
            for w in ("lua-fib", "sqlite", "jq"):
                sessions = {}
                for s in ("default", "half", "double"):
                    by = effects.get((constant, w, s), 1)
                    sessions[s] = {"wall": [by * rng.gauss(1, noise)
                                            for _ in range(3)]}
                lines.append({"kind": "turn", "constant": constant, "turn": t,
                              "workload": w, "sessions": sessions})
    return lines


def sensitivity_says_which_constants_matter():
    effects = {("evidence_pool", "sqlite", "half"): 1.10,
               ("unit_least_ms", "sqlite", "double"): 1.10,
               ("unit_least_ms", "jq", "double"): 0.90}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s.jsonl")
        with open(path, "w") as f:
            for line in journal(effects, 9, 0.01):
                f.write(json.dumps(line) + "\n")
            f.write('{"kind":"turn","const')        # a killed writer's
        said = subprocess.run(
            [os.path.join(BENCH, "sensitivity"), "--report", "--out", path],
            capture_output=True, text=True, check=True).stdout
        found = [l.split("-> ")[1] for l in said.splitlines() if "-> " in l]
        assert sorted(found) == ["matters", "no", "no", "only sqlite"], said
        said = subprocess.run(
            [os.path.join(BENCH, "sensitivity"), "--report", "--list",
             "matters", "--out", path],
            capture_output=True, text=True, check=True).stdout
        assert said.split() == ["unit_least_ms"], said


# A bench/stepped whose effects are known: in families a and b chance is half a
# percent, in c three.
STEPPED = """#!%s
import json, os, random, sys
at = dict(zip(sys.argv[1::2], sys.argv[2::2]))
first, seeds, shake = (int(at["--" + n]) for n in ("first", "seeds", "shake"))
tuned = os.environ.get("COF_TUNING", "")
if tuned.startswith("phase_keep"):
    sys.exit("it fails")
with open(sys.argv[0] + ".log", "a") as f:
    f.write(tuned + "\\n")
effects = {"evidence_pool=4": {"a": 1.1},
           "unit_least_ms=500": {"a": 1.1, "b": 0.9},
           "drift_same=0.325": {"c": 1.045},
           "evidence_equal=0.02": {"a": 1.001, "c": 1.02},
           "promise_keep=0.45": {"a": 1.0195, "b": 1.0195, "c": 1.0195}}
for family, chance in ("a", 0.005), ("b", 0.005), ("c", 0.03):
    for seed in range(first, first + seeds):
        cpu = 10.0 + seed
        if shake:
            rng = random.Random("%%s %%d %%d" %% (family, seed, shake))
            cpu *= 1 + chance * rng.choice((-1, 1))
        cpu *= effects.get(tuned, {}).get(family, 1)
        print(json.dumps({"family": family, "seed": seed, "cpu_s": cpu,
                          "gain_pct": 5.0, "digest": "%%r" %% cpu}))
print(json.dumps({"read": ["evidence_blocks", "evidence_pool", "drift_same",
                           "unit_least_ms", "evidence_equal", "phase_keep",
                           "promise_keep"]}))
""" % sys.executable


def sensitivity_in_steps_says_which_constants_matter():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "stepped")
        log, out = program + ".log", os.path.join(folder, "s.jsonl")
        with open(program, "w") as f:
            f.write(STEPPED)
        os.chmod(program, 0o755)

        def says(*more, status=0):
            r = subprocess.run(
                [os.path.join(BENCH, "sensitivity"), "--stepped", "--program",
                 program, "--out", out, *more],
                capture_output=True, text=True, check=False)
            assert r.returncode == status, r
            return r.stdout + r.stderr

        wanted = ("evidence_blocks", "evidence_pool", "evidence_equal",
                  "unit_least_ms", "drift_same", "trial_favour", "promise_keep")
        said = says("--seeds", "4", *wanted)
        found = {cells[1]: cells[-2] for cells in
                 ([c.strip() for c in line.split("|")]
                  for line in said.splitlines()) if len(cells) == 7}
        assert {n: found[n] for n in wanted} == {
            "evidence_blocks": "no effect", "evidence_pool": "only a",
            "evidence_equal": "rare", "unit_least_ms": "matters",
            "drift_same": "unsure", "trial_favour": "not read",
            "promise_keep": "matters"}, said
        assert "-10.0 ±0.3 b, +10.0 ±0.3 a" in said, said
        assert "| c | 4 | +5.0 | 3.0 |" in said, said
        # What the file has is not run again, but for a look at the build.
        with open(log) as f:
            before = f.read().split("\n")
        assert "trial_favour" not in "".join(before)
        says("--seeds", "4", *wanted)
        with open(log) as f:
            assert set(f.read().split("\n")[len(before):]) <= {""}
        assert says("--report", "--list", "unsure",
                    *wanted).split() == ["drift_same"]
        says("--seeds", "400", "--first", "5", "drift_same")
        assert says("--report", "--list", "only",
                    "drift_same").split() == ["drift_same"]
        assert "it fails" in says("--seeds", "1", "phase_keep", status=1)
        assert "no constant of cof/" in says("--group", "no such", status=1)


def runs_of_another_build_are_refused():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "stepped")
        for text in STEPPED, STEPPED.replace("10.0 + seed", "9.0 + seed"):
            with open(program, "w") as f:
                f.write(text)
            os.chmod(program, 0o755)
            r = subprocess.run(
                [os.path.join(BENCH, "sensitivity"), "--stepped", "--program",
                 program, "--out", os.path.join(folder, "s.jsonl"),
                 "--seeds", "1", "evidence_blocks"],
                capture_output=True, text=True, check=False)
        assert r.returncode == 1 and "another build" in r.stderr, r
