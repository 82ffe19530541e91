"""The table of workloads, and their inputs."""
import os
import subprocess
import sys
import tempfile

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = os.path.dirname(BENCH)


class Workload:
    """A line of workloads.txt."""

    def __init__(self, line):
        (self.name, self.program, test_n, self.stdin, self.filter,
         *self.args) = line.split()
        self.test_n = int(test_n)
        self.scratch = tempfile.gettempdir()    # for its own files
        self.lines = self.filter == "lines"
        self.dotnet = self.program.startswith("cs-")
        # Without an N there is one size.
        self.fixed = self.stdin == "-" and "@N" not in " ".join(self.args)

    def arguments(self, n):
        return [a.replace("@N", str(n)).replace("@S", SOURCE)
                .replace("@T", self.scratch) for a in self.args]

    def input(self, folder, n):
        """The file for standard input of N units; it is made if need be."""
        if self.stdin == "-":
            return os.devnull
        path = os.path.join(folder, "%s.%d" % (self.stdin, n))
        if not os.path.exists(path):
            with open(path + ".new", "wb") as out:
                subprocess.run(
                    ["awk", "-v", "mb=%d" % n, "-f",
                     os.path.join(BENCH, self.stdin + ".awk")],
                    stdout=out, check=True)
            os.rename(path + ".new", path)
        return path


def table():
    with open(os.path.join(BENCH, "workloads.txt")) as lines:
        return [Workload(l) for l in lines if l[:1].isalpha()]


def choose(wanted):
    """The workloads named, or all; NAME* stands for many."""
    every = table()
    for name in wanted:
        if not any(_fits(w, name) for w in every):
            sys.exit("no workload %s; there are: %s" %
                     (name, " ".join(w.name for w in every)))
    return [w for w in every
            if not wanted or any(_fits(w, name) for name in wanted)]


def _fits(workload, name):
    if name.endswith("*"):
        return workload.name.startswith(name[:-1])
    return name in (workload.name, workload.program)
