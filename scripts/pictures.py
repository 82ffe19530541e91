#!/usr/bin/env python3
"""pictures.py - draw the documents' pictures as SVG

	scripts/pictures.py           write docs/pictures/*.svg
	scripts/pictures.py --check   status 1 if a picture is out of date

docs/pictures/pictures.txt describes the drawings; its head explains the
language. The speed plot shows the table under "Steady state" of
docs/results.md. The same input makes the same bytes.
"""
import html
import os
import re
import shlex
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, "docs", "pictures")
LINE_PX = 15
HEAD_PX = 7

STYLE = """
text { font: 12px ui-sans-serif, system-ui, 'DejaVu Sans', sans-serif;
fill: #1c2430 }
.b { font-weight: 600 } .s { font-size: 11px; fill: #5b6570 }
.box { fill: #eef2f6; stroke: #5f7388 } .ours { fill: #dcebf7; stroke: #2f6f9f }
.host { fill: #fbeedd; stroke: #b3761e } .on { fill: #e0f0e0; stroke: #3f7f45 }
.off { fill: #f6e3e0; stroke: #b04a3a } .frame { fill: none; stroke: #9aa5b1;
stroke-dasharray: 4 3 } .line { fill: none; stroke: #5f7388; stroke-width: 1.4 }
.dash { stroke-dasharray: 5 3 } .head { fill: #5f7388 }
.grid { stroke: #d5dae0 }
.one { stroke: #1c2430; stroke-dasharray: 3 2 } .auto { fill: #2f6f9f }
.pgo { fill: #b9c3cd } .inauto, .inpgo { font-size: 10px }
.inauto { fill: #fff }
@media (prefers-color-scheme: dark) { text { fill: #dde3ea }
.s { fill: #9aa5b1 }
.box { fill: #232a32; stroke: #8794a2 } .ours { fill: #1d3347; stroke: #6aa9d8 }
.host { fill: #3d3020; stroke: #d9a04f } .on { fill: #203322; stroke: #74b47a }
.off { fill: #3c2522; stroke: #d98373 } .line { stroke: #9aa5b1 }
.head { fill: #9aa5b1 } .grid { stroke: #333b44 } .one { stroke: #dde3ea }
.auto { fill: #6aa9d8 } .pgo { fill: #56616d } .inauto { fill: #14181d } }
"""


class Bad(Exception):
    """The description is wrong."""


def escaped(text):
    return html.escape(str(text), quote=True)


def number(value):
    return ("%.1f" % value).rstrip("0").rstrip(".")


def text_at(x, y, text, anchor="middle", klass=""):
    return '<text x="%s" y="%s" text-anchor="%s"%s>%s</text>' % (
        number(x), number(y), anchor, ' class="%s"' % klass if klass else "",
        escaped(text))


class Shape:
    """A box or a diamond with lines of text in its middle."""

    def __init__(self, kind, klass, x, y, w, h, lines):
        self.kind, self.klass, self.lines = kind, klass, lines
        self.x, self.y, self.w, self.h = x, y, w, h

    def at(self, side, share):
        """The point at `share` of the way along a side."""
        return {"l": (self.x, self.y + self.h * share),
                "r": (self.x + self.w, self.y + self.h * share),
                "t": (self.x + self.w * share, self.y),
                "b": (self.x + self.w * share, self.y + self.h)}[side]

    def svg(self):
        x, y, w, h = self.x, self.y, self.w, self.h
        if self.kind == "diamond":
            corners = ((x, y + h / 2), (x + w / 2, y), (x + w, y + h / 2),
                       (x + w / 2, y + h))
            out = ['<polygon points="%s" class="%s"/>' % (
                " ".join("%s,%s" % tuple(map(number, c)) for c in corners),
                self.klass)]
        else:
            out = ['<rect x="%s" y="%s" width="%s" height="%s" rx="5" '
                   'class="%s"/>' % (*map(number, (x, y, w, h)), self.klass)]
        top = y + h / 2 - LINE_PX * len(self.lines) / 2 + 11.5
        for i, line in enumerate(self.lines):
            first = i == 0 and len(self.lines) > 1 and self.kind == "box"
            klass = "b" if first else "s" if self.kind == "box" and i else ""
            out.append(text_at(x + w / 2, top + LINE_PX * i, line,
                               klass=klass))
        return out


def arrow(points, dash):
    """A line through the points, with a head at the last."""
    (x1, y1), (x2, y2) = points[-2:]
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    bx, by = x2 - ux * HEAD_PX, y2 - uy * HEAD_PX
    side = HEAD_PX * 0.45
    head = ((x2, y2), (bx - uy * side, by + ux * side),
            (bx + uy * side, by - ux * side))
    line = points[:-1] + [(bx, by)]
    pairs = [" ".join("%s,%s" % tuple(map(number, p)) for p in ps)
             for ps in (line, head)]
    return ['<polyline points="%s" class="line%s"/>' % (
        pairs[0], " dash" if dash else ""),
        '<polygon points="%s" class="head"/>' % pairs[1]]


class Picture:
    def __init__(self, name, width, height, title):
        self.name, self.title = name, title
        self.width, self.height = int(width), int(height)
        self.shapes, self.parts = {}, []

    def shape(self, kind, words):
        name, klass, x, y, w, h, *lines = words
        self.shapes[name] = s = Shape(kind, klass, *map(float, (x, y, w, h)),
                                      lines)
        self.parts += s.svg()

    def point(self, word):
        """ID.SIDE, ID.SIDE:SHARE, or X,Y."""
        m = re.fullmatch(r"(\w+)\.([lrtb])(?::([\d.]+))?", word)
        if m:
            if m[1] not in self.shapes:
                raise Bad("%s: no shape %s" % (self.name, m[1]))
            return self.shapes[m[1]].at(m[2], float(m[3] or 0.5))
        x, _, y = word.partition(",")
        return float(x), float(y)

    def statement(self, word, words):
        if word in ("box", "diamond"):
            self.shape(word, words)
        elif word in ("arrow", "dashed"):
            self.parts += arrow([self.point(w) for w in words],
                                word == "dashed")
        elif word == "frame":
            x, y, w, h, label = words
            self.parts.append('<rect x="%s" y="%s" width="%s" height="%s" '
                              'rx="8" class="frame"/>' % (x, y, w, h))
            self.parts.append(text_at(float(x) + 8, float(y) + 15, label,
                                      "start", "s"))
        elif word == "text":
            x, y, anchor, *lines = words
            for i, line in enumerate(lines):
                self.parts.append(text_at(float(x), float(y) + i * LINE_PX,
                                          line, anchor, "s"))
        else:
            raise Bad("%s: %s is no statement" % (self.name, word))

    def svg(self):
        return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" '
                'width="%d" height="%d" role="img">\n<title>%s</title>\n'
                '<style>%s</style>\n%s\n</svg>\n' % (
                    self.width, self.height, self.width, self.height,
                    escaped(self.title), STYLE, "\n".join(self.parts)))


def described(path):
    """The pictures of a description."""
    out = []
    with open(path) as f:
        for number_of, line in enumerate(f, 1):
            words = shlex.split(line, comments=True)
            try:
                if not words:
                    continue
                if words[0] == "picture":
                    out.append(Picture(*words[1:]))
                else:
                    out[-1].statement(words[0], words[1:])
            except (Bad, ValueError, TypeError, IndexError) as e:
                raise Bad("%s:%d: %s" % (path, number_of, e)) from e
    return out


def speeds(path):
    """program, auto, offline: the table under "Steady state"."""
    rows, column, inside = [], None, False
    with open(path) as f:
        for line in f:
            if line.startswith("## "):
                inside = line.strip() == "## Steady state"
            cells = [c.strip() for c in line.strip().strip("|").split("|")]
            if (not inside or not line.startswith("|") or
                    set(line) <= set("|- \n")):
                continue
            if column is None:
                column = {name: i for i, name in enumerate(cells)}
                continue
            values = [cells[column[v]].split()[0] if v in column else "-"
                      for v in ("auto", "native-pgo")]
            if values[0] != "-":
                rows.append((cells[0], *(None if v == "-" else float(v)
                                         for v in values)))
    return rows


def speed_plot(rows, title):
    """Bars from 0; a line at 1, native's speed."""
    left, step, right, top = 104, 27, 20, 30
    width = 760
    most = max(v for r in rows for v in r[1:] if v) * 1.02
    bottom = top + step * len(rows)
    picture = Picture("speed", width, bottom + 26, title)
    parts = picture.parts

    def x(v):
        return left + (width - left - right) * v / most

    for tick in range(0, int(most / 0.25) + 1):
        at = x(tick * 0.25)
        parts.append('<line x1="%s" y1="%d" x2="%s" y2="%d" class="%s"/>' % (
            number(at), top - 4, number(at), bottom, "grid"))
        parts.append(text_at(at, bottom + 15, "%g" % (tick * 0.25), klass="s"))
    for i, (klass, label) in enumerate((
            ("auto", "runtime, mode auto, after learning"),
            ("pgo", "clang -O3 -flto with an instrumented profile"))):
        parts.append('<rect x="%d" y="8" width="11" height="11" class="%s"/>' %
                     (left + 270 * i, klass))
        parts.append(text_at(left + 270 * i + 16, 18, label, "start", "s"))
    for i, (name, auto, pgo) in enumerate(rows):
        y = top + step * i
        parts.append(text_at(left - 8, y + 16, name, "end"))
        for value, klass, dy in ((auto, "auto", 1), (pgo, "pgo", 13)):
            if value is None:
                continue
            parts.append('<rect x="%d" y="%d" width="%s" height="11" '
                         'class="%s"/>' % (left, y + dy,
                                           number(x(value) - left), klass))
            parts.append(text_at(x(value) - 4, y + dy + 9.5, "%.2f" % value,
                                 "end", "in" + klass))
    parts.append('<line x1="%s" y1="%d" x2="%s" y2="%d" class="one"/>' % (
        number(x(1)), top - 4, number(x(1)), bottom))
    return picture


def pictures():
    rows = speeds(os.path.join(ROOT, "docs", "results.md"))
    if not rows:
        raise Bad("docs/results.md: no table under \"Steady state\"")
    return described(os.path.join(FOLDER, "pictures.txt")) + [speed_plot(
        rows, "Speed in the steady state; clang -O2 is 1, more is faster")]


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    stale = []
    try:
        for p in pictures():
            path = os.path.join(FOLDER, p.name + ".svg")
            if not check:
                with open(path, "w") as f:
                    f.write(p.svg())
                continue
            try:
                with open(path) as f:
                    if f.read() != p.svg():
                        stale.append(path)
            except OSError:
                stale.append(path)
    except (Bad, OSError) as e:
        sys.exit("pictures.py: %s" % e)
    for path in stale:
        print("%s is out of date: run `make pictures`" %
              os.path.relpath(path, ROOT))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
