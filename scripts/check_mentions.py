#!/usr/bin/env python3
"""check_mentions.py - every file that a comment or a document names exists

	check_mentions.py SOURCE

A name is a path without its first folders, or without any. It is looked for in
comments, in Python's docstrings, and in the text and commands of documents. Of
the names that are not in the tree, these are no fault:

	<link.h>	a header of the system
	linux:mm/mmap.c	PROJECT:PATH, a file of another project
	tests/NAME.c	a pattern: one of its parts is in capitals
	config.h	what configure makes
	X.c		what a block of the same document writes, ```c file=X.c

The glossary's table of old words may name files that are gone. Exit status: 0
if all is well, 1 if a name is wrong.
"""
import os
import re
import sys

from check_house import read, tracked

NAME = re.compile(r"[\w/.-]+\.(?:c|h|S|def|py|sh|mk|md|cpp)\b(?![\w/])")
FOREIGN = re.compile(r"<[\w/.-]+>|(?<![\w/.-])[a-z]+:[\w/.-]+")
PATTERN = re.compile(r"(?:^|[/_])[A-Z]+[/._](?!md$)")
MADE = {"config.h"}
# A comment of each kind of file, and before it what may look like one.
C_COMMENT = re.compile(
    r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|(/\*.*?\*/|//[^\n]*)", re.S)
HASH_COMMENT = re.compile(r"(?:^|(?<=\s))((?:#|dnl)[ \t!][^\n]*)", re.M)
PY_COMMENT = re.compile(r"((?:#[ \t!][^\n]*)|\"\"\".*?\"\"\")", re.S)
ALL = re.compile(r"(.*)", re.S)
KINDS = (
    ((".c", ".h", ".S", ".def", ".cpp", ".cc", ".cs", ".js", ".v"), C_COMMENT),
    ((".py",), PY_COMMENT),
    ((".sh", ".mk", ".am", ".ac", ".awk", ".txt"), HASH_COMMENT),
    ((".md",), ALL))


def comment_of(name, text):
    """What a comment of this file looks like; None: it is not looked at."""
    for ends, comment in KINDS:
        if name.endswith(ends):
            return comment
    if "/" in name and text.startswith("#!"):     # not a made configure
        return PY_COMMENT if "python" in text[:40] else HASH_COMMENT
    return None


def suffixes(files):
    """Each path, and each without its first folders."""
    return {f[at:] for f in files
            for at in [0, *(m.end() for m in re.finditer("/", f))]}


def faults(source):
    files = tracked(source)
    there = suffixes(files) | MADE
    for file in files:
        text = read(source, file)
        comment = comment_of(file, text)
        if comment is None:
            continue
        if file.endswith("glossary.md"):
            text = text.split("\n## Old words\n")[0]
        written = set(re.findall(r"^ *```\w+ file=(\S+)", text, re.M))
        for c in comment.finditer(text):
            said = FOREIGN.sub(lambda m: " " * len(m[0]), c[1] or "")
            for m in NAME.finditer(said):
                name = m[0].lstrip("./-")
                if name not in there | written and not PATTERN.search(name):
                    line = 1 + text.count("\n", 0, c.start(1) + m.start())
                    yield f"{file}:{line}: no file {m[0]}"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_mentions.py SOURCE")
    FOUND = list(faults(sys.argv[1]))
    for fault in FOUND:
        print(fault)
    print("FAIL house_mentions" if FOUND else "ok house_mentions")
    sys.exit(1 if FOUND else 0)
