"""Plots as SVG text: bars with intervals, lines. Colours are classes of the
page's style sheet, which has a light and a dark set."""
import html
import math


def ticks(low, high, about=5):
    """Round numbers from low to high."""
    if high <= low:
        high = low + 1
    raw = (high - low) / about
    size = 10 ** math.floor(math.log10(raw))
    step = next(s * size for s in (1, 2, 5, 10) if s * size >= raw)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _text(x, y, text, anchor="start", klass=""):
    return '<text x="%.1f" y="%.1f" text-anchor="%s" class="%s">%s</text>' % (
        x, y, anchor, klass, html.escape(str(text)))


def _line(x1, y1, x2, y2, klass):
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="%s"/>' % (
        x1, y1, x2, y2, klass)


def _svg(width, height, label, parts):
    return ('<svg viewBox="0 0 %d %d" width="%d" role="img" '
            'aria-label="%s">%s</svg>' %
            (width, height, width, html.escape(label, True), "".join(parts)))


def bars(rows, label, mark=None, form="%.2f", width=620):
    """rows: (name, colour, value, (low, high) or None); a line at `mark`."""
    rows = [r for r in rows if r[2] is not None]
    if not rows:
        return ""
    left, right, step = 96, 62, 22
    most = max([mark or 0] + [max(r[2], r[3][1] if r[3] else 0)
                              for r in rows]) * 1.03

    def x(v):
        return left + (width - left - right) * v / most

    bottom = 6 + step * len(rows)
    parts = []
    for t in ticks(0, most):
        parts.append(_line(x(t), 2, x(t), bottom, "grid"))
        parts.append(_text(x(t), bottom + 14, "%g" % t, "middle", "tick"))
    for i, (name, colour, value, interval) in enumerate(rows):
        y = 4 + step * i
        parts.append(_text(left - 6, y + 13, name, "end"))
        parts.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%d" '
                     'class="bar c%d"><title>%s %s</title></rect>' %
                     (left, y + 2, x(value) - left, step - 7, colour,
                      html.escape(name), form % value))
        end = value
        if interval:
            low, high = interval
            parts.append(_line(x(low), y + 9, x(high), y + 9, "whisker"))
            for v in interval:
                parts.append(_line(x(v), y + 5, x(v), y + 13, "whisker"))
            end = max(end, high)
        parts.append(_text(x(end) + 5, y + 13, form % value, "start", "value"))
    if mark is not None:
        parts.append(_line(x(mark), 0, x(mark), bottom + 2, "mark"))
    return _svg(width, bottom + 20, label, parts)


def lines(curves, label, x_label, y_label, width=620, height=230):
    """curves: (name, colour, [(x, y)]). y begins at 0, so sizes compare."""
    curves = [c for c in curves if len(c[2]) > 1]
    if not curves:
        return ""
    left, right, top, low = 58, 12, 10, 36
    x_most = max(p[0] for c in curves for p in c[2])
    values = sorted(p[1] for c in curves for p in c[2])
    # Outliers would flatten the rest.
    y_most = min(values[-1], 1.6 * values[int(0.97 * (len(values) - 1))])

    def at(p):
        return (left + (width - left - right) * p[0] / x_most,
                height - low - (height - low - top) * min(p[1], y_most) /
                y_most)

    parts = []
    for t in ticks(0, y_most, 4):
        y = at((0, t))[1]
        parts.append(_line(left, y, width - right, y, "grid"))
        parts.append(_text(left - 5, y + 4, "%g" % t, "end", "tick"))
    for t in ticks(0, x_most, 7):
        parts.append(_text(at((t, 0))[0], height - low + 15, "%g" % t,
                           "middle", "tick"))
    parts.append(_text((left + width) / 2, height - 4, x_label, "middle",
                       "tick"))
    parts.append('<text class="tick" text-anchor="middle" '
                 'transform="translate(11 %d) rotate(-90)">%s</text>' %
                 ((top + height - low) / 2, html.escape(y_label)))
    for name, colour, points in curves:
        path = " ".join("%.1f,%.1f" % at(p) for p in points)
        parts.append('<polyline points="%s" class="curve s%d"><title>%s'
                     '</title></polyline>' % (path, colour, html.escape(name)))
    return _svg(width, height, label, parts)


def strip(stretches, end, reports, label, width=620):
    """Phases as boxes, detected changes below them."""
    def x(t):
        return 4 + (width - 8) * t / end

    parts = []
    for i, (a, b) in enumerate(stretches):
        parts.append('<rect x="%.1f" y="4" width="%.1f" height="20" '
                     'class="phase%d"/>' % (x(a), x(b) - x(a), i % 2))
    for at, kind in reports:
        if 0 <= at <= end:
            parts.append(_line(x(at), 26, x(at), 40,
                               "mark" if kind == "change" else "whisker"))
    for t in ticks(0, end, 8):
        parts.append(_text(x(t), 54, "%g s" % t, "middle", "tick"))
    return _svg(width, 58, label, parts)
