#!/usr/bin/env python3
"""check_contract.py - what docs/contract.md promises is shown by tests

	check_contract.py SOURCE BUILD

Each row of a table of docs/contract.md names, in its last column, the tests
that show what it promises: files, and in brackets after one the names of tests
in it. Reported are rows without a test, files and tests that are not there,
and each object of the library that refers to something in UNWANTED.

Exit status: 0 if nothing is reported, 1 if something is.
"""
import os
import re
import subprocess
import sys

from check_house import read, tracked
from check_layers import objects

PAGE = "docs/contract.md"
SHOWN = re.compile(r"`([\w./-]+)`(?: \(([\w, ]+)\))?")
# What ends the process, and its streams. Assertions are there with
# --enable-debug alone.
UNWANTED = {
    "abort", "exit", "_exit", "_Exit", "quick_exit", "raise",
    "err", "errx", "warn", "warnx", "stdout", "stderr", "printf",
    "__printf_chk", "vprintf", "puts", "putchar", "perror", "psignal",
    "syslog", "__syslog_chk"}


def rows(text):
    """(line, the last cell) of each row whose table ends in `shown by`."""
    inside = False
    for n, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            inside = False
        elif line.rstrip(" |").endswith("| shown by"):
            inside = True
        elif inside and not line.startswith("|---"):
            yield n, line.strip(" |").rsplit(" | ", 1)[-1]


def faults_of_rows(source):
    files = [f for f in tracked(source) if f.startswith(("tests/", "scripts/"))]
    for n, cell in rows(read(source, PAGE)):
        shown = SHOWN.findall(cell)
        if not shown:
            yield f"{PAGE}:{n}: no test"
        for name, tests in shown:
            found = [f for f in files if ("/" + f).endswith("/" + name)]
            if len(found) != 1:
                yield f"{PAGE}:{n}: {len(found)} files {name}"
                continue
            text = read(source, found[0])
            for test in filter(None, tests.split(", ")):
                if not re.search(r"\b%s\b" % test, text):
                    yield f"{PAGE}:{n}: {found[0]} has no {test}"


def faults_of_calls(source, build):
    for path, made_of in objects(source, build):
        if not made_of.startswith("cof/"):
            continue
        out = subprocess.run(["nm", "-P", "--undefined-only", path], text=True,
                             check=True, stdout=subprocess.PIPE).stdout
        for line in out.splitlines():
            if line.split()[0] in UNWANTED:
                yield f"{made_of} refers to {line.split()[0]}"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: check_contract.py SOURCE BUILD")
    if not os.path.isdir(sys.argv[2]):
        sys.exit(f"check_contract.py: no folder {sys.argv[2]}")
    FOUND = [*faults_of_rows(sys.argv[1]),
             *faults_of_calls(sys.argv[1], sys.argv[2])]
    for fault in FOUND:
        print(fault)
    print("FAIL house_contract" if FOUND else "ok house_contract")
    sys.exit(1 if FOUND else 0)
