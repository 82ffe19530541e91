#!/usr/bin/env python3
"""coverage.py - which lines and branches ran, folder by folder, by gcov

	coverage.py BUILD SOURCE [--files]

BUILD holds the .gcno and .gcda files of a build with --coverage. A line may be
in several objects: inline functions are, and files that tests compile again. It
has run if it ran in one of them, and so have the ways that a branch can go.
"""
import collections
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys

FOLDERS = ("cof", "hosts", "runtime", "tools")


def objects(build):
    for folder, _, names in os.walk(build):
        for name in names:
            if name.endswith(".gcno"):
                yield os.path.join(folder, name)


def lines_of(path):
    """(file, line, count, counts of its branches) of one object."""
    said = subprocess.run(["gcov", "--stdout", "--json-format",
                           "--branch-probabilities", path],
                          cwd=os.path.dirname(path), capture_output=True,
                          check=False)
    out = []
    for text in said.stdout.splitlines():
        document = json.loads(text)
        for f in document["files"]:
            at = os.path.join(document["current_working_directory"], f["file"])
            out += [(os.path.normpath(at), line["line_number"], line["count"],
                     [b["count"] for b in line["branches"]])
                    for line in f["lines"]]
    return out


def sum_up(build, source):
    """{file: {line: [count, counts of its branches]}}"""
    ran = collections.defaultdict(dict)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lines_of, objects(build)):
            for path, number, count, branches in found:
                path = os.path.relpath(os.path.realpath(path), source)
                if path.split("/")[0] not in FOLDERS:
                    continue
                line = ran[path].setdefault(number, [0, []])
                line[0] += count
                line[1] = [a + b for a, b in itertools.zip_longest(
                    line[1], branches, fillvalue=0)]
    return ran


def percent(hit, of):
    return "%6.1f" % (100 * hit / of) if of else "%6s" % "-"


def main():
    build, source = map(os.path.realpath, sys.argv[1:3])
    by_file = "--files" in sys.argv[3:]
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    for path, lines in sum_up(build, source).items():
        for key in (path if by_file else os.path.dirname(path),
                    path.split("/")[0] + ", all", "all"):
            for count, branches in lines.values():
                rows[key][0] += 1
                rows[key][1] += count > 0
                rows[key][2] += len(branches)
                rows[key][3] += sum(n > 0 for n in branches)
    if not rows:
        sys.exit("coverage.py: no .gcno files in " + build)
    print("%-36s %7s %6s %9s %6s" % ("", "lines", "ran %", "branches",
                                     "ran %"))
    sums_last = sorted(rows.items(), key=lambda r: (
        r[0].endswith("all"), r[0] == "all", r))
    for key, (lines, ran, branches, taken) in sums_last:
        print("%-36s %7d %s %9d %s" % (key, lines, percent(ran, lines),
                                       branches, percent(taken, branches)))


if __name__ == "__main__":
    main()
