"""The turns that bench/sensitivity has measured, in a file."""
import json
import os

from lib.process import Failed

FORMAT = 1


class Journal:
    """Lines of JSON: one of kind "settings", one of kind "size" a workload, and
    one of kind "turn" for each turn of a workload with a constant."""

    def __init__(self, path):
        self.path, self.settings, self.sizes, self.turns = path, None, {}, []
        try:
            with open(path, "rb") as f:
                data = f.read()
        except FileNotFoundError:
            return
        whole = data[:data.rfind(b"\n") + 1]
        for line in whole.splitlines():
            self._take(json.loads(line))
        self.whole = len(whole)
        self.cut = len(whole) < len(data)

    def _take(self, line):
        if line["kind"] == "settings":
            self.settings = line
        elif line["kind"] == "size":
            self.sizes[line["workload"]] = line["n"]
        else:
            self.turns.append(line)

    def add(self, line):
        """Write a line to disk; then it counts."""
        if getattr(self, "cut", False):         # a killed writer's last line
            os.truncate(self.path, self.whole)
            self.cut = False
        with open(self.path, "a") as f:
            f.write(json.dumps(line, separators=(",", ":")) + "\n")
            f.flush()
            os.fsync(f.fileno())
        self._take(line)

    def begin(self, settings):
        """All turns of a file must have the same settings."""
        settings = {"kind": "settings", "format": FORMAT, **settings}
        if self.settings is None:
            self.add(settings)
        elif self.settings != settings:
            differ = sorted(k for k in {*settings, *self.settings}
                            if settings.get(k) != self.settings.get(k))
            raise Failed("%s has turns with another %s; name another --out" %
                         (self.path, ", ".join(differ)))

    def done(self):
        return {(t["constant"], t["workload"], t["turn"]) for t in self.turns}
