"""How well a detector found the phases of a program.

The measure is that of Nagpurkar, Hind, Krintz, Sweeney and Rajan, "Online Phase
Detection Algorithms" (CGO 2006). Time is cut into elements. In each element the
program and the detector are in a phase (P) or in transition (T).

  correlation      the share of elements in which both are in the same state
  sensitivity      the share of real boundaries that a detected one matches
  false positives  the share of detected boundaries that match no real one
  score            correlation/2 + sensitivity/4 + (1 - false positives)/4

A boundary is the start or the end of a phase. The first detected start within a
phase matches the start of the phase. The first detected end after the end of a
phase matches that, if it comes before the middle of the next phase.
"""
import bisect

ELEMENT = 0.010         # seconds


class Phases:
    """Phases, (begin, end) in seconds, in order."""

    def __init__(self, stretches, end):
        self.stretches = [(a, b) for a, b in stretches if b > a]
        self.end = end

    def states(self, element=ELEMENT):
        """For each element: is it in a phase?"""
        out = [False] * int(self.end / element)
        for a, b in self.stretches:
            for i in range(max(0, int(a / element + 0.5)),
                           min(len(out), int(b / element + 0.5))):
                out[i] = True
        return out

    def starts(self):
        return [a for a, _ in self.stretches]

    def ends(self):
        """All ends but that of the program, which no detector can find."""
        return [b for _, b in self.stretches if b < self.end - ELEMENT]


def from_reports(reports, end):
    """The detector's phases, from (seconds, "change" | "steady"). It begins in
    transition. If it never reports "steady", a phase begins at each change."""
    says_steady = any(kind == "steady" for _, kind in reports)
    stretches, begin = [], None
    for at, kind in sorted(reports):
        if at >= end:
            break
        if kind == "steady":
            begin = at if begin is None else begin
            continue
        if begin is not None:
            stretches.append((begin, at))
        begin = None if says_steady else at
    if begin is not None:
        stretches.append((begin, end))
    return Phases(stretches, end)


def _match(real, detected):
    """Pairs (real, detected): the first detected in each window."""
    pairs = []
    for at, until in real:
        i = bisect.bisect_left(detected, at)
        if i < len(detected) and detected[i] < until:
            pairs.append((at, detected[i]))
    return pairs


class Score:
    """correlation, sensitivity, false_positives, score; delays: seconds from a
    real boundary to the detected one; wrong: detected boundaries without a
    match."""

    def __init__(self, real, found):
        truth, said = real.states(), found.states()
        n = min(len(truth), len(said))
        same = sum(a == b for a, b in zip(truth, said))
        self.correlation = same / n if n else 0.0

        ends = []
        for i, (_, b) in enumerate(real.stretches):
            if b >= real.end - ELEMENT:
                continue
            if i + 1 < len(real.stretches):
                a2, b2 = real.stretches[i + 1]
                ends.append((b, (a2 + b2) / 2))
            else:
                ends.append((b, real.end))
        pairs = _match(real.stretches, found.starts()) + \
            _match(ends, found.ends())
        n_real = len(real.starts()) + len(real.ends())
        n_found = len(found.starts()) + len(found.ends())
        self.real, self.found, self.matched = n_real, n_found, len(pairs)
        self.sensitivity = len(pairs) / n_real if n_real else 1.0
        self.wrong = n_found - len(pairs)
        self.false_positives = self.wrong / n_found if n_found else 0.0
        self.delays = [found_at - at for at, found_at in pairs]
        self.score = (self.correlation / 2 + self.sensitivity / 4 +
                      (1 - self.false_positives) / 4)


def recognized(stretches, names, reports):
    """(how many, of how many): the phases that got their number again, of those
    that returned. reports: (seconds, kind, number). A phase's number is the
    last one before its end."""
    numbers, right, back = {}, 0, 0
    for (begin, end), name in zip(stretches, names):
        said = [n for t, kind, n in reports
                if kind == "steady" and n and begin <= t < end]
        if name in numbers:
            back += 1
            right += bool(said) and said[-1] == numbers[name]
        elif said and said[-1] not in numbers.values():
            numbers[name] = said[-1]
        else:
            numbers[name] = None
    return right, back
