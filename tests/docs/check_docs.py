"""check_docs.py - tests of the documents: links, names, pictures, commands

check_docs.sh starts it, with SRC, BUILD and WORK in the environment: the
source, the build and a scratch folder. Blocks of shell commands are fenced and
marked:

	```sh run                 is run in a folder of the document's
	```sh run needs=mcs       the same, but skipped without mcs
	```sh not-run: REASON     is not run

The blocks of a document run in order, in one folder, which has the files of
tests/docs/given. A block ```c file=NAME is written there first. The same goes
for the EXAMPLES of man pages: a program is written, commands run, but for those
after a line `.\" not-run: REASON`, of which bash only reads the syntax. Each
test prints
`ok NAME`, `skip NAME # WHY`, or `FAIL NAME` and lines that begin with two
blanks.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

SRC, BUILD, WORK = (os.environ[n] for n in ("SRC", "BUILD", "WORK"))
SECONDS = 600           # a command that takes longer hangs
PAGES = ("docs/cof.3", "docs/cof-cc.1", "docs/cof-stats.1", "docs/runtime.1")
LINES_MOST = {"README.md": 80}

TOPS = "cof|hosts|tests|bench|docs|scripts|tools|runtime"
PATH = re.compile(r"(?<![\w./$:-])((?:%s)/[\w./*-]*[\w*])" % TOPS)
FUNCTION = re.compile(r"\b(cof[lm]?_[a-z0-9_]+)\(\)")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
BENCH = re.compile(r"\bbench/(\w+)\b([^`|\n]*(?:\\\n[^`|\n]*)*)")
COMMAND = re.compile(r"\t(\./|make |sudo |runtime -|cof-stats |bench/\w+ -|cc |"
                     r"clang)")
# A sketch of a command line is no command.
SKETCH = re.compile(r"\[|[A-Z]{3,}")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def documents():
    """Their paths in the source folder."""
    found = [os.path.join(SRC, n) for n in
             ("README.md", "HACKING.md", "SECURITY.md")]
    for pattern in ("docs/*.md", "docs/lab/*.md"):
        found += sorted(glob.glob(os.path.join(SRC, pattern)))
    return [os.path.relpath(p, SRC) for p in found]


class Block:
    def __init__(self, info, line):
        self.info, self.line, self.lines = info, line, []

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


def split(text):
    """The fenced blocks, and the text with blank lines instead of them."""
    blocks, rest, inside = [], [], None
    for n, line in enumerate(text.splitlines(), 1):
        fence = line.strip()
        if inside is not None:
            if fence == "```":
                inside = None
            else:
                indent = len(blocks[-1].indent)
                inside.lines.append(line[indent:])
            rest.append("")
        elif fence.startswith("```"):
            inside = Block(fence[3:].strip(), n)
            inside.indent = line[:len(line) - len(line.lstrip())]
            blocks.append(inside)
            rest.append("")
        else:
            rest.append(line)
    return blocks, "\n".join(rest)


def slug(heading):
    """The anchor a forge makes of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"[^\w\- ]", "", text.lower())
    return text.strip().replace(" ", "-")


def anchors(path):
    _, text = split(read(path))
    return {slug(m) for m in re.findall(r"^#+ (.*)$", text, re.M)}


# -- Checks; each yields faults ------------------------------------------------

def links(name, text):
    for target in LINK.findall(split(text)[1]):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        at = os.path.normpath(os.path.join(SRC, os.path.dirname(name), path)
                              if path else os.path.join(SRC, name))
        if not os.path.exists(at):
            yield "no %s" % target
        elif anchor and anchor not in anchors(at):
            yield "no anchor %s" % target


class Tree:
    """The names in the source folder."""

    def __init__(self):
        self.made, words = set(), []
        for folder, inside, files in os.walk(SRC):
            inside[:] = [d for d in inside if not d.startswith(".") and
                         not (folder == SRC and d.startswith("build"))]
            for f in files:
                path = os.path.join(folder, f)
                if f.endswith((".c", ".h", ".def", ".S", ".cpp")):
                    words.append(read(path))
                elif f == "local.mk":
                    self.made.update(re.findall(r"[\w.+-]+", read(path)))
        self.words = set(re.findall(r"\bcof\w+", "\n".join(words)))

    def has(self, path):
        if glob.glob(os.path.join(SRC, path)):
            return True
        # A program is made from its sources; its name stands in a local.mk.
        return any(os.path.exists(p) for p in (
            os.path.join(BUILD, path), os.path.join(SRC, path + ".c"))) or \
            (os.path.isdir(os.path.join(SRC, os.path.dirname(path))) and
             os.path.basename(path) in self.made and "." not in
             os.path.basename(path))


def current(name, text):
    """Without the glossary's old words."""
    return text.split("\n## Old words\n")[0] if name.endswith(
        "glossary.md") else text


def names(name, text, tree):
    text = current(name, text)
    for path in sorted(set(PATH.findall(text))):
        parts = path.split("/")
        if any(re.fullmatch(r"[A-Z_]+(\.\w+)?", p) for p in parts):
            continue            # tests/KIND/NAME.c stands for many
        if not tree.has(path):
            yield "no file %s" % path
    for function in sorted(set(FUNCTION.findall(text)) - tree.words):
        yield "no function %s()" % function


def flags(name, text):
    """A script of bench/ has each option that a document gives to it."""
    for script, rest in BENCH.findall(text):
        path = os.path.join(SRC, "bench", script)
        if os.path.isfile(path):
            known = read(path)
            for flag in re.findall(r"(?<![\w-])(--[a-z][\w-]*)", rest):
                if flag[2:4] != "co" and '"%s"' % flag not in known:
                    yield "bench/%s has no %s" % (script, flag)


def marks(name, text):
    blocks, rest = split(text)
    for b in blocks:
        if not b.info:
            yield "line %d: the block has no language" % b.line
        elif b.info.split()[0] == "sh" and not re.match(
                r"sh (run( needs=\w+)?$|not-run: \S)", b.info):
            yield "line %d: not `sh run` nor `sh not-run: REASON`" % b.line
    for n, line in enumerate(rest.splitlines(), 1):
        if COMMAND.match(line) and not SKETCH.search(line):
            yield "line %d: a command is in no fenced block" % n
    most = LINES_MOST.get(name)
    if most and text.count("\n") > most:
        yield "%d lines, more than %d" % (text.count("\n"), most)


# -- Commands ------------------------------------------------------------------

def report(name, wrong):
    print("FAIL" if wrong else "ok", name)
    for line in wrong:
        print("  " + line)
    sys.stdout.flush()
    return bool(wrong)


def why_not(block):
    """What the block needs and is not here, or None."""
    m = re.search(r"needs=(\w+)", block.info)
    host = "cof-cc"
    if m or re.search(r"^mcs ", block.text, re.M):
        host = "hosts/mono/cof-mono"
        if not shutil.which(m[1] if m else "mcs"):
            return "there is no %s" % (m[1] if m else "mcs")
    for tool in re.findall(r"^(?:clang|llvm-link)-\d+", block.text, re.M):
        if not shutil.which(tool):
            return "there is no %s" % tool
    if re.search(r"\b(runtime|cof-cc|cof-c\+\+) ", block.text) and \
       not os.path.exists(os.path.join(BUILD, host)):
        return "built without that host"
    return None


def run(name, blocks):
    """Run the blocks of a document. True if one failed."""
    folder = os.path.join(WORK, name.replace("/", "."))
    shutil.copytree(os.path.join(SRC, "tests", "docs", "given"), folder,
                    copy_function=shutil.copyfile)
    os.chmod(folder, 0o700)     # `given` may be read-only
    failed = False
    for b in blocks:
        words = b.info.split()
        file = next((w[5:] for w in words if w.startswith("file=")), None)
        if file:
            with open(os.path.join(folder, file), "w") as f:
                f.write(b.text)
        what = "%s:%d" % (name, b.line)
        if words[0] == "syntax":
            said = subprocess.run(["bash", "-n", "-c", b.text], text=True,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            failed |= report(what, said.stdout.splitlines()
                             if said.returncode else [])
        if words[:2] != ["sh", "run"]:
            continue
        reason = why_not(b)
        if reason:
            print("skip %s # %s" % (what, reason))
            continue
        try:
            done = subprocess.run(
                ["bash", "-e", "-c", b.text], cwd=folder, timeout=SECONDS,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace")
            said, status = done.stdout, done.returncode
        except subprocess.TimeoutExpired:
            said, status = "", "not over after %d s" % SECONDS
        failed |= report(what, [] if status == 0 else
                         ["status %s" % status] + said.splitlines()[-20:])
    return failed


LITERAL = re.compile(r'^(?:\.\\" (not-run): \S.*\n)?'
                     r"(?:\.Bd -literal.*|\.nf)\n((?:.*\n)*?)\.(?:Ed|fi)$",
                     re.M)


def example(page):
    """The blocks of a page's EXAMPLES: a C program, and commands."""
    text = re.split(r"\n\.S[hH] EXAMPLES\n", read(os.path.join(SRC, page)))[1]
    text = re.split(r"\n\.S[hH] ", text)[0] + "\n"
    blocks = []
    for not_run, literal in LITERAL.findall(text):
        for escape, is_ in (("\\-", "-"), ("\\&", ""), ("\\e", "\\")):
            literal = literal.replace(escape, is_)
        program = literal.startswith("#include")
        blocks.append(Block("c file=example.c" if program else
                            "syntax" if not_run else "sh run",
                            1 + len(blocks)))
        blocks[-1].lines = literal.splitlines()
    return blocks


def callbacks(page):
    """The page has all members of struct cof_host that the host
    implements, and no others."""
    header = read(os.path.join(SRC, "cof/cof.h"))
    host = re.search(r"^struct cof_host \{.*?^\};", header, re.M | re.S)
    there = set(re.findall(r"\(\*(\w+)\)\(void \*ctx", host[0]))
    said = set(re.findall(r" Fn \(\*(\w+)\) \"void \*ctx\"",
                          read(os.path.join(SRC, page))))
    yield from (f"no callback {c} in cof.h" for c in sorted(said - there))
    yield from (f"callback {c} of cof.h is missing"
                for c in sorted(there - said))


def main():
    tree, failed = Tree(), False
    failed |= report("callbacks", [*callbacks("docs/cof.3")])
    for name in documents():
        text = read(os.path.join(SRC, name))
        wrong = [*links(name, text), *names(name, text, tree),
                 *flags(name, text), *marks(name, text)]
        failed |= report(name, wrong)
    done = subprocess.run([sys.executable, "-B", os.path.join(
        SRC, "scripts", "pictures.py"), "--check"], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    failed |= report("pictures", done.stdout.splitlines()
                     if done.returncode else [])
    if shutil.which("bash"):
        for name in documents():
            blocks, _ = split(read(os.path.join(SRC, name)))
            if any(b.info.startswith("sh run") for b in blocks):
                failed |= run(name, blocks)
        for page in PAGES:
            failed |= run(page, example(page))
    else:
        print("skip commands # there is no bash")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
