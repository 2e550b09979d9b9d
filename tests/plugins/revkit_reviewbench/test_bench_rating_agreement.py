"""Ratings and decisions against people's: by hand, against scikit-learn's definitions, bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.model.paper import Labels
from revkit.model.rating_scale import RatingScale
from revkit.model.records import AgentRow, PaperRow, Records, Verdict
from revkit.model.review import Scale
from revkit.model.table import Table
from revkit_reviewbench.metrics import RatingAgreement
from revkit_reviewbench.metrics.rating_agreement import on_scale

TEN = Scale("mine-1-10", 1, 10)
ONE_TO_TEN = RatingScale("rating-1-10", 1, 10)
PAPERS = [
    Labels(accept=True, ratings=(6, 8), scale=ONE_TO_TEN),  # 7
    Labels(accept=False, ratings=(3, 5), scale=ONE_TO_TEN),  # 4
    Labels(accept=False, ratings=(5,), scale=ONE_TO_TEN),
    Labels(accept=True, ratings=(8,), scale=ONE_TO_TEN),
]
Said = tuple[bool | None, float | None, str]


def measured(
    labels: Sequence[Labels], said: Sequence[Said], scale: Scale = TEN, resamples: int = 200
) -> Table:
    papers = [PaperRow(f"p{i}", each) for i, each in enumerate(labels)]
    verdicts = [
        Verdict("a", f"p{i}", "", 0, 0, accept, score, failure)
        for i, (accept, score, failure) in enumerate(said)
    ]
    agents = [AgentRow("a", "toy", scale, True)]
    records = Records(3, 1, papers, (), agents, (), verdicts)
    return RatingAgreement(resamples=resamples).measure(records)


def table(
    labels: Sequence[Labels], said: Sequence[Said], scale: Scale = TEN, resamples: int = 200
) -> dict[str, Any]:
    (row,) = measured(labels, said, scale, resamples).records()
    return row


def test_by_hand() -> None:
    row = table(PAPERS, [(True, 6, ""), (True, 6, ""), (False, 4, ""), (None, None, "timeout")])
    # Errors -1, 2, -1. TP 1, FP 1, TN 1.
    assert (row["mse"], row["mae"], row["bias"]) == pytest.approx((2.0, 4 / 3, 0.0))
    assert (row["accuracy"], row["accept_f1"]) == pytest.approx((2 / 3, 2 / 3))
    assert (row["reject_f1"], row["macro_f1"]) == pytest.approx((2 / 3, 2 / 3))
    assert (row["reviews"], row["failed"], row["decided"], row["rated"]) == (4, 1, 3, 3)
    assert row["accuracy_of_all"] == 0.5
    assert row["mapped"] == "1 to 10, as given"


def test_the_three_f1_differ_and_are_named() -> None:
    # All said accept: TP 2, FP 2. accept-F1 = 4 / 6, reject-F1 = 0, macro = 1 / 3.
    row = table(PAPERS, [(True, 7, "")] * 4)
    assert row["accuracy"] == 0.5
    assert row["accept_f1"] == pytest.approx(2 / 3)
    assert row["reject_f1"] == 0.0
    assert row["macro_f1"] == pytest.approx(1 / 3)


def test_a_class_that_never_occurs_has_no_f1() -> None:
    row = table(PAPERS[:1], [(True, 7, "")])
    assert (row["accuracy"], row["accept_f1"]) == (1.0, 1.0)
    assert (row["reject_f1"], row["macro_f1"]) == (None, None)
    assert "neither occurs nor is predicted" in row["note"]
    notes = measured(PAPERS[:1], [(True, 7, "")]).notes
    assert any(note.startswith("There is no macro-F1 and no reject-F1: ") for note in notes)
    notes = measured(PAPERS, [(True, 7, "")] * 4).notes
    assert not any("macro-F1" in note for note in notes)


def test_ratings_that_were_brought_onto_a_scale_are_reported() -> None:
    own: dict[str, Any] = {"venue": "Birch", "venue-scales": {"rating": [1.0, 6.0]}}
    same: dict[str, Any] = {"venue": "Alder", "venue-scales": {"rating": [1.0, 10.0]}}
    papers = [
        Labels(accept=True, ratings=(6,), scale=ONE_TO_TEN, extra=extra)
        for extra in (own, same, own)
    ]
    notes = measured(papers, [(True, 7, "")] * 3).notes
    listed = [note for note in notes if "mapped linearly" in note]
    assert listed == [
        "The human ratings were mapped linearly to one scale: those of Birch from 1 to 6 onto "
        "1 to 10."
    ]
    assert not [note for note in measured(PAPERS, [(True, 7, "")] * 4).notes if "mapped" in note]


@pytest.mark.parametrize(
    ("scale", "score", "rating"),
    [
        (TEN, 5.5, 5.5),
        (Scale("share", 0, 1), 0.5, 5.5),
        (Scale("four", 1, 4), 4, 10.0),
        (Scale("severity", 0, 100, higher_is_better=False), 30, 7.3),
        (Scale("worst-first", 1, 10, higher_is_better=False), 10, 1.0),
    ],
)
def test_scores_are_mapped_by_declared_scales(scale: Scale, score: float, rating: float) -> None:
    assert on_scale(score, scale, (1.0, 10.0)) == pytest.approx(rating)
    row = table(PAPERS[:1], [(None, score, "")], scale)
    assert row["bias"] == pytest.approx(rating - 7)
    assert ("linearly" in row["mapped"]) is (scale is not TEN)
    assert ("turned over" in row["mapped"]) is not scale.higher_is_better


def test_without_a_declared_scale_there_is_no_error() -> None:
    row = table([Labels(ratings=(6,), rating_scale="iclr")], [(True, 6, "")])
    assert (row["mse"], row["mae"], row["rated"]) == (None, None, 0)
    assert "ends are not known" in row["note"]
    assert "no verdict on a paper with a decision" in row["note"]
    off = table([Labels(ratings=(60,), scale=ONE_TO_TEN)], [(True, 6, "")])
    assert off["mse"] is None


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_bounds_of_f1(pairs: list[tuple[bool, bool]]) -> None:
    """On one sample of two classes macro-F1 <= accuracy and F1 <= 2a / (1 + a)."""
    labels = [Labels(accept=truth) for truth, _ in pairs]
    row = table(labels, [(said, None, "") for _, said in pairs], resamples=100)
    accuracy = row["accuracy"]
    assert accuracy == pytest.approx(sum(t == s for t, s in pairs) / len(pairs))
    if row["macro_f1"] is not None:
        assert row["macro_f1"] <= accuracy + 1e-12
    for name in ("accept_f1", "reject_f1"):
        if row[name] is not None:
            assert row[name] <= 2 * accuracy / (1 + accuracy) + 1e-12


def test_rows_of_the_paper_that_cannot_be() -> None:
    """CycleReviewer's accuracy and F1 in Table 2 break both bounds; all other rows keep one."""
    for accuracy, f1 in ((0.2354, 0.3988), (0.1545, 0.4156)):
        assert f1 > accuracy
        assert f1 > 2 * accuracy / (1 + accuracy)
    for accuracy, f1 in ((0.2826, 0.2541), (0.4242, 0.4242), (0.6667, 0.5204), (0.6939, 0.6699)):
        assert f1 <= accuracy


def test_a_run_with_variants_says_whose_reviews_count() -> None:
    verdicts = [
        Verdict("a", "p0", "", 0, 0, True, 7, ""),
        Verdict("a", "p0", "attack", 0, 0, True, 1, ""),
    ]
    agents = [AgentRow("a", "toy", TEN, True)]
    records = Records(3, 1, [PaperRow("p0", PAPERS[0])], (), agents, (), verdicts)
    found = RatingAgreement(resamples=200).measure(records)
    assert "These are reviews of unchanged papers alone." in found.notes
    assert [row["mae"] for row in found.records()] == [0.0]
    plain = measured(PAPERS, [(True, 7, "")] * 4)
    assert not [note for note in plain.notes if "unchanged" in note]


def test_people_are_not_compared_with_themselves() -> None:
    papers = [PaperRow(f"p{i}", each) for i, each in enumerate(PAPERS)]
    verdicts = [
        Verdict(name, row.id, "", 0, 0, row.labels.accept, score)
        for row in papers
        for name, score in (("mean", sum(row.labels.ratings) / len(row.labels.ratings)), ("ai", 5))
    ]
    agents = [
        AgentRow("mean", "human", TEN, True, originals_only=True),
        AgentRow("ai", "toy", TEN, True),
    ]
    records = Records(3, 1, papers, (), agents, (), verdicts)
    table = RatingAgreement(resamples=100).measure(records)
    mean, ai = table.records()
    assert (mean["mse"], mean["mae"], mean["bias"], mean["rated"]) == (None, None, None, 0)
    assert "it reads the reviews that people wrote" in str(mean["note"])
    assert mean["mapped"] == ai["mapped"] == "1 to 10, as given"
    assert mean["accuracy"] == 1.0
    assert ai["mae"] == pytest.approx((2 + 1 + 0 + 3) / 4)
    assert not any("by mean" in each.text for each in table.findings)
