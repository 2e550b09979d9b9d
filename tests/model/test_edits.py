"""Edits: order, application, the way back, and edits from two texts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.errors import PaperError
from revkit.model.edits import Edit, apply_edits, edits_between, inverse_edits, ordered_edits

TEXT = "We may show it."


def test_edits_apply_in_order_of_place() -> None:
    edits = [Edit(15, 15, " Really."), Edit(3, 7, ""), Edit(0, 2, "They")]
    assert apply_edits(TEXT, edits) == "They show it. Really."
    assert ordered_edits(TEXT, edits) == (edits[2], edits[1], edits[0])
    assert apply_edits(TEXT, []) == TEXT


def test_insertion_before_a_replacement_at_the_same_place() -> None:
    edits = [Edit(3, 6, "can"), Edit(3, 3, "really ")]
    assert apply_edits(TEXT, edits) == "We really can show it."


def test_edits_that_change_nothing_go() -> None:
    assert ordered_edits(TEXT, [Edit(0, 2, "We"), Edit(5, 5, "")]) == ()


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ([Edit(0, 3, "x"), Edit(2, 4, "y")], "edits 0:3 and 2:4 overlap"),
        ([Edit(2, 2, "x"), Edit(2, 2, "y")], "edits 2:2 and 2:2 overlap"),
        ([Edit(2, 2, "x"), Edit(2, 2, "x")], "edits 2:2 and 2:2 overlap"),
        ([Edit(0, 4, "x"), Edit(2, 2, "y")], "overlap"),
        ([Edit(0, 16, "x")], "edit 0:16 lies outside the text of 15 characters"),
        ([Edit(-2, 0, "x")], "lies outside"),
        ([Edit(-4, -2, " i")], "lies outside"),  # even where it would change nothing
        ([Edit(5, 4, "x")], "lies outside"),
        ([Edit(99, 99, "")], "lies outside"),
        ([Edit(True, 2, "x")], "start and end must be whole numbers"),
        ([Edit(0.0, 2, "x")], "start and end must be whole numbers"),  # type: ignore[arg-type]
        ([Edit(0, None, "x")], "start and end must be whole numbers"),  # type: ignore[arg-type]
        ([Edit(0, 2, None)], "new and note must be text"),  # type: ignore[arg-type]
        ([Edit(0, 2, "x", 3)], "new and note must be text"),  # type: ignore[arg-type]
        ([(0, 2, "x")], "expected an Edit, not tuple"),
        ([None], "expected an Edit, not NoneType"),
    ],
)
def test_edits_that_cannot_be(edits: Any, message: str) -> None:
    for call in (ordered_edits, apply_edits, inverse_edits):
        with pytest.raises(PaperError, match=message):
            call(TEXT, edits)


def test_deletions_side_by_side_come_back() -> None:
    edits = [Edit(0, 2, ""), Edit(2, 4, ""), Edit(4, 6, "")]
    edited = apply_edits("abcdef", edits)
    assert edited == ""
    assert inverse_edits("abcdef", edits) == (Edit(0, 0, "abcdef"),)


_alphabet = st.sampled_from("ab é\n中.")
_texts = st.text(_alphabet, max_size=20)


@st.composite
def texts_with_edits(draw: Any) -> tuple[str, list[Edit]]:
    text = draw(_texts)
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    edits = {
        (start, end): Edit(start, end, draw(st.text(_alphabet, max_size=3)))
        for start, end in zip(places[::2], places[1::2], strict=False)
    }
    return text, draw(st.permutations(list(edits.values())))


@given(texts_with_edits())
def test_apply_and_back(given_: tuple[str, list[Edit]]) -> None:
    text, edits = given_
    edited = apply_edits(text, edits)
    assert apply_edits(edited, inverse_edits(text, edits)) == text
    # An independent way: from the end of the text to its beginning, by slices.
    expected = text
    for edit in sorted(edits, key=lambda e: (e.start, e.end), reverse=True):
        expected = expected[: edit.start] + edit.new + expected[edit.end :]
    assert edited == expected
    assert len(edited) == len(text) + sum(len(e.new) - (e.end - e.start) for e in edits)


@given(_texts, _texts, st.integers(0, 5))
def test_edits_between_lead_from_one_to_the_other(old: str, new: str, offset: int) -> None:
    edits = edits_between(old, new, offset=offset, note="n")
    before = "#" * offset
    assert apply_edits(before + old, edits) == before + new
    assert all(edit.note == "n" for edit in edits)
    assert ordered_edits(before + old, edits) == edits


def test_edits_between_are_of_words() -> None:
    assert edits_between("It may help us.", "It helps us.") == (Edit(3, 11, "helps"),)
    assert edits_between("same", "same") == ()


@given(st.builds(Edit, st.integers(0, 9), st.integers(0, 9), _texts, _texts))
def test_json_both_ways(edit: Edit) -> None:
    assert Edit.from_json(edit.to_json()) == edit
