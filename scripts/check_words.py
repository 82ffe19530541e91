"""check_words.py - the old words of docs/glossary.md, in texts and in names

check_house.py calls it. The table `| old | new | where |` has names from before
0.1.0. An old word in `this type` stands nowhere in the tree. Of all others

	- none is the stem of a file, or a part between underlines of a name of
	  the sources, unless a new name of the table has that part, or it is in
	  ENGLISH;
	- none, of ENGLISH too, is the stem of a file, or begins a name of the
	  project's, in the folders that were its own, unless a new name or a
	  folder's begins so.
"""
import os
import re

# Old words that are in use for something else. {why: the words}
ENGLISH = {
    "verbs: what a function does":
        "ask begin choose decide follow judge rest share weigh",
    "what has happened to what a field is of": "judged kept seen",
    "adverbs: another time, separately": "again apart",
    "a process's own word for fork(2), SIG_IGN, memory_order_* and limits":
        "forks ignore limit memory",
    "a compiler's words, as LLVM has them":
        "callees group label loop pad parts point",
    "bits of a word, bytes left in a buffer": "bits room",
    "a place in a list or in code; a folder of a file system": "folder place",
    "words of the documents: phases, turns of a trial, slices of a turn":
        "phases slices turn",
    "a binary heap, the process's heap": "heap",
    "what two samples have in common": "overlap",
    "whose it is: libcof's, not the program's": "ours",
    "how a loop ends, or what stays as it is": "ending stay",
}
SOURCES = ("cof/", "hosts/", "runtime/", "tools/")
TESTS = ("tests/cof/", "tests/hosts/", "tests/runtime/", "tests/tools/")
CODE = (".c", ".cpp", ".h", ".S", ".def")
NO_NAME = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|#include[^\n]*',
                     re.S)
# Old words may stand where they are explained.
HISTORIES = ("docs/glossary.md", "NEWS", "docs/lab/")
CHECKS = ("scripts/check_house.py", "scripts/check_words.py")


def read(source, name):
    with open(os.path.join(source, name), encoding="utf-8",
              errors="replace") as f:
        return f.read()


def table(source):
    """(old words, new ones, folders) for each row of the table. An old word
    that stands in `this type` still has its backticks."""
    text = read(source, "docs/glossary.md")
    rows = text[text.index("| old "):] if "| old " in text else ""
    for line in rows.splitlines()[2:]:
        cells = [[w.strip() for w in c.split(",")]
                 for c in line.strip("|").split("|")]
        if len(cells) == 3:
            yield cells


def paths(where):
    """The folders of a row's cell; `policy` after cof/optimizer/build is its
    neighbour."""
    for folder in where:
        if "/" in folder:
            beside = os.path.dirname(folder)
        elif folder == "cof.h":
            continue
        else:
            folder = beside + "/" + folder
        yield folder


def texts(source, files, rows):
    """Old words that stand nowhere."""
    gone = [w.strip("`") for old, _, _ in rows for w in old if w[0] == "`"]
    pattern = re.compile(r"(?<![\w-])(?:%s)(?![\w-])" %
                         "|".join(map(re.escape, gone)))
    for name in files:
        if name.startswith(HISTORIES) or name in CHECKS:
            continue
        for n, line in enumerate(read(source, name).splitlines(), 1):
            m = pattern.search(line)
            if m:
                yield f"{name}:{n}: the old word {m.group(0)}"


def names(source, files):
    """(file, its stem, the names in its code), for sources and their tests."""
    for name in files:
        if name.startswith(SOURCES + TESTS) and name.endswith(CODE):
            stem = os.path.splitext(os.path.basename(name))[0]
            code = NO_NAME.sub(" ", read(source, name))
            yield (name, re.sub("^(?:test|fuzz)_", "", stem),
                   set(re.findall(r"[A-Za-z_]\w*", code))
                   if name.startswith(SOURCES) else set())


def old_names(source, files, rows):
    english = {w for words in ENGLISH.values() for w in words.split()}
    new = {p for _, news, _ in rows for n in news for p in n.split("_")}
    old = {w for words, _, _ in rows for w in words if re.fullmatch(r"\w+", w)}
    for word in sorted(english - old):
        yield f"scripts/check_words.py: {word} is no old word"
    nowhere = old - english - new
    folders = {os.path.basename(os.path.dirname(f)) for f in files}
    # (folder, old word, and how names may not begin)
    homes = [(home, word, re.compile(rf"cof[lm]?_{word}(?:_\w+)?"))
             for words, news, where in rows for home in paths(where)
             for word in words
             if word in old and not {word, word + "s"} & folders
             and not any((n + "_").startswith(word + "_") for n in news)]
    for name, stem, own in names(source, files):
        for word in nowhere & {stem}:
            yield f"{name} is called by the old word {word}"
        for known in own:
            for word in nowhere & set(known.split("_")):
                yield f"{name}: {known} has the old word {word}"
        for folder, word, begins in homes:
            if os.path.dirname(name).removeprefix("tests/") != folder:
                continue
            if stem == word:
                yield f"{name} is called by the old word {word}"
            for known in filter(begins.fullmatch, own):
                yield f"{name}: {known} begins with the old word {word}"


def words(source, files):
    rows = list(table(source))
    if not rows:
        yield "docs/glossary.md has no table of old words"
        return
    yield from texts(source, files, rows)
    yield from old_names(source, files, rows)
