"""The constants of the tuning.def tables, as data."""
import os
import re

from lib.workload import SOURCE

# (file, prefix of its names in COF_TUNING, the workloads that use it)
TABLES = (
    ("cof/options/tuning.def", "", "all"),
    ("hosts/llvm/support/tuning.def", "llvm.", "bitcode"),
    ("hosts/mono/vm/tuning.def", "mono.", "dotnet"),
)
LEAST_FIELDS = 6        # what follows has a default (tuning.def)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
ENTRY = re.compile(r"COF_TUNE_(PART|INT|REAL)\(", re.S)
INCLUDE = re.compile(r'#include "options/(\w+\.def)"')
WORD = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^,()"]+))\s*')


class Constant:
    """One entry. value, least and most are numbers; `written` is the value's
    text in the table."""

    def __init__(self, prefix, about, part, kind, fields):
        fields += ["judgement", "not measured"][len(fields) - LEAST_FIELDS:]
        name, self.written, least, most, self.unit, *rest = fields
        self.name, self.about, self.part = prefix + name, about, part
        self.what, self.source, self.measured = rest
        self.whole = kind == "INT"
        self.value, self.least, self.most = map(
            self.number, (self.written, least, most))

    def number(self, text):
        return int(text) if self.whole else float(text)

    def settings(self):
        """{"half": ..., "double": ...}, within the limits, without a setting
        that is the value itself."""
        out = {}
        for setting, v in (("half", self.value / 2),
                           ("double", self.value * 2)):
            if self.whole:
                v = int(v)
            v = min(max(v, self.least), self.most)
            if v != self.value:
                out[setting] = v
        return out

    def runs(self, workload):
        """Does the workload use the constant?"""
        return self.about in ("all", "dotnet" if workload.dotnet else "bitcode")


def _arguments(text, at):
    """The arguments up to the closing parenthesis; adjacent strings are one."""
    out, word = [], ""
    while True:
        m = WORD.match(text, at)
        if m:
            word += m.group(1) if m.group(1) is not None else \
                m.group(2).strip()
            at = m.end()
        elif text[at] == ",":
            out.append(word)
            word, at = "", at + 1
        elif text[at] == ")":
            return [*out, word], at + 1
        else:
            raise ValueError("tuning.def: %r" % text[at:at + 40])


def _read(path):
    """A table without comments, with those that it includes."""
    with open(path) as f:
        text = COMMENT.sub("", f.read())
    return INCLUDE.sub(
        lambda m: _read(os.path.join(os.path.dirname(path), m.group(1))),
        text.split("#undef")[0])


def table():
    """All constants, in the order of the tables."""
    out = []
    for path, prefix, about in TABLES:
        text, part, at = _read(os.path.join(SOURCE, path)), "", 0
        while (m := ENTRY.search(text, at)):
            fields, at = _arguments(text, m.end())
            if m.group(1) == "PART":
                part = fields[0]
            else:
                out.append(Constant(prefix, about, part, m.group(1), fields))
    return out


def choose(wanted):
    """The constants named, or all; NAME* stands for many."""
    every = table()
    for name in wanted:
        if not any(_fits(c, name) for c in every):
            raise SystemExit("no constant %s; see --table" % name)
    return [c for c in every
            if not wanted or any(_fits(c, name) for name in wanted)]


def _fits(constant, name):
    if name.endswith("*"):
        return constant.name.startswith(name[:-1])
    return name == constant.name


def document():
    """The tables as a section of a document."""
    out, part = ["# Constants", ""], None
    for c in table():
        if c.part != part:
            part = c.part
            out += ["" if out[-1] else None, "## " + part[0].upper() + part[1:],
                    "", "| constant | value | what | source | measured with |",
                    "|---|---|---|---|---|"]
        out.append("| %s | %s %s | %s | %s | %s |" % (
            c.name, c.written, c.unit, c.what, c.source, c.measured))
    return "\n".join(line for line in out if line is not None) + "\n"
