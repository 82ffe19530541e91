"""Inputs of bench/wide's programs: the same for the same kind and size.

Each function yields text or bytes of n units; a unit is about a megabyte of
text, or what takes as long. `text` and the like are awk scripts of bench/."""
import os
import random
import struct
import subprocess

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _rng():
    return random.Random(1)


def pi(n):
    """bc: pi by Machin's formula, with more and more digits."""
    yield "for (i = 1; i <= %d; i++) {\n  scale = 10 * i\n" % (5 * n)
    yield "  p = 4 * (4 * a(1 / 5) - a(1 / 239))\n}\np\n"


def grammar(n):
    """bison: lists and expressions with operators of their own."""
    count = 60 * n
    yield "%token NUM\n"
    for i in range(count):
        yield "%%left OP%d\n%%token BEGIN%d END%d\n" % (i, i, i)
    yield "%%\nstart: list0;\n"
    for i in range(count):
        yield ("list%d: item%d | list%d item%d;\n"
               "item%d: BEGIN%d exp%d END%d%s;\n"
               "exp%d: NUM | exp%d OP%d exp%d;\n" % (
                   i, i, i, i, i, i, i, i,
                   " | list%d" % (i + 1) if i + 1 < count else "",
                   i, i, i, i))


def lexer(n):
    """flex: words, and numbers in several forms."""
    rng = _rng()
    yield "%option noyywrap\nD [0-9]\n%%\n"
    for i in range(60 * n):
        word = "".join(rng.choice("abcdefghij") for _ in range(6))
        yield '"%s%d" return %d;\n' % (word, i, i)
        if i % 10 == 0:
            yield '"%s"({D}+"."{D}*|{D}*"."{D}+)x%d return 0;\n' % (word, i)
    yield "%%\nint main(void) { return yylex(); }\n"


def cnf(n):
    """Random 3-SAT near the threshold, with a solution that was hidden in
    it, so that it can be found."""
    rng, count = _rng(), 150 + 25 * n
    hidden = [rng.random() < 0.5 for _ in range(count)]
    clauses = int(4.2 * count)
    yield "p cnf %d %d\n" % (count, clauses)
    while clauses:
        some = rng.sample(range(count), 3)
        signs = [rng.random() < 0.5 for _ in some]
        if any(hidden[v] == s for v, s in zip(some, signs)):
            clauses -= 1
            yield " ".join(str(v + 1 if s else -v - 1)
                           for v, s in zip(some, signs)) + " 0\n"


def xml(n):
    rng = _rng()
    yield '<?xml version="1.0"?>\n<all>\n'
    for i in range(9000 * n):
        yield ('<item n="%d" kind="%s"><name>%x &amp; co</name>'
               "<!-- %d --><v>%.3f</v></item>\n" % (
                   rng.randrange(1000), rng.choice("abc"), rng.getrandbits(60),
                   i, rng.random()))
    yield "</all>\n"


def wav(n):
    """n * 2 seconds, 48 kHz, stereo: tones that change, and noise."""
    rng, frames = _rng(), 96000 * n
    yield (b"RIFF" + struct.pack("<I", 36 + 4 * frames) + b"WAVEfmt " +
           struct.pack("<IHHIIHH", 16, 1, 2, 48000, 192000, 4, 16) +
           b"data" + struct.pack("<I", 4 * frames))
    left = right = 0
    step = [rng.randrange(20, 900) for _ in range(64)]
    for block in range(frames // 480):
        out = []
        a, b = step[block % 64], step[block * 7 % 64]
        for _ in range(480):
            left, right = (left + a) % 40000, (right + b) % 40000
            noise = rng.getrandbits(9)
            out += [abs(left - 20000) - 10000 + noise,
                    abs(right - 20000) - 10000 - noise]
        yield struct.pack("<%dh" % len(out), *out)


def lp(n):
    """A transport problem."""
    rng, size = _rng(), 12 + 4 * n
    yield "Minimize\n cost:"
    for i in range(size):
        for k in range(size):
            yield " + %d x%d_%d\n" % (rng.randrange(1, 100), i, k)
    yield "Subject To\n"
    for i in range(size):
        yield " +".join([" s%d:" % i] + [" x%d_%d\n" % (i, k)
                                         for k in range(size)]) + " <= 60\n"
    for k in range(size):
        yield " +".join([" d%d:" % k] + [" x%d_%d\n" % (i, k)
                                         for i in range(size)]) + \
            " >= %d\n" % rng.randrange(20, 50)
    yield "End\n"


def asm(n):
    """nasm: macros, labels and jumps."""
    rng = _rng()
    yield "%macro add3 3\n mov %1, %2\n add %1, %3\n%endmacro\nsection .text\n"
    for i in range(8000 * n):
        yield ("label%d:\n add3 rax, rbx, %d\n lea rcx, [rax + rdx * 4 + %d]\n"
               " jnz label%d\n" % (i, rng.randrange(1000),
                                   rng.randrange(100000), rng.randrange(i + 1)))


def _picture(n):
    """Rows of grey: discs on a slope."""
    rng, width, height = _rng(), 512, 64 * n
    discs = [(rng.randrange(width), rng.randrange(height),
              rng.randrange(5, 40)) for _ in range(12 * n)]
    for y in range(height):
        row = bytearray((x // 4 + y) % 256 for x in range(width))
        for cx, cy, r in discs:
            if abs(y - cy) < r:
                half = int((r * r - (y - cy) ** 2) ** 0.5)
                for x in range(max(0, cx - half), min(width, cx + half)):
                    row[x] = 255 - row[x] // 2
        yield row


def pbm(n):
    rows = list(_picture(8 * n))
    yield "P1\n%d %d\n" % (len(rows[0]), len(rows))
    for row in rows:
        yield "".join("01"[v > 120] for v in row) + "\n"


def scheme(n):
    yield ("(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))\n"
           "(define (range n l) (if (= n 0) l (range (- n 1) (cons n l))))\n"
           "(define (sum l) (if (null? l) 0 (+ (car l) (sum (cdr l)))))\n"
           "(define (rounds n t) (if (= n 0) t (rounds (- n 1)\n"
           "  (+ t (fib 12) (sum (map (lambda (x) (* x x)) "
           "(range 100 '())))))))\n"
           "(display (rounds %d 0)) (newline)\n" % n)


def make(kind, n, path):
    """Write n units to a file, which is there only when it is whole."""
    script = os.path.join(BENCH, kind + ".awk")
    with open(path + ".new", "wb") as out:
        if os.path.exists(script):
            subprocess.run(["awk", "-v", "mb=%d" % n, "-f", script],
                           stdout=out, check=True)
        else:
            for part in globals()[kind](n):
                out.write(part if isinstance(part, bytes) else part.encode())
    os.rename(path + ".new", path)
