#!/usr/bin/env python3
"""check_layers.py - a folder calls only what stands before it

	check_layers.py SOURCE BUILD

Makefile.am includes the folders of cof/ and of each host in the order in which
they may call each other. The script reads that order. nm(1) tells which object
file of BUILD defines each function and variable of the project, and which files
use it. Reported are

	upward calls	a folder uses a name that a later folder defines
	foreign calls	a host uses a name of another host
	circles		files that call each other, in a ring
	includes	a folder includes a header of a later folder, or of
			another host

The project's stand-ins for functions of libc have no layer and are left out: a
call of malloc(3) is one of libc's, whichever file defines it. Nor have the
headers that stand in cof/ itself and in a host's own folder: the public
interface, and the state of an instance, of which each layer has a part.
Exit status: 0 if nothing is reported, 1 if something is, 2 if nothing could be
read.
"""
import ctypes
import os
import re
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.M)
UNSEEN_MOST = 5
LIBC = ctypes.CDLL("libc.so.6")
# Functions of libc's that its shared library does not export.
LIBC_STATIC = ("atexit", "at_quick_exit", "pthread_atfork")
# Headers of these folders have no layer.
SHARED = re.compile(r"(?:cof|hosts/\w+)/\w+\.h")


def layers(source):
    """The folders, lowest first."""
    order = []
    with open(os.path.join(source, "Makefile.am"), encoding="utf-8") as f:
        for line in f:
            m = re.match(r"include ((?:cof|hosts)/\S+)/local\.mk", line)
            if m:
                order.append(m.group(1))
    return {folder: rank for rank, folder in enumerate(order)}


def objects(source, build):
    """(path, FOLDER/NAME of its source) of each object; libtool's are in a
    folder .libs. Objects whose source is gone, left by an earlier build, are
    skipped."""
    for top in ("cof", "hosts"):
        for path, _, files in os.walk(os.path.join(build, top)):
            for name in sorted(files):
                if not name.endswith(".o"):
                    continue
                made_of = source_of(build, os.path.join(path, name))
                if any(os.path.exists(os.path.join(source, made_of + e))
                       for e in (".c", ".cpp", ".S")):
                    yield os.path.join(path, name), made_of


def source_of(build, path):
    """FOLDER/NAME of an object's source. Automake puts the name of the program
    or library before NAME."""
    folder, name = os.path.split(os.path.relpath(path, build))
    if os.path.basename(folder) == ".libs":
        folder = os.path.dirname(folder)
    return folder + "/" + name[:-2].rsplit("-", 1)[-1]


def unseen(source, seen):
    """The files of cof/ that no object was made of. A few have another in their
    place."""
    made = [os.path.join(path, name)[len(source) + 1:-2]
            for path, _, files in os.walk(os.path.join(source, "cof"))
            for name in files if name.endswith(".c")]
    return [name for name in made if name not in seen]


def is_libcs(name):
    return name in LIBC_STATIC or hasattr(LIBC, name)


def symbols(path):
    """(name, kind) of each, as nm(1) has them, but for those that several
    objects may define (W, V): functions of C++ headers are nobody's."""
    out = subprocess.run(["nm", "-P", path], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    for line in out.splitlines():
        name, kind = line.split()[:2]
        if kind in "UTDBRC" and not is_libcs(name):
            yield name, kind


def calls(source_folder, build):
    """{user: {definer: names}}; users and definers are files."""
    defined, used = {}, {}
    for path, source in objects(source_folder, build):
        used.setdefault(source, set())
        for name, kind in symbols(path):
            if kind == "U":
                used[source].add(name)
            else:
                defined.setdefault(name, source)
    edges = {source: {} for source in used}
    for source, names in used.items():
        for name in sorted(names):
            definer = defined.get(name, source)
            if definer != source:
                edges[source].setdefault(definer, []).append(name)
    return edges


def host_of(path):
    return path.split("/")[1] if path.startswith("hosts/") else None


def upward(edges, rank):
    for source in sorted(edges):
        for definer in sorted(edges[source]):
            here, there = os.path.dirname(source), os.path.dirname(definer)
            names = " ".join(edges[source][definer])
            if here not in rank or there not in rank:
                yield f"{source} calls {definer}, of no layer: {names}"
            elif host_of(there) and host_of(here) != host_of(there):
                yield f"{source} calls another host, {definer}: {names}"
            elif rank[there] > rank[here]:
                yield f"{source} calls upward, {definer}: {names}"


def circles(edges):
    """Strongly connected components of more than one file (Tarjan, 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in edges.get(v, {}):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            at = stack.index(v)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10000)
    for v in sorted(edges):
        if v not in index:
            visit(v)
    return found


def included(source, name):
    """The headers of the project that file NAME includes."""
    folder, host = os.path.dirname(name), host_of(name)
    roots = ["", "cof", folder] + (["hosts/" + host] if host else [])
    with open(os.path.join(source, name), encoding="utf-8") as f:
        for header in INCLUDE.findall(f.read()):
            for root in roots:
                path = os.path.join(root, header)
                if os.path.exists(os.path.join(source, path)):
                    yield path
                    break


def includes(source, rank):
    """Those that lead upward, or into another host."""
    for folder in rank:
        for name in sorted(os.listdir(os.path.join(source, folder))):
            path = os.path.join(folder, name)
            if not name.endswith((".c", ".cpp", ".h", ".S")) or \
                    SHARED.fullmatch(path):
                continue
            for header in included(source, path):
                there = os.path.dirname(header)
                if host_of(there) and host_of(folder) != host_of(there):
                    yield f"{path} includes {header}, of another host"
                elif rank.get(there, 0) > rank[folder]:
                    yield f"{path} includes {header}, of a later layer"


def main(source, build):
    rank = layers(source)
    edges = calls(source, build)
    missing = unseen(source, edges)
    if not rank or len(missing) > UNSEEN_MOST:
        print("check_layers.py: no layers, or no objects of " +
              " ".join(missing[:UNSEEN_MOST]), file=sys.stderr)
        return 2
    faults = list(upward(edges, rank)) + list(includes(source, rank))
    faults += ["a circle: " + " ".join(c) for c in circles(edges)]
    for fault in faults:
        print(fault)
    calls_seen = sum(len(to) for to in edges.values())
    print(f"{len(edges)} files, {calls_seen} calls between them, "
          f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: check_layers.py SOURCE BUILD")
    sys.exit(main(sys.argv[1], sys.argv[2]))
