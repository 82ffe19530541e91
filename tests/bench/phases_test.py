"""phases_test.py - the score of a phase detector"""
from made_up import close
from lib.phasescore import Phases, Score, from_reports, recognized

ABC = Phases([(0, 4), (4, 8), (8, 12)], 12)


def a_perfect_detector_scores_one():
    score = Score(ABC, Phases(ABC.stretches, 12))
    close(score.score, 1)
    assert score.wrong == 0 and score.matched == score.real == 5


def one_that_says_nothing_scores_little():
    score = Score(ABC, from_reports([], 12))
    close(score.correlation, 0)
    close(score.sensitivity, 0)
    close(score.false_positives, 0)
    close(score.score, 0.25)


def a_late_one_loses_correlation_alone():
    reports = []
    for start in (0, 4, 8):
        reports += [(start + 0.2, "change")] if start else []
        reports.append((start + 0.8, "steady"))
    score = Score(ABC, from_reports(reports, 12))
    close(score.sensitivity, 1)
    close(score.false_positives, 0)
    # 0.8 s of each phase: at first not yet, later still the last, then not yet.
    close(score.correlation, 1 - (0.8 + 0.6 + 0.6) / 12, 0.005)
    close(max(score.delays), 0.8)


def false_alarms_are_counted():
    reports = [(0.1, "steady"), (2, "change"), (2.5, "steady"),
               (4.2, "change"), (4.6, "steady")]
    score = Score(Phases([(0, 4), (4, 8)], 8), from_reports(reports, 8))
    # The end at 2 and the start at 2.5 are of no phase.
    assert score.wrong == 2 and score.matched == 3, vars(score)
    close(score.false_positives, 2 / 5)
    close(score.sensitivity, 1)


def what_comes_too_late_matches_nothing():
    # The end at 4 is not what is said at 7: half of the next phase is gone.
    found = from_reports([(0.1, "steady"), (7, "change")], 8)
    score = Score(Phases([(0, 4), (4, 8)], 8), found)
    assert (score.matched, score.real, score.wrong) == (1, 3, 1), vars(score)


def transitions_are_states_of_their_own():
    real = Phases([(0, 4), (6, 10)], 10)
    found = from_reports([(0, "steady"), (4, "change"), (6, "steady")], 10)
    close(Score(real, found).score, 1)
    without = from_reports([(0, "steady"), (4, "change"), (4.2, "steady")], 10)
    assert Score(real, without).correlation < 0.85


def a_detector_that_never_says_steady_is_so_at_once():
    found = from_reports([(0.2, "change"), (4.2, "change")], 8)
    assert found.stretches == [(0.2, 4.2), (4.2, 8)]


def returning_phases_are_known_by_their_numbers():
    stretches, names = [(0, 4), (4, 8), (8, 12), (12, 16)], "ABAB"

    def said(*numbers):
        return [(4 * i + 0.5, "steady", n) for i, n in enumerate(numbers)]

    assert recognized(stretches, names, said(1, 2, 1, 2)) == (2, 2)
    assert recognized(stretches, names, said(1, 2, 3, 2)) == (1, 2)
    assert recognized(stretches, names, said(1, 1, 1, 1)) == (1, 2)
    assert recognized(stretches, names, []) == (0, 2)
