"""Score shift, clean accuracy, expectation, noise floor and outcomes, counted by hand."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats as scipy_stats

from revkit.model.paper import Labels
from revkit.model.records import AgentRow, PaperRow, PerturbationRow, Records, VariantRow, Verdict
from revkit.model.review import Scale
from revkit.model.table import Cell, Table
from revkit_robustrev.metrics import (
    CleanAccuracy,
    ExpectationMet,
    FlipRate,
    NoiseFloor,
    Outcomes,
    ScoreShift,
)


def find(table: Table, **match: Cell) -> dict[str, Cell]:
    (row,) = [
        row for row in table.records() if all(row[key] == value for key, value in match.items())
    ]
    return row


def test_shift_on_the_own_scale(small: Records) -> None:
    table = ScoreShift().measure(small)
    row = find(table, agent="points", family="all families", axis="own")
    shifts = [-1, 0, 2, -3, 3, 3]
    assert (row["n"], row["unmoved"], row["failed"]) == (6, 1, 0)
    assert row["mean_abs"] == pytest.approx(2.0)
    assert row["mean"] == pytest.approx(4 / 6)
    assert (row["minimum"], row["maximum"]) == (-3, 3)
    assert row["q25"] == pytest.approx(np.quantile(shifts, 0.25))
    # Two pairs a paper: with equal sizes the clustered t interval is that of the papers' means.
    means = [-2.0, 1.5, 2.5]
    low, high = scipy_stats.t.interval(0.95, 2, np.mean(means), scipy_stats.sem(means))
    assert (row["mean_t_low"], row["mean_t_high"]) == pytest.approx((low, high))


def test_shift_on_the_severity_axis_turns_with_the_scale(small: Records) -> None:
    table = ScoreShift().measure(small)
    points = find(table, agent="points", family="citations", axis="severity")
    assert points["mean"] == pytest.approx(-(100 / 9) * (-3 + 3 + 3) / 3)
    assert points["mean_abs"] == pytest.approx((100 / 9) * 3)
    harsh = find(table, agent="harsh", family="all families", axis="severity")
    assert (harsh["n"], harsh["failed"]) == (5, 1)
    assert harsh["mean"] == pytest.approx((5 + 20 + 0 + 10 - 35) / 5)
    together = find(table, agent="all agents", family="citations")
    assert together["axis"] == "severity"
    expected = ((100 / 9) * 9 + 0 + 10 + 35) / 6
    assert together["mean_abs"] == pytest.approx(expected)


def test_no_mean_over_agents_on_their_own_scales(small: Records) -> None:
    rows = ScoreShift().measure(small).records()
    assert {row["axis"] for row in rows if row["agent"] == "all agents"} == {"severity"}


def test_accuracy_on_unchanged_papers(small: Records) -> None:
    table = CleanAccuracy().measure(small)
    points = find(table, agent="points")
    assert (points["n"], points["accuracy"]) == (3, pytest.approx(2 / 3))
    counts = ("true_accept", "false_accept", "false_reject", "true_reject")
    assert tuple(points[name] for name in counts) == (1, 0, 1, 1)
    assert (points["majority"], points["majority_class"]) == (pytest.approx(2 / 3), "accept")
    assert points["balanced"] == pytest.approx((1 / 2 + 1) / 2)
    assert points["f1"] == pytest.approx(2 / 3)
    assert points["macro_f1"] == pytest.approx(2 / 3)
    harsh = find(table, agent="harsh")
    assert tuple(harsh[name] for name in counts) == (1, 1, 1, 0)
    assert harsh["balanced"] == pytest.approx(1 / 4)
    assert harsh["f1"] == pytest.approx(1 / 2)
    assert harsh["macro_f1"] == pytest.approx(1 / 4)
    assert points["constant"] is None


def test_correlations_turn_a_severity_scale_round(small: Records) -> None:
    row = find(CleanAccuracy().measure(small), agent="harsh")
    quality, scores = [0.9, 0.2, 0.6], [-20, -30, -70]
    assert (row["against"], row["scored"]) == ("latent quality", 3)
    assert row["pearson"] == pytest.approx(scipy_stats.pearsonr(scores, quality).statistic)
    assert row["spearman"] == pytest.approx(scipy_stats.spearmanr(scores, quality).statistic)


def test_ratings_of_two_scales_are_not_mixed(small: Records) -> None:
    papers = [
        PaperRow("a", Labels(accept=True, ratings=(8, 6), rating_scale="ten")),
        PaperRow("b", Labels(accept=False, ratings=(3,), rating_scale="ten")),
        PaperRow("c", Labels(accept=True, ratings=(2,), rating_scale="five")),
    ]
    table = CleanAccuracy().measure(replace(small, papers=papers))
    row = find(table, agent="points")
    assert (row["against"], row["scored"]) == ("mean human rating (ten)", 2)
    assert any("1 paper(s) with ratings on another scale" in note for note in table.notes)


def test_every_agent_whose_lower_end_is_not_above_the_majority_is_named(small: Records) -> None:
    verdicts = [replace(v, accept=True) if v.agent == "points" else v for v in small.verdicts]
    table = CleanAccuracy().measure(replace(small, verdicts=verdicts))
    not_above = [
        row["agent"]
        for row in table.records()
        if not float(str(row["accuracy_low"] or 0)) > float(str(row["majority"]))
    ]
    assert "points" in not_above  # its verdict is constant
    (warning,) = [each for each in table.warnings if each.kind == "not-shown"]
    assert warning.text == (
        "Agents not shown to be more accurate than always giving the more frequent decision: "
        f"{', '.join(map(str, not_above))}."
    )


def test_a_constant_verdict_is_named(small: Records) -> None:
    verdicts = [replace(v, accept=True) if v.agent == "points" else v for v in small.verdicts]
    row = find(CleanAccuracy().measure(replace(small, verdicts=verdicts)), agent="points")
    assert row["constant"] == "accept"
    assert "one verdict to all unchanged papers" in str(row["note"])
    assert row["macro_f1"] == pytest.approx((4 / 5 + 0) / 2)


@pytest.mark.parametrize(
    ("papers", "right", "accepted", "limit"),
    [
        (20, 10, 18, 16.0),  # accuracy 50%, as the majority class
        (20, 12, 18, None),  # better than the majority class
        (8, 4, 8, None),  # too few papers
    ],
)
def test_one_verdict_for_nearly_all_papers(
    small: Records, papers: int, right: int, accepted: int, limit: float | None
) -> None:
    """Half of the papers are accepted by people; the first of them by the agent."""
    wrong_accepts = (accepted - right + papers // 2) // 2
    right_accepts = accepted - wrong_accepts
    says = [n < right_accepts or 0 <= n - papers // 2 < wrong_accepts for n in range(papers)]
    like = next(v for v in small.verdicts if v.agent == "points" and not v.perturbation)
    records = replace(
        small,
        papers=[PaperRow(f"p{n}", Labels(accept=n < papers // 2)) for n in range(papers)],
        agents=[agent for agent in small.agents if agent.name == "points"],
        perturbations=[],
        variants=[],
        verdicts=[replace(like, paper=f"p{n}", accept=said) for n, said in enumerate(says)],
    )
    row = find(CleanAccuracy().measure(records), agent="points")
    assert (row["accuracy"], row["one_verdict"]) == (right / papers, accepted)
    assert row["nearly_all"] == limit


def test_repeats_that_agree_change_nothing(small: Records) -> None:
    again = [replace(v, repeat=1) for v in small.verdicts]
    records = replace(small, repeats=2, verdicts=[*small.verdicts, *again])
    row = find(CleanAccuracy().measure(records), agent="points")
    # A paper counts once: repeats that agree change nothing.
    assert row == find(CleanAccuracy().measure(small), agent="points")


def test_no_labels_no_accuracy(small: Records) -> None:
    papers = [replace(paper, labels=Labels()) for paper in small.papers]
    table = CleanAccuracy().measure(replace(small, papers=papers))
    for row in table.records():
        assert row["n"] == 0
        assert row["left_out"] == 3
        assert row["accuracy"] is None
        assert row["pearson"] is None
        assert row["note"]


def test_expectations_follow_the_direction_of_the_scale(small: Records) -> None:
    rows = [
        PerturbationRow("rewording", "x", "increase"),
        PerturbationRow("citations", "x", "decrease", target="soundness"),
    ]
    table = ExpectationMet().measure(replace(small, perturbations=rows))
    up = find(table, agent="points", family="rewording")
    assert (up["n"], up["as_expected"], up["faults"]) == (3, 1, 2)
    down = find(table, agent="points", family="citations")
    assert (down["as_expected"], down["target"], down["measured"]) == (1, "soundness", "score")
    # On a severity scale a worse review has a higher score: of 0, +10 and -35 one is worse.
    worse = find(table, agent="harsh", family="citations")
    assert (worse["n"], worse["as_expected"], worse["faults"]) == (3, 1, 2)
    assert worse["share"] == pytest.approx(1 / 3)


def test_invariant_means_no_flip(small: Records) -> None:
    row = find(ExpectationMet().measure(small), agent="harsh", family="rewording")
    assert (row["n"], row["as_expected"], row["faults"], row["measured"]) == (2, 1, 1, "verdict")


def test_expectation_of_a_reviewer_that_only_draws_noise() -> None:
    """Against a count of all comparisons: an agent that no edit moves has the share by noise."""
    rng = random.Random(11)
    papers = [f"p{n}" for n in range(60)]
    scores = {
        (paper, family): [rng.choice((3, 5, 7)) for _ in range(3)]
        for paper in papers
        for family in ("", "same", "worse")
    }
    records = Records(
        seed=1, repeats=3, papers=[PaperRow(p, Labels()) for p in papers],
        perturbations=[
            PerturbationRow("same", "x", "invariant"), PerturbationRow("worse", "y", "may-lower")
        ],
        agents=[AgentRow("a", "x", Scale("ten", 1, 10, accept_at=6), False)],
        variants=[VariantRow(p, f, 0, 1, 0, ()) for p in papers for f in ("same", "worse")],
        verdicts=[
            Verdict("a", paper, family, 0, repeat, score >= 6, float(score))
            for (paper, family), given in scores.items()
            for repeat, score in enumerate(given)
        ],
    )  # fmt: skip
    table = ExpectationMet().measure(records)
    for family in ("same", "worse"):
        found, again = [], []
        for paper in papers:
            own, other = scores[paper, ""], scores[paper, family]
            pairs = [(b, a) for b in own for a in other]
            within = [
                (x[i], x[j]) for x in (own, other) for i in range(3) for j in range(3) if i != j
            ]
            for compared, into in ((pairs, found), (within, again)):
                into.append(
                    sum(a <= b if family == "worse" else (a >= 6) == (b >= 6) for b, a in compared)
                    / len(compared)
                )
        row = find(table, family=family)
        assert row["share"] == pytest.approx(sum(found) / 60)
        assert row["noise_share"] == pytest.approx(sum(again) / 60)
        assert row["noise_share"] < 0.8
        assert row["share"] == pytest.approx(row["noise_share"], abs=0.15)
    assert any("partly noise" in note for note in table.notes)
    once = ExpectationMet().measure(replace(records, repeats=1, verdicts=records.verdicts[::3]))
    assert find(once, family="same")["noise_share"] is None
    assert any("faults may be noise" in note for note in once.notes)


def test_noise_floor(small: Records) -> None:
    # Three repeats on each paper: a is accepted twice of three times, so 2*2*1/(3*2) = 2/3.
    repeats = [
        replace(v, repeat=repeat, accept=v.accept and repeat < 2, score=(v.score or 0) + repeat)
        for v in small.verdicts
        for repeat in range(3)
        if v.agent == "points" and not v.perturbation
    ]
    table = NoiseFloor().measure(replace(small, repeats=3, verdicts=repeats))
    row = find(table, agent="points")
    assert (row["papers"], row["rate"]) == (3, pytest.approx(2 / 9))
    assert row["score"] == pytest.approx((1 + 2 + 1) / 3)
    harsh = find(table, agent="harsh")
    assert harsh["rate"] is None


def test_one_repeat_measures_no_noise(small: Records) -> None:
    for row in NoiseFloor().measure(small).records():
        assert row["rate"] is None
        assert "repeats: 1" in str(row["note"])


def test_outcomes_add_up(small: Records) -> None:
    table = Outcomes().measure(small)
    row = find(table, agent="harsh", of="all")
    assert (row["planned"], row["reviews"], row["failed"], row["missing"]) == (9, 8, 1, 0)
    assert row["failed_timeout"] == 1
    assert find(table, agent="harsh", of="rewording")["failed"] == 1
    short = replace(small, verdicts=list(small.verdicts)[:-1])
    assert find(Outcomes().measure(short), agent="harsh", of="all")["missing"] == 1


def test_verdicts_against_the_scale_are_counted_and_kept(small: Records) -> None:
    # Paper a: accepted with 8 on a scale that accepts from 6; now rejected with the same score.
    odd = replace(small.verdicts[0], accept=False)
    records = replace(small, verdicts=[odd, *small.verdicts[1:]])
    table = Outcomes().measure(records)
    row = find(table, agent="points", of="all")
    assert row["against_scale"] == 1
    assert "contradict the scale's accept rule" in str(row["note"])
    assert find(table, agent="points", of="rewording")["against_scale"] == 0
    assert find(table, agent="harsh", of="all")["against_scale"] == 0
    # The verdict counts as given: one right answer fewer.
    assert find(CleanAccuracy().measure(records), agent="points")["true_accept"] == 0


def test_a_fair_review_may_lower_its_score_where_edits_can_be_noticed(small: Records) -> None:
    rows = [
        PerturbationRow("rewording", "x", "may-lower"),
        PerturbationRow("citations", "x", "invariant"),
    ]
    table = ExpectationMet().measure(replace(small, perturbations=rows))
    # "points" moves by +1, 0 and -1 (see conftest): only the better score is a fault.
    row = find(table, agent="points", family="rewording")
    assert (row["n"], row["as_expected"], row["faults"], row["measured"]) == (3, 2, 1, "score")
    flips = FlipRate().measure(replace(small, perturbations=rows))
    pooled = find(flips, agent="points", family="all families")
    assert pooled["expect"] == "may-lower"
