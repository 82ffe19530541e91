"""What a journal of bench/sensitivity --stepped says of each constant."""
import math

from lib.stepped import BASE, Runs

LIMIT = 2.0             # percent of the time of a family's programs
ALL = "all"             # stands for all families
ALL_LIMIT = 1.0         # percent of their mean time,
CLIP = 3.0              # to which one family adds no more than this
ERRORS = 3.5            # that an effect is beyond chance
HINTS = 2.5             # that it may be
SHOWN = 3               # families that are surely moved, at most
MATTERS, ONLY, UNSURE, RARE, NONE, UNREAD = \
    "matters", "only", "unsure", "rare", "no effect", "not read"
VERDICTS = MATTERS, ONLY, UNSURE, RARE, NONE, UNREAD


def logs(runs, base):
    """{family: [log of the time over that of the unchanged run, by seed]}"""
    out = {}
    for key in sorted(runs.keys() & base.keys()):
        out.setdefault(key[0], []).append(
            math.log(runs[key][0] / base[key][0]))
    return out


def percent(log):
    return 100 * math.expm1(log)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


class Chance:
    """How much the time of each family's programs differs if samples fall
    elsewhere: the standard deviation of one program."""

    def __init__(self, base, shaken):
        squares = {}
        for runs in shaken:
            for family, by in logs(runs, base).items():
                squares.setdefault(family, []).extend(x * x for x in by)
        # A base and a shaken run are off by as much each.
        self.of = {f: math.sqrt(mean(s)) for f, s in squares.items()}

    def error(self, family, n):
        return self.of.get(family, math.inf) / math.sqrt(n)


class Effect:
    """Of one setting of a constant, on the families' mean times."""

    def __init__(self, runs, base, chance):
        self.equal = all(runs[k] == base[k] for k in runs.keys() & base.keys())
        by = logs(runs, base)
        self.by = {f: percent(mean(x)) for f, x in by.items()}
        self.error = {f: 100 * chance.error(f, len(x)) for f, x in by.items()}
        n = len(self.by)
        clipped = [max(-CLIP, min(CLIP, m)) for m in self.by.values()]
        self.error[ALL] = math.hypot(*self.error.values()) / n
        self.by[ALL] = sum(clipped) / n
        self.sure, self.hints = self.beyond(ERRORS), self.beyond(HINTS)

    def beyond(self, errors):
        """The families moved by more than the limit and so many errors."""
        return [f for f, m in self.by.items()
                if abs(m) > (ALL_LIMIT if f == ALL else LIMIT) and
                abs(m) > errors * self.error[f]]

    def text(self):
        if self.equal:
            return "="
        # The families that are surely moved come first.
        order = sorted(self.by, reverse=True,
                       key=lambda f: (f in self.sure,
                                      abs(self.by[f]) / self.error[f]))
        return ", ".join("%+.1f ±%.1f %s" % (self.by[f], self.error[f], f)
                         for f in order[:max(1, min(SHOWN, len(self.sure)))])


def verdict(effects):
    """`effects`: of each setting of a constant that was read."""
    if all(e.equal for e in effects):
        return NONE
    sure = {f for e in effects for f in e.sure}
    if len(sure) > 1 or ALL in sure:
        return MATTERS
    if sure:
        return "%s %s" % (ONLY, sure.pop())
    return UNSURE if any(e.hints for e in effects) else RARE


class Report:
    def __init__(self, journal):
        by, self.read, self.gains = {}, set(), {}
        for (setting, shake, _, _), out in journal.lines.items():
            runs = Runs(out)
            by.setdefault((setting, shake), {}).update(runs.of)
            if not setting and not shake:
                self.read |= runs.read
                for (family, seed), gain in runs.gains.items():
                    self.gains.setdefault(family, {})[seed] = gain
        self.base = by.get(("", 0), {})
        self.by = {s: runs for (s, shake), runs in by.items() if s}
        self.chance = Chance(self.base, [runs for (s, shake), runs in
                                         by.items() if not s and shake])

    def effects(self, constant):
        """{"half": Effect, "double": Effect}, of those that were run."""
        out = {}
        for name, value in constant.settings().items():
            runs = self.by.get("%s=%r" % (constant.name, value))
            if runs:
                out[name] = Effect(runs, self.base, self.chance)
        return out

    def verdict(self, constant):
        """None: it was not run."""
        if constant.name not in self.read:
            return UNREAD
        effects = self.effects(constant)
        return verdict(effects.values()) if effects else None


def families(report):
    """The programs as a table."""
    out = ["| family | programs | gain, percent | chance, percent of one |",
           "|---|---|---|---|"]
    for family, gains in report.gains.items():
        out.append("| %s | %d | %+.1f | %.1f |" % (
            family, len(gains), mean(gains.values()),
            100 * report.chance.of.get(family, 0)))
    return out


def table(report, constants):
    """The constants, part by part, and how many have which verdict."""
    out, part, counts = [], None, {}
    for c in constants:
        found = report.verdict(c)
        if found is None:
            continue
        kind = found.split()[0] if found.startswith(ONLY) else found
        counts[kind] = counts.get(kind, 0) + 1
        if c.part != part:
            part = c.part
            out += ["", "## " + part[0].upper() + part[1:], "",
                    "| constant | value | half | double | verdict |",
                    "|---|---|---|---|---|"]
        by = report.effects(c) if found != UNREAD else {}
        out.append("| %s | %s %s | %s | %s | %s |" % (
            c.name, c.written, c.unit,
            *(by[s].text() if s in by else "" for s in ("half", "double")),
            found))
    return out, counts


def markdown(report, constants):
    rows, counts = table(report, constants)
    said = ", ".join("%s %d" % (v, counts[v]) for v in VERDICTS if v in counts)
    return "\n".join([*families(report), *rows, "", "In all: %s." % said]) + \
        "\n"


def names(report, constants, which):
    return [c.name for c in constants
            if (report.verdict(c) or BASE).startswith(which)]
