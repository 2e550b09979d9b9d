"""Ratings: whole forms are read, everything else is none, with a note."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit_corpora.ratings import Scores, read_rating


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("6: Weak Accept", 6.0),
        ("10: Top 5% of accepted papers, seminal paper", 10.0),
        ("4: Top 50% of accepted papers, clear accept", 4.0),
        ("3 good", 3.0),
        ("4 excellent", 4.0),
        ("3.5", 3.5),
        ("3.5: Borderline", 3.5),
        ("6", 6.0),
        (" 6.0 ", 6.0),
        (6, 6.0),
        (6.0, 6.0),
        ("-1", -1.0),
    ],
)
def test_forms(value: object, expected: float) -> None:
    assert read_rating(value).value == expected


@pytest.mark.parametrize(
    "value",
    [
        "8/10",
        "6-7",
        "2024 form",
        "ICLR 2024 rating: 6",
        "Rating: 10",
        "six",
        "3,5",
        "10:30",
        "3 of 5",
        "6 (weak accept)",
        "٦",
        "1e3",
        "12345",
        True,
        [6],
        {"value": 6},
        float("nan"),
        float("inf"),
        10**400,
        "6" * 2000,
    ],
)
def test_anything_else_is_none_with_a_note(value: object) -> None:
    rating = read_rating(value)
    assert rating.value is None
    assert rating.note


@pytest.mark.parametrize("value", [None, "", "  ", "N/A", "Not applicable", "none"])
def test_absent_is_none_without_a_note(value: object) -> None:
    rating = read_rating(value)
    assert (rating.value, rating.note) == (None, "")


def test_off_the_scale_is_none() -> None:
    assert read_rating("14", 1, 10).value is None
    assert "off the scale" in read_rating("14", 1, 10).note
    assert read_rating("10", 1, 10).value == 10.0
    assert read_rating(0, 1, 10).value is None


def test_confidences_stay_aligned() -> None:
    scores = Scores(1, 10)
    scores.add("6: ok", "4: sure")
    scores.add("eleven", 5, "review 2: ")
    scores.add(None, 3)
    scores.add(7, None)
    scores.add(8, "very")
    assert scores.ratings == [6.0, 7.0, 8.0]
    assert scores.confidences == [4.0, None, None]
    assert scores.unrated == 1
    assert [note.split()[0] for note in scores.notes] == ["review", "confidence"]


@given(st.integers(0, 9999), st.text(st.characters(exclude_categories=("Nd", "Cs")), max_size=30))
def test_number_before_a_colon_is_read_whole(number: int, text: str) -> None:
    assert read_rating(f"{number}: {text}").value == number


@given(st.text(max_size=60))
def test_never_raises_and_never_invents(text: str) -> None:
    rating = read_rating(text)
    if rating.value is not None:
        assert f"{abs(rating.value):g}"[0] in text.lstrip(" +-0.") + "0"
