"""The share of variants that an agent scores worse, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scipy.stats import beta

from revkit.model.paper import Labels
from revkit.model.records import AgentRow, PaperRow, PerturbationRow, Records, VariantRow, Verdict
from revkit.model.review import Scale
from revkit_robustrev.metrics.notice_rate import Noticed

UP = Scale("0-100", 0, 100, accept_at=50)
DOWN = Scale("severity", 0, 100, higher_is_better=False, accept_at=50)


def records(scale: Scale, papers: int, worse: int) -> Records:
    """One agent; the first ``worse`` variants have the worse score, the others the same."""
    ids = [f"p{i:03}" for i in range(papers)]
    step = -1 if scale.higher_is_better else 1
    verdicts = [Verdict("a", paper, "", 0, 0, None, 50) for paper in ids]
    verdicts += [
        Verdict("a", paper, "f", 0, 0, None, 50 + step * (number < worse))
        for number, paper in enumerate(ids)
    ]
    return Records(
        seed=1,
        repeats=1,
        papers=[PaperRow(paper, Labels()) for paper in ids],
        perturbations=[PerturbationRow("f", "f", "invariant")],
        agents=[AgentRow("a", "a", scale, True)],
        variants=[
            VariantRow(paper, "f", 0, 1, 0, (), direction="add" if number % 2 else "remove")
            for number, paper in enumerate(ids)
        ],
        verdicts=verdicts,
    )


@pytest.mark.parametrize("scale", [UP, DOWN])
@pytest.mark.parametrize(
    ("papers", "worse", "answer"),
    [(40, 0, "harmless"), (40, 30, "noticed"), (40, 4, "open"), (10, 0, "open")],
)
def test_the_share_and_its_answer(scale: Scale, papers: int, worse: int, answer: str) -> None:
    row = Noticed().measure(records(scale, papers, worse)).records()[0]
    assert (row["pairs"], row["papers"], row["worse"], row["better"]) == (papers, papers, worse, 0)
    assert row["share"] == pytest.approx(worse / papers)
    assert row["shift"] == pytest.approx(-worse / papers)
    assert row["answer"] == answer
    if not worse:
        assert row["share_high"] == pytest.approx(beta.ppf(0.975, 1, papers))


def test_directions_have_rows_with_their_own_n() -> None:
    rows = Noticed().measure(records(UP, 40, 20)).records()
    assert [(row["direction"], row["pairs"], row["worse"]) for row in rows] == [
        (None, 40, 20),
        ("add", 20, 10),
        ("remove", 20, 10),
    ]


def test_the_finding_names_the_family_and_the_agent() -> None:
    question, answer = Noticed().measure(records(UP, 40, 30)).findings
    assert (question.part, answer.text) == ("question", "Noticed edits: f by a.")


def test_without_scores_nothing_is_answered() -> None:
    made = records(UP, 3, 0)
    lost = [replace(each, score=None, failure="timeout") for each in made.verdicts]
    row = Noticed().measure(replace(made, verdicts=lost)).records()[0]
    assert (row["share"], row["answer"], row["note"]) == (None, None, "no pair with two scores")
