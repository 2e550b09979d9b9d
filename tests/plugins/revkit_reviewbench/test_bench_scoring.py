"""From verdicts to scores: ReviewBench's rule as a table of cases computed by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit_reviewbench.scoring import (
    FaultVerdict,
    PointVerdict,
    coverage,
    pitfall_score,
    positive_score,
)

_WORDS = {"A": "addressed", "P": "partly", "N": "not"}
VERDICTS = st.builds(
    PointVerdict, st.sampled_from(["addressed", "partly", "not"]), st.booleans(), st.booleans()
)
RANK = {"not": 0, "partly": 1, "addressed": 2}


def points(verdicts: str) -> list[PointVerdict]:
    """ "A Pm N!" is addressed, partly and minor, not with a material error."""
    return [
        PointVerdict(_WORDS[each[0]], "m" in each, "!" in each)  # type: ignore[arg-type]
        for each in verdicts.split()
    ]


@pytest.mark.parametrize(
    ("verdicts", "score"),
    [
        ("A", 2),
        ("A A A A", 2),
        ("A A A Nm", 2),
        ("A A A Pm", 2),
        ("A A A N", 1),
        ("A A A P", 1),
        ("A A Nm Nm", 1),
        ("A A Nm N", 1),
        ("A A N N", 1),
        ("A P P N", 1),
        ("P", 1),
        ("Pm", 1),
        ("P P P", 1),
        ("A N", 1),
        ("N Am", 1),
        ("A N N N", 0),
        ("A N N", 0),
        ("P N N N", 0),
        ("P N", 0),
        ("N", 0),
        ("Nm", 0),
        ("N N N N", 0),
        ("A A A A!", 0),
        ("A A A Nm!", 0),
        ("P!", 0),
    ],
)
def test_positive(verdicts: str, score: int) -> None:
    assert positive_score(points(verdicts)) == score


@pytest.mark.parametrize(
    ("verdicts", "score"), [("A N N N", 1), ("P N N N", 1), ("N N N N", 0), ("A N N N!", 0)]
)
def test_the_gap_can_be_closed_upwards(verdicts: str, score: int) -> None:
    assert positive_score(points(verdicts), below_half=1) == score


@pytest.mark.parametrize(
    ("verdicts", "score"),
    [("-", 0), ("- - -", 0), ("x", -1), ("x - -", -1), ("x x -", -2), ("X", -2), ("X - -", -2)],
)
def test_pitfall(verdicts: str, score: int) -> None:
    assert pitfall_score([FaultVerdict(e != "-", e == "X") for e in verdicts.split()]) == score


def test_a_checklist_without_points_has_no_score() -> None:
    with pytest.raises(ValueError, match="without key points"):
        positive_score([])
    with pytest.raises(ValueError, match="without key points"):
        pitfall_score([])


def test_coverage_counts_a_part_half() -> None:
    assert coverage(points("A P N N")) == 3 / 8


@given(st.lists(VERDICTS, min_size=1, max_size=8), st.sampled_from([0, 1]), st.randoms())
def test_order_does_not_matter_and_the_range_holds(
    verdicts: list[PointVerdict], below: int, random: object
) -> None:
    score = positive_score(verdicts, below_half=below)  # type: ignore[arg-type]
    shuffled = list(verdicts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert positive_score(shuffled, below_half=below) == score  # type: ignore[arg-type]
    assert score in (0, 1, 2)


@given(st.lists(VERDICTS, min_size=1, max_size=8), st.data())
def test_saying_more_never_lowers_a_score(
    verdicts: Sequence[PointVerdict], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(verdicts) - 1))
    better = data.draw(st.sampled_from(["addressed", "partly", "not"]))
    old = verdicts[at]
    if RANK[better] < RANK[old.verdict]:
        return
    new = PointVerdict(better, old.minor, old.material_error)  # type: ignore[arg-type]
    changed = [*verdicts[:at], new, *verdicts[at + 1 :]]
    assert positive_score(changed) >= positive_score(verdicts)
