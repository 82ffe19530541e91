#!/usr/bin/env python3
"""coverage.py - which lines ran, folder by folder, by gcov

	coverage.py BUILD SOURCE [--files]

BUILD holds the .gcno and .gcda files of a build with --coverage. A line may be
in several objects: inline functions are, and files that tests compile again. It
has run if it ran in one of them.
"""
import collections
import concurrent.futures
import json
import os
import subprocess
import sys


def objects(build):
    for folder, _, names in os.walk(build):
        for name in names:
            if name.endswith(".gcno"):
                yield os.path.join(folder, name)


def lines_of(path):
    """(file, line, count) of one object."""
    said = subprocess.run(["gcov", "--stdout", "--json-format", path],
                          cwd=os.path.dirname(path), capture_output=True)
    out = []
    for text in said.stdout.splitlines():
        document = json.loads(text)
        for f in document["files"]:
            at = os.path.join(document["current_working_directory"], f["file"])
            out += [(os.path.normpath(at), line["line_number"], line["count"])
                    for line in f["lines"]]
    return out


def main():
    build, source = map(os.path.realpath, sys.argv[1:3])
    by_file = "--files" in sys.argv[3:]
    ran = collections.defaultdict(lambda: collections.defaultdict(int))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lines_of, objects(build)):
            for path, line, count in found:
                path = os.path.relpath(os.path.realpath(path), source)
                if path.split("/")[0] in ("cof", "hosts", "runtime", "tools"):
                    ran[path][line] += count
    rows = collections.defaultdict(lambda: [0, 0])
    for path, lines in ran.items():
        for key in {path if by_file else os.path.dirname(path), "all"}:
            rows[key][0] += sum(n > 0 for n in lines.values())
            rows[key][1] += len(lines)
    if not rows:
        sys.exit("coverage.py: no .gcno files in " + build)
    print("%-40s %8s %8s %6s" % ("", "lines", "ran", "%"))
    for key, (hit, of) in sorted(rows.items(),
                                 key=lambda r: (r[0] == "all", r)):
        print("%-40s %8d %8d %6.1f" % (key, of, hit, 100 * hit / max(of, 1)))


if __name__ == "__main__":
    main()
