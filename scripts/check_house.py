#!/usr/bin/env python3
"""check_house.py - sizes, names, words, widths and rights of the tree

	check_house.py SOURCE BUILD

Checked are

	sizes	a source file or script has at most 400 lines (cof.h is one page
		for its readers, and may have more), a folder at most 30 of them
	headers	a file that exports something has a header: of its own name, of
		the first part of its name, or of its folder's name
	names	an exported name begins with `cof_` (hosts: `cofl_`, `cofm_`)
		and the noun of its file, of the header or of the folder;
		the functions of cof.h are free
	records	struct cof_version and struct cof_method have at most 15 members
	words	no file has, and no name is, a word that docs/glossary.md calls
		old (check_words.py)
	columns	a line has at most 80 columns, tabs being eight wide; one that
		is nothing but a string may have more
	prose	a line of a document has at most 88 columns, outside of tables,
		code and pictures; one that holds an address may have more
	listed	a file of the libraries, the runtime or a tool, and a header of
		the tests, is in a list of a *.mk or Makefile.am, so that a
		tarball has it
	tests	a folder of test programs mirrors one of the source; a test or
		fuzzer named after one file of its library is in the folder that
		mirrors that file's
	scripts	e2e_*.sh, and a file that begins with `#!`, may be executed

Exit status: 0 if all is well, 1 if something is not.
"""
import os
import re
import shutil
import subprocess
import sys

from check_layers import is_libcs, objects
from check_words import read, words

SOURCES = (".c", ".cpp", ".h", ".S", ".def", ".cs")
MOST_LINES = 400
MOST_FILES = 30
MOST_MEMBERS = 15
MOST_COLUMNS = 80
MOST_PROSE = 88
TAB = 8
PREFIX = {"cof": "cof_", "hosts/llvm": "cofl_", "hosts/mono": "cofm_"}
# Of libcof-preload.so, where no other library sees the names.
HIDDEN = tuple("hosts/llvm/%s/" % f
               for f in ("preload", "process", "own_threads"))
# Folders of the project's own sources, and the files that may be longer.
TOPS = ("cof", "hosts", "runtime", "tools", "tests", "bench")
SCRIPTS = (".sh", ".py", ".awk")
LONG = ("cof/cof.h",)
# Those of them whose files are listed one by one; of the tests the headers are.
SHIPPED = ("cof/", "hosts/", "runtime/", "tools/")
# Those that tests mirror, and what a file of code ends with.
LIBRARIES = ("cof", "hosts/llvm", "hosts/mono", "hosts/toy", "runtime", "tools")
CODE = (".c", ".cpp", ".h", ".S")
# Text whose lines have a width, beside scripts without an ending.
NARROW = (".c", ".h", ".S", ".cpp", ".def", ".sh", ".py", ".awk", ".mk", ".am",
          ".ac")
STRING = re.compile(r'\s*"(?:\\.|[^"\\])*"[,;)]*')


def tracked(source):
    """The files of the tree, without what a build adds."""
    git = subprocess.run(["git", "-C", source, "ls-files"], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         check=False) if shutil.which("git") else None
    # Git knows none of the files of a tarball, wherever that was unpacked.
    found = git.stdout.splitlines() if git else []
    if not found:
        found = next(os.walk(source))[2]
        for top in TOPS + ("docs", "scripts"):
            for path, _, files in os.walk(os.path.join(source, top)):
                found += [os.path.relpath(os.path.join(path, f), source)
                          for f in files]
    return sorted(f for f in found if os.path.isfile(os.path.join(source, f)))


def is_source(name):
    return name.startswith(TOPS) and name.endswith(SOURCES)


def is_own_script(source, name):
    """Is it a script of the project's? What a tarball adds is none."""
    folder, file = os.path.split(name)
    if folder and not name.startswith(TOPS + ("scripts", "docs", ".ci")):
        return False
    return file.endswith(SCRIPTS) or (
        "." not in file and file != "configure" and is_script(source, name))


def sizes(source, files):
    folders = {}
    for name in files:
        if not is_source(name) and not is_own_script(source, name):
            continue
        folder = os.path.dirname(name)
        folders[folder] = folders.get(folder, 0) + 1
        lines = read(source, name).count("\n")
        if lines > MOST_LINES and name not in LONG:
            yield f"{name} has {lines} lines"
    for folder, n in sorted(folders.items()):
        if n > MOST_FILES:
            yield f"{folder} has {n} source files"


def top_of(name):
    for top in ("hosts/llvm", "hosts/mono", "cof"):
        if name.startswith(top + "/"):
            return top
    return None


def nouns(name):
    """The nouns that names of a file may begin with: the file's own, without
    the machine at its end, and those of its folders; singular and plural."""
    stem = re.sub(r"_(x86_64|none)$", "", name)
    return {n for s in stem.split("/")[1:]
            for n in (s, s[:-1] if s.endswith("s") else s + "s")}


def exports(source, build):
    """{file: the project's names that it exports}, without those that cof.h and
    stepped.h declare."""
    known = public(source)
    found = {}
    for path, made_of in objects(source, build):
        if not top_of(made_of) or made_of.endswith("/main"):
            continue
        out = subprocess.run(["nm", "-P", "--defined-only", path], check=True,
                             text=True, stdout=subprocess.PIPE).stdout
        for line in out.splitlines():
            name, kind = line.split()[:2]
            ours = name.startswith("cof") or (
                made_of.startswith(HIDDEN) and not is_libcs(name))
            if kind in "TDBR" and ours and name not in known:
                found.setdefault(made_of, set()).add(name)
    return found


def own_headers(files, made_of):
    """The headers that may be this file's, of those that exist."""
    folder, stem = os.path.split(made_of)
    own = os.path.basename(folder)
    near = {own, own + "_private", own[:-1]}
    parts = stem.split("_")
    near |= {"_".join(parts[:n]) for n in range(1, len(parts) + 1)}
    return [n for n in near if f"{folder}/{n}.h" in files]


def headers(files, exported):
    there = set(files)
    for made_of in exported:
        if not own_headers(there, made_of):
            yield f"{made_of} has no header"


def public(source):
    return {n for f in ("cof/cof.h", "cof/api/stepped.h")
            for n in re.findall(r"\b(cof_\w+)\(", read(source, f))}


def names(files, exported):
    there = set(files)
    for made_of, own in exported.items():
        allowed = nouns(made_of)
        for header in own_headers(there, made_of):
            allowed |= nouns("/" + header)
        if not made_of.startswith(HIDDEN):
            allowed = {PREFIX[top_of(made_of)] + n for n in allowed}
        for name in own:
            if not name.startswith(tuple(allowed)):
                yield f"{made_of} exports {name}"


def members(text, struct):
    m = re.search(r"^struct %s \{\n(.*?)^\};" % struct, text, re.M | re.S)
    if not m:
        return None
    body = re.sub(r"/\*.*?\*/", "", m.group(1), flags=re.S)
    return sum(len(d.split(",")) for d in body.split(";") if d.strip())


def records(source, files):
    for struct in ("cof_version", "cof_method"):
        counts = [members(read(source, f), struct) for f in files
                  if f.startswith("cof/") and f.endswith(".h")]
        counts = [c for c in counts if c is not None]
        if not counts:
            yield f"struct {struct} was not found"
        for n in counts:
            if n > MOST_MEMBERS:
                yield f"struct {struct} has {n} members"


def is_script(source, name):
    with open(os.path.join(source, name), "rb") as f:
        return f.read(2) == b"#!"


def columns(source, files):
    for name in files:
        if not name.endswith(NARROW) and (
                "." in os.path.basename(name) or not is_script(source, name)
                or name == "configure"):
            continue
        for n, line in enumerate(read(source, name).split("\n"), 1):
            width = len(line.expandtabs(TAB))
            if width > MOST_COLUMNS and not STRING.fullmatch(line):
                yield f"{name}:{n} has {width} columns"


def prose_lines(text):
    """(number, line) of a document's text that is neither code nor table."""
    inside = False
    for n, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside and not line.lstrip(" ").startswith(
                ("\t", "|", "![")):
            yield n, line


def prose(source, files):
    for name in files:
        if not name.endswith(".md"):
            continue
        for n, line in prose_lines(read(source, name)):
            if len(line) > MOST_PROSE and "://" not in line:
                yield f"{name}:{n} has {len(line)} columns"


def listed(source, files):
    known, paths = set(), set()
    for makefile in files:
        if not makefile.endswith((".mk", "Makefile.am")):
            continue
        for line in read(source, makefile).splitlines():
            for word in re.findall(r"\S+", line.partition("#")[0]):
                known.add(os.path.basename(word))
                paths.add(os.path.normpath(word.replace(
                    "%D%", os.path.dirname(makefile) or ".")))
    for name in files:
        if name.startswith(SHIPPED) and name.endswith(SOURCES):
            has = os.path.basename(name) in known
        elif name.startswith("tests/") and name.endswith(".h"):
            # Or a folder of the tests, as a whole.
            parts = name.split("/")
            has = any("/".join(parts[:n]) in paths
                      for n in range(2, len(parts) + 1))
        else:
            continue
        if not has:
            yield f"{name} is in no list"


def mirrored(files):
    """{library: {stem: the folders that have a source or header of it}},
    without cof/ itself: its cof.h and instance.h are all folders'."""
    found = {library: {} for library in LIBRARIES}
    for name in files:
        folder, file = os.path.split(name)
        stem, ending = os.path.splitext(file)
        for library in LIBRARIES:
            if (folder + "/").startswith(library + "/") and \
                    folder != "cof" and ending in CODE:
                found[library].setdefault(stem, set()).add(folder)
    return found


def tests(files):
    there = {os.path.dirname(f) for f in files}
    known = mirrored(files)
    for name in files:
        folder, file = os.path.split(name)
        m = re.fullmatch(r"(?:test|fuzz)_(\w+)\.(?:c|cpp)", file)
        library = next((n for n in LIBRARIES
                        if name.startswith("tests/" + n + "/")), None)
        if not m or not library:
            continue
        mirror = folder[len("tests/"):]
        own = known[library].get(m.group(1), set())
        if mirror not in there:
            yield f"{name}: there is no {mirror}"
        elif len(own) == 1 and mirror not in own:
            yield f"{name} is not in tests/{own.pop()}"


def modes(source):
    """{file: its mode}, by Git's index, which is what a clone gets; empty: it
    is a tarball."""
    git = subprocess.run(["git", "-C", source, "ls-files", "-s"], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         check=False) if shutil.which("git") else None
    return {line.split("\t")[1]: int(line.split()[0], 8)
            for line in (git.stdout.splitlines() if git else [])}


def scripts(source, files):
    known = modes(source)
    for name in files:
        mode = known.get(name) or os.stat(os.path.join(source, name)).st_mode
        if not mode & 0o111 and (is_script(source, name) or
                                 re.search(r"(^|/)e2e_[^/]*\.sh$", name)):
            yield f"{name} may not be executed"


def main(source, build):
    files = tracked(source)
    exported = exports(source, build)
    faults = []
    for part, found in (("sizes", sizes(source, files)),
                        ("headers", headers(files, exported)),
                        ("names", names(files, exported)),
                        ("records", records(source, files)),
                        ("words", words(source, files)),
                        ("columns", columns(source, files)),
                        ("prose", prose(source, files)),
                        ("listed", listed(source, files)),
                        ("tests", tests(files)),
                        ("scripts", scripts(source, files))):
        found = sorted(set(found))
        faults += found
        for fault in found:
            print(f"{part}: {fault}")
        print(f"FAIL house_{part}" if found else f"ok house_{part}")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: check_house.py SOURCE BUILD")
    sys.exit(main(sys.argv[1], sys.argv[2]))
