"""The page of bench/report: results as one self-contained HTML file."""
import html
import statistics

from lib import estimate, plot, results, variant
from lib.series import reduce

# A colour for each variant, the same in every plot.
COLOUR = {name: i for i, name in enumerate(variant.NAMES)}

STYLE = """
:root { color-scheme: light dark; --fg: #1c2430; --bg: #fbfbf9; --dim: #6b7480;
  --grid: #dfe2e6; --c0: #7b8794; --c1: #a7b0ba; --c2: #3d4f63; --c3: #c9a227;
  --c4: #b9bfc7; --c5: #4a90a4; --c6: #5b8c5a; --c7: #9b6a9e; --c8: #c8553d; }
@media (prefers-color-scheme: dark) { :root { --fg: #dde3ea; --bg: #14181d;
  --dim: #8b96a3; --grid: #2b323a; --c0: #8794a2; --c1: #5d6874; --c2: #b4c3d3;
  --c4: #4b545e; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--fg);
  background: var(--bg); max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
h3 { font-size: .95rem; margin: 1rem 0 .2rem; color: var(--dim);
  font-weight: 600; }
p { max-width: 44rem; } .dim { color: var(--dim); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right;
  border-bottom: 1px solid var(--grid); }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2)
  { text-align: left; }
th { color: var(--dim); font-weight: 600; }
.pair { display: flex; flex-wrap: wrap; gap: 0 2rem; }
svg { max-width: 100%; height: auto; font-size: 12px; }
svg text { fill: var(--fg); } svg .tick { fill: var(--dim); font-size: 11px; }
.grid { stroke: var(--grid); } .mark { stroke: var(--fg);
  stroke-dasharray: 3 2; } .whisker { stroke: var(--fg); stroke-width: 1.3; }
.curve { fill: none; stroke-width: 1.4; stroke-linejoin: round; }
.phase0 { fill: var(--c5); opacity: .75; } .phase1 { fill: var(--c3);
  opacity: .75; }
.key i { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0
  1em; }
""" + "".join(".c%d { fill: var(--c%d); } .s%d { stroke: var(--c%d); }\n.key "
              ".k%d { background: var(--c%d); }\n" % ((i,) * 6)
              for i in range(len(COLOUR)))


def table(heading, rows):
    def line(cells, tag):
        return "<tr>%s</tr>" % "".join(
            "<%s>%s</%s>" % (tag, html.escape(str(c)), tag) for c in cells)
    return '<div class="wide"><table>%s%s</table></div>' % (
        line(heading, "th"), "".join(line(r, "td") for r in rows))


def figure(form, value, scale=1):
    return "-" if value is None else form % (value * scale)


def _interval(speeds):
    return estimate.interval(statistics.median, speeds) if speeds else None


class Page:
    def __init__(self, documents):
        self.runs = [results.Results(d) for d in documents
                     if d["made_by"] == results.MADE_BY]
        self.phases = [d for d in documents if d["made_by"] != results.MADE_BY]
        self.parts = []

    def add(self, *parts):
        self.parts += parts

    def heading(self, found):
        d, s = found.document, found.document["settings"]
        m = d["machine"]
        self.add("<p class=dim>%s. %s, %s cores, Linux %s. %s. %s turns, seed "
                 "%s, short runs of about %g s; speeds are against %s.</p>" %
                 (*[html.escape(str(x)) for x in
                    (d["began"], m["cpu"], m["cores"], m["kernel"],
                     m["compiler"], s["turns"], s["seed"])], s["seconds"],
                  html.escape(found.base)))
        self.add("<p class=key>%s</p>" % "".join(
            '<i class="k%d"></i>%s' % (COLOUR[v], v) for v in found.variants))

    def means(self, found):
        self.add("<h2>All programs</h2><p>Geometric means over the workloads "
                 "of the medians; above 1 is faster than %s.</p>" % found.base)
        self.add('<div class="pair">')
        for metric, title in (("steady", "steady state"),
                              ("first", "first run, start to finish"),
                              ("later", "later run, start to finish")):
            rows = [(v, COLOUR[v], found.mean_speed(v, metric), None)
                    for v in found.variants]
            self.add("<div><h3>%s</h3>" % title,
                     plot.bars(rows, title, 1.0, "%.3f", 480), "</div>")
        self.add("</div>")
        rows = []
        for (w, v), cell in found.cells.items():
            def speed(metric):
                return figure("%.3f", estimate.median(
                    found.speeds(w, v, metric)))
            rows.append((
                w, v, speed("steady"), cell.kind() or "-", speed("first"),
                speed("later"),
                figure("%.0f", cell.median("rss"), 1 / 1024),
                figure("%.0f", cell.median("idle"), 1 / 1024)))
        self.add(table(("workload", "variant", "steady", "shape", "first run",
                        "later run", "most MB", "idle MB"), rows))

    def workload(self, found, name):
        cells = [found.cells[name, v] for v in found.variants
                 if (name, v) in found.cells]
        self.add("<h2>%s</h2>" % html.escape(name), '<div class="pair">')
        for metric, title in (("steady", "speed, steady state"),
                              ("first", "speed, first run"),
                              ("later", "speed, later run")):
            rows = []
            for c in cells:
                speeds = found.speeds(name, c.variant, metric)
                rows.append((c.variant, COLOUR[c.variant],
                             estimate.median(speeds),
                             _interval(speeds) if c.variant != found.base
                             else None))
            self.add("<div><h3>%s</h3>" % title,
                     plot.bars(rows, title, 1.0, "%.3f", 480), "</div>")
        rows = [(c.variant, COLOUR[c.variant], (c.median("rss") or 0) / 1024,
                 None) for c in cells]
        self.add("<div><h3>most memory, MB</h3>",
                 plot.bars(rows, "memory", None, "%.0f", 480), "</div>")
        self.curves(found, name, cells)
        self.add("</div>")

    def curves(self, found, name, cells):
        """Milliseconds an iteration over the last first run, and over the last
        later run."""
        for first, title in ((True, "a first run"), (False, "a later run")):
            curves = []
            for c in cells:
                runs = c.first if first else c.long
                timed = [r for r in (runs or c.short).values()
                         if r.get("times")]
                if not timed:
                    continue
                times = timed[-1]["times"]
                means = reduce(times)
                at, points = 0.0, []
                for i, mean in enumerate(means):
                    a = i * len(times) // len(means)
                    b = (i + 1) * len(times) // len(means)
                    at += sum(times[a:b])
                    points.append((at, mean * 1e3))
                curves.append((c.variant, COLOUR[c.variant], points))
            if curves:
                self.add("<div><h3>ms an iteration, %s</h3>" % title,
                         plot.lines(curves, name, "seconds", "ms", 620, 230),
                         "</div>")

    def phase_page(self, document):
        self.add("<h2>Detected phases, mode %s</h2>" %
                 html.escape(document["mode"]))
        self.add("<p>Boxes are the program's phases. Below them are libcof's "
                 "reports: dashed, a change; solid, steady again.</p>")
        self.add(table(("case", "turn", "score", "correlation", "sensitivity",
                        "false positives", "delay, generations",
                        "changes a minute"), [
            (r["case"], i, "%.3f" % r["score"], "%.3f" % r["correlation"],
             "%.3f" % r["sensitivity"], "%.3f" % r["false_positives"],
             figure("%.1f", r["delay_median"]),
             "%.1f" % r["changes_a_minute"])
            for i, r in enumerate(document["rows"])]))
        for r in document["rows"]:
            self.add("<h3>%s</h3>" % html.escape(r["case"]),
                     plot.strip(r["real"], r["seconds"], r["reports"],
                                r["case"], 900))

    def text(self):
        for found in self.runs:
            self.heading(found)
            self.means(found)
            for name in found.workloads:
                self.workload(found, name)
            for f in found.document.get("failed", []):
                self.add("<p>Not measured: %s: %s</p>" %
                         (html.escape(f["workload"]), html.escape(f["why"])))
        for document in self.phases:
            self.phase_page(document)
        return ("<!DOCTYPE html><html lang=en><meta charset=utf-8>"
                "<meta name=viewport content='width=device-width'>"
                "<title>libcof: benchmarks</title><style>%s</style>"
                "<h1>libcof: benchmarks</h1>%s</html>\n" %
                (STYLE, "\n".join(self.parts)))
