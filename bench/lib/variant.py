"""The ways to run a program: natively, by lli, or under `runtime` in a mode.

A .NET program runs natively on the system's Mono."""
import os
import subprocess

from lib import workload as table
from lib.process import Failed

PEERS = {
    "native": "clang -O2; a .NET program: the system's mono",
    "native-o3": "clang -O3 -flto -march=native",
    "native-pgo": "the same, with instrumented PGO trained on this workload",
    "lli": "lli-22 on the bitcode",
}
MODES = ("off", "pgo", "co", "full", "auto")
NAMES = (*PEERS, *MODES)
NO_SOURCES = 77         # programs.sh cannot get or make it here


class Variant:
    def __init__(self, name, args):
        if name not in NAMES:
            raise Failed("no variant %s; there are: %s" %
                         (name, " ".join(NAMES)))
        self.name, self.args = name, args
        self.learns = name in MODES     # may behave otherwise in a later run

    def targets(self, workload):
        """What scripts/programs.sh has to make."""
        if self.name == "native-o3":
            return [workload.program + ".native-o3"]
        if self.name == "native-pgo":
            return [workload.name + ".native-pgo"]
        return [workload.program]

    def command(self, workload, n):
        folder = self.args.programs
        program = os.path.join(folder, workload.program)
        if workload.dotnet:
            head = [*self.dotnet(), program + ".exe"]
        elif self.learns:
            head = [self.args.runtime, "--cof=" + self.name,
                    *self.args.option, program + ".bc"]
        elif self.name == "lli":
            head = [self.args.lli, program + ".bc"]
        else:
            head = [os.path.join(folder, t) for t in self.targets(workload)]
            if self.name == "native":
                head = [program + ".native"]
        return head + workload.arguments(n)

    def runs(self, workload):
        return not workload.dotnet or self.learns or self.name == "native"

    def dotnet(self):
        if self.learns:
            return [self.args.runtime, "--cof=" + self.name,
                    *self.args.option]
        return ["mono"]


def prepare(variants, workload, args):
    """Make the missing targets. False: one is not to be had, or cannot run."""
    if not all(v.runs(workload) for v in variants):
        return False
    wanted = []
    for v in variants:
        wanted += [t for t in v.targets(workload) if t not in wanted]
    script = os.path.join(table.SOURCE, "scripts", "programs.sh")
    status = subprocess.run([script, args.programs, workload.program, *wanted],
                            stdout=subprocess.DEVNULL).returncode
    if status not in (0, NO_SOURCES):
        raise Failed("programs.sh failed for " + workload.name)
    return status == 0
