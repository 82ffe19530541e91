"""Inputs of bench/wide's programs: the same for the same kind and size.

Each function yields text or bytes of n units; a unit is about a megabyte of
text, or what takes as long. `text` and the like are awk scripts of bench/."""
import math
import os
import random
import struct
import subprocess

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_rows = []                              # of _photo


def _rng():
    return random.Random(1)


def pi(n):
    """bc: pi by Machin's formula, with 10 to 109 digits."""
    yield "for (i = 0; i < %d; i++) {\n  scale = 0\n" % (25 * n)
    yield "  scale = 10 + i % 100\n"
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
    """flex: words, numbers in several forms, and n patterns of 256 states
    each. flex allows 8191 rules."""
    rng = _rng()
    yield "%option noyywrap\nD [0-9]\n%%\n"
    for i in range(600):
        word = "".join(rng.choice("abcdefghij") for _ in range(6))
        yield '"%s%d" return %d;\n' % (word, i, i)
        if i % 10 == 0:
            yield '"%s"({D}+"."{D}*|{D}*"."{D}+)x%d return 0;\n' % (word, i)
    for i in range(min(n, 7500)):
        yield '"%d,"[ab]*a[ab]{7} return 0;\n' % i
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
    """A picture that returns after 4096 rows: a large one would take longer to
    make than to trace."""
    rows = ["".join("01"[v > 120] for v in row) + "\n"
            for row in _picture(8 * min(n, 8))]
    yield "P1\n%d %d\n" % (len(rows[0]) - 1, 512 * n)
    for y in range(512 * n):
        yield rows[y % len(rows)]


def _photo(width, height, left=0, top=0):
    """Rows of colours, 3 bytes each: waves with noise, of which the window
    at (left, top) is seen; it returns after 256 rows, elsewhere."""
    if not _rows:
        rng = _rng()
        for y in range(256):
            row = bytearray()
            for x in range(1024):
                wave = int(60 * math.sin(x / 40) * math.cos(y / 25))
                row += bytes((128 + wave + rng.getrandbits(3),
                              (x * y // 512 + rng.getrandbits(4)) % 256,
                              100 + (wave if (x ^ y) & 32 else 0)))
            _rows.append(bytes(row) * 5)
    for y in range(top, top + height):
        start = 3 * ((left + 37 * (y // 256)) % 1024)
        yield _rows[y % 256][start:start + 3 * width]


def ppm(n):
    yield "P6\n4096 %d\n255\n" % (8 * n)
    yield from _photo(4096, 8 * n)


def y4m(n):
    """A film of n frames, over which the camera moves."""
    yield "YUV4MPEG2 W320 H240 F25:1 Ip A1:1 C420jpeg\n"
    for frame in range(n):
        yield "FRAME\n"
        rows = list(_photo(320, 240, 3 * frame, 2 * frame))
        yield b"".join(row[::3] for row in rows)
        for colour in 1, 2:
            yield b"".join(row[colour::6] for row in rows[::2])


def c(n):
    """C, with macros in macros."""
    rng = _rng()
    yield ("#define MAX(a, b) ((a) > (b) ? (a) : (b))\n"
           "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n"
           "#define CLAMP(x, l, h) MIN(MAX(x, l), h)\n"
           "struct item { struct item *next; int n; double weight; };\n")
    for i in range(400 * n):
        yield ("\n/* The sum of a list, between bounds. */\n"
               "int sum%d(struct item *list, int least)\n{\n"
               "\tint i, sum = %d;\n\tdouble all = 0.%d;\n"
               "\tfor (; list != 0; list = list->next) {\n"
               "\t\tif (list->n < least || list->weight > %d.5)\n"
               "\t\t\tcontinue;\n"
               "\t\tsum += CLAMP(list->n * %d, MIN(sum, least), "
               "CLAMP(sum, 3, %d));\n"
               "\t\tall += list->weight * list->n;\n\t}\n"
               "\tfor (i = 0; i < %d; i++)\n"
               "\t\tswitch (sum %% %d) {\n\t\tcase 0: sum++; break;\n"
               "\t\tcase 1: sum += i << 2; break;\n"
               "\t\tdefault: sum ^= i; }\n"
               "\treturn sum + (int)all%s;\n}\n" % (
                   i, rng.randrange(1000), i, rng.randrange(100),
                   rng.randrange(2, 50), rng.randrange(1000),
                   rng.randrange(9), rng.randrange(3, 9),
                   " + sum%d(list, sum)" % rng.randrange(i) if i else ""))


def macros(n):
    """m4: recursion, arithmetic and strings."""
    yield ("define(`fib', `ifelse(eval($1 < 2), 1, $1,\n"
           "  `eval(fib(decr($1)) + fib(eval($1 - 2)))')')dnl\n"
           "define(`each', `ifelse($#, 1, `item(`$1')',\n"
           "  `item(`$1')`'each(shift($@))')')dnl\n"
           "define(`item', `len(translit(`$1', `a-m', `n-z'))')dnl\n")
    for i in range(20 * n):
        yield ("define(`name%d', `patsubst(`alpha beta $1', `[ae]\\(.\\)', "
               "`\\1%d')')dnl\nname%d(fib(%d)) each(one, two, three, four, "
               "five, six, seven)\n" % (i, i, i, 8 + i % 3))


def ml(n):
    """OCaml that needs no library: types, patterns and polymorphism."""
    yield ('external ( + ) : int -> int -> int = "%addint"\n'
           'external ( < ) : \'a -> \'a -> bool = "%lessthan"\n')
    for i in range(40 * n):
        yield ("module M%d = struct\n"
               "  type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree\n"
               "  type ('a, 'b) pair = { first : 'a; second : 'b tree }\n"
               "  let rec fold f tree x = match tree with\n"
               "    | Leaf -> x\n"
               "    | Node (Leaf, v, r) -> fold f r (f v x)\n"
               "    | Node (l, v, r) -> fold f r (f v (fold f l x))\n"
               "  let rec map f = function\n"
               "    | [] -> [] | x :: rest -> f x :: map f rest\n"
               "  let rec add x = function\n"
               "    | Leaf -> Node (Leaf, x, Leaf)\n"
               "    | Node (l, v, r) -> if x < v then Node (add x l, v, r)\n"
               "      else Node (l, v, add x r)\n"
               "  let sum p = fold (fun v x -> v + x + %d) p.second p.first\n"
               "  let twice f g x = map (fun y -> f (g y)) (map f x)\n"
               "end\n" % (i, i))


def roff(n):
    """troff: paragraphs with macros, numbers and fonts."""
    rng = _rng()
    words = ["".join(rng.choice("etaoinshrdlu") for _ in range(k % 9 + 2))
             for k in range(500)]
    yield (".de PP\n.sp\n.ne 2\n.ti +3n\n.nr count \\\\n[count]+1\n..\n"
           ".de HD\n.sp 2\n.ft B\n\\\\n[count]. \\\\$1\n.ft R\n..\n"
           ".nr count 0 1\n")
    for i in range(100 * n):
        if i % 9 == 0:
            yield ".HD %s\n" % words[i % 500]
        yield ".PP\n"
        for _ in range(8):
            yield " ".join(rng.choices(words, k=12))
            yield ", \\fI%s\\fP.\n" % rng.choice(words)


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
