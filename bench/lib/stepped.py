"""Constants halved and doubled in the drawn programs of bench/stepped."""
import json
import os
import subprocess

from lib.process import Failed

SHAKES = 3              # that say what chance does
BASE = "-"              # stands for no constant


class Runs:
    """What bench/stepped printed: {(family, seed): (CPU time, digest)}, and the
    constants that were read."""

    def __init__(self, text):
        self.of, self.read, self.gains = {}, set(), {}
        for line in text.splitlines():
            d = json.loads(line)
            if "read" in d:
                self.read = set(d["read"])
                continue
            key = d["family"], d["seed"]
            self.of[key] = d["cpu_s"], d["digest"]
            self.gains[key] = d["gain_pct"]


class Journal:
    """A file of runs, a line for each setting and batch of programs. A line of
    another build is not taken: programs, and what libcof does, may differ."""

    def __init__(self, path):
        self.path, self.lines = path, {}
        if os.path.exists(path):
            with open(path) as f:
                for line in f:
                    if line.endswith("\n"):
                        d = json.loads(line)
                        self.lines[self.key(d)] = d["out"]

    @staticmethod
    def key(d):
        return d["set"], d["shake"], d["first"], d["seeds"]

    def add(self, line):
        with open(self.path, "a") as f:
            f.write(json.dumps(line) + "\n")
        self.lines[self.key(line)] = line["out"]


class Bench:
    def __init__(self, program, journal, verbose=False):
        self.program, self.journal, self.verbose = program, journal, verbose

    def start(self, setting, shake, first, seeds):
        """`setting` is for COF_TUNING; empty: none."""
        key = setting, shake, first, seeds
        if key not in self.journal.lines:
            env = {k: v for k, v in os.environ.items()
                   if k not in ("COF_OPTIONS", "COF_TUNING")}
            if setting:
                env["COF_TUNING"] = setting
            r = subprocess.run([self.program, "--seeds", str(seeds), "--first",
                                str(first), "--shake", str(shake)], env=env,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, check=False)
            if r.returncode != 0:
                raise Failed("%s, %s: %s" % (self.program, setting,
                                             r.stderr.strip()[-300:]))
            self.journal.add({"set": setting, "shake": shake, "first": first,
                              "seeds": seeds, "out": r.stdout})
            if self.verbose:
                print(setting or BASE, flush=True)
        return Runs(self.journal.lines[key])

    def check(self):
        """The journal must be of this build, and the build read COF_TUNING."""
        for (setting, shake, first, seeds), out in \
                list(self.journal.lines.items()):
            if setting or shake:
                continue
            del self.journal.lines[setting, shake, first, seeds]
            fresh = Bench(self.program, Journal(os.devnull))
            if fresh.start(setting, shake, first, seeds).of != Runs(out).of:
                raise Failed("%s is of another build; name another --out" %
                             self.journal.path)
            self.journal.lines[setting, shake, first, seeds] = out
        if not self.start("", 0, 1, 1).read:
            raise Failed("%s does not read COF_TUNING: configure with "
                         "--enable-tuning" % self.program)


def run(bench, constants, first, seeds):
    """Run what is not in the journal yet. A constant that nobody read in the
    unchanged programs is not changed: it cannot make a difference."""
    read = bench.start("", 0, first, seeds).read
    for shake in range(1, SHAKES + 1):
        bench.start("", shake, first, seeds)
    for c in constants:
        if c.name in read:
            for value in c.settings().values():
                bench.start("%s=%r" % (c.name, value), 0, first, seeds)
