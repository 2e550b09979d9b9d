"""Words without frequent endings."""

from __future__ import annotations

import pytest

from revkit.english.stems import cut_ending


@pytest.mark.parametrize(
    ("one", "other"), [("masked", "masking"), ("compares", "compared"), ("methods", "method")]
)
def test_forms_of_a_word_are_equal(one: str, other: str) -> None:
    assert cut_ending(one) == cut_ending(other)


@pytest.mark.parametrize("word", ["thing", "uses", "red", "data", ""])
def test_four_letters_stay(word: str) -> None:
    assert cut_ending(word) in (word, word[:-1])
    assert len(cut_ending(word)) >= min(4, len(word)) or word == ""


def test_the_first_ending_that_leaves_enough_is_cut() -> None:
    assert cut_ending("ablations", ("ations", "s")) == "ablation"
    assert cut_ending("evaluations", ("ations", "s")) == "evalu"
