"""Ratings: whole forms are read, everything else is none, with a note."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.model.rating_scale import RatingScale
from revkit.venues import form_named
from revkit.venues.ratings import Scores, read_rating

TEN = RatingScale("ten", 1, 10)


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
        ("6.", 6.0),
        ("8/10", 8.0),
        ("8 out of 10", 8.0),
        ("3 fair", 3.0),
        ("3 (good)", 3.0),
        ("6 (weak accept)", 6.0),
        ("5 - Weak accept", 5.0),
        ("5 – Weak accept", 5.0),
        ("6, borderline", 6.0),
        ("3 = Findings", 3.0),
        ("6\u00a0: Weak Accept", 6.0),
        ("6½", 6.5),
        ("6 ½", 6.5),
    ],
)
def test_forms(value: object, expected: float) -> None:
    assert read_rating(value).value == expected


@pytest.mark.parametrize(
    "value",
    [
        "6-7",
        "2024 form",
        "ICLR 2024 rating: 6",
        "Rating: 10",
        "six",
        "6 or 7",
        "6 to 7",
        "6: 7",
        "6¾",
        "6.5½",
        "6 1/2",
        "6 and a half",
        "5 - 6",
        "70%",
        "Weak accept",
        "3,5",
        "10:30",
        "3 of 5",
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
    assert read_rating("14", TEN).problem == "off-scale"
    assert read_rating("14", TEN).note == "'14' is outside the scale 1 to 10"
    assert read_rating("10", TEN).value == 10.0
    assert read_rating(0, TEN).value is None
    assert read_rating("4/5", TEN).problem == "other-scale"
    assert read_rating("4/10", TEN).value == 4.0
    # ICLR 2020 had no 4: what is between the ends and not on the form is off the scale too.
    assert read_rating(4, RatingScale("iclr-2020", 1, 8, values=(1, 3, 6, 8))).value is None
    assert read_rating("3.5", form_named("arr")).value == 3.5
    assert read_rating("3.25", form_named("arr")).value is None


def test_a_map_goes_before_the_grammar() -> None:
    words = {"Weak accept": 5, "Strong  Reject": 0}
    assert read_rating("weak  ACCEPT", None, words).value == 5.0
    assert read_rating("strong reject", None, words).value == 0.0
    assert read_rating("weak accept!", None, words).value is None
    assert read_rating("6: Weak accept", None, words).value == 6.0
    assert read_rating("Weak accept", RatingScale("four", 1, 4), words).problem == "off-scale"


def test_confidences_stay_aligned() -> None:
    scores = Scores(TEN)
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
