"""Capital letters, lists of names and slots of generated text."""

from __future__ import annotations

import pytest

from revkit.english import capitalise, capitalise_as, enumerate_names, fill_slots, headline


def test_a_capital_at_the_start() -> None:
    assert [capitalise(text) for text in ("", "a", "mRNA of BERT")] == ["", "A", "MRNA of BERT"]


def test_a_replacement_has_the_capital_of_what_it_replaces() -> None:
    pairs = (("we may", "We"), ("we may", "we"), ("BERT", "a"), ("", "We"), ("we", ""))
    assert [capitalise_as(new, old) for new, old in pairs] == ["We may", "we may", "BERT", "", "we"]


def test_headlines_keep_small_words() -> None:
    assert headline("the role of heads") == "The Role Of Heads"
    assert headline("the role of heads", ("the", "of")) == "the Role of Heads"
    assert headline("the role of heads", ("the", "of"), first=True) == "The Role of Heads"


def test_names_in_a_sentence() -> None:
    assert [enumerate_names("abc"[:n]) for n in range(4)] == ["", "a", "a and b", "a, b, and c"]


def test_slots_are_filled_once() -> None:
    assert fill_slots("{a} and {b}", {"a": "{b}", "b": "x"}) == "{b} and x"
    with pytest.raises(KeyError):
        fill_slots("{c}", {})
