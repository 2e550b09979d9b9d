"""The dose of edits, against counts by hand and a plain edit distance."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.errors import PaperError
from revkit.model.dose import MEAN_DISTANCE, dose_of, word_changes
from revkit.model.edits import Edit
from revkit.model.paper import Paper
from revkit.model.variant import Check
from tests.cpu_time import cpu_seconds

TEXT = """# Title

## Abstract

We use a model of words. It works well here. The end is near.

## References

[1] A. Author. A book. 2001.
"""
PAPER = Paper("p", TEXT)


def replaced(old: str, new: str, text: str = TEXT) -> Edit:
    start = text.index(old)
    return Edit(start, start + len(old), new)


def inserted_after(old: str, new: str) -> Edit:
    end = TEXT.index(old) + len(old)
    return Edit(end, end, new)


@pytest.mark.parametrize(
    ("old", "new", "changed", "moved"),
    [
        ("we use a model", "we use a model", 0, 0),
        ("we use a model", "we employ a model", 1, 0),
        ("we use a model", "we use a very large model", 2, 0),
        ("we use a model", "we model", 2, 0),
        ("use", "make use of", 2, 0),
        ("in this case, we win", "We win in this case.", 0, 2),
        ("on these data we win", "we lose on these data", 2, 1),
        ("a b", "c d e", 3, 0),
        ("", "a b", 2, 0),
        ("... , -", "; !", 0, 0),
    ],
)
def test_words_by_hand(old: str, new: str, changed: int, moved: int) -> None:
    assert word_changes(old, new) == (changed, moved)


def distance(old: list[str], new: list[str]) -> int:
    """Levenshtein's recurrence as it is printed."""
    row = list(range(len(new) + 1))
    for i, one in enumerate(old, 1):
        before, row = row, [i]
        for j, other in enumerate(new, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (one != other)))
    return row[-1]


WORDS = st.lists(st.sampled_from("abcdefgh"), max_size=12)


@given(WORDS, WORDS)
def test_changes_are_the_edit_distance_but_for_what_moves(old: list[str], new: list[str]) -> None:
    changed, moved = word_changes(" ".join(old), " ".join(new))
    full = distance(old, new)
    assert changed <= full <= changed + 2 * moved
    if not moved:
        assert changed == full


@given(WORDS)
def test_new_words_move_nothing(old: list[str]) -> None:
    new = [word.upper() + "x" for word in old[::2]]
    assert word_changes(" ".join(old), " ".join(new)) == (distance(old, new), 0)


def test_a_long_rewrite_with_few_changes_is_counted_exactly() -> None:
    old = [f"w{i}" for i in range(1_000)]
    new = [word if i % 10 else "new" for i, word in enumerate(old)]
    assert word_changes(" ".join(old), " ".join(new)) == (100, 0)


def test_the_dose_of_a_paper() -> None:
    edits = [
        replaced("use", "employ"),
        replaced("It works well here. ", ""),
        inserted_after("The end is near.", " A new one. Another one."),
    ]
    dose = dose_of(PAPER, edits)
    assert (dose.words_changed, dose.words_moved) == (1 + 4 + 5, 0)
    assert dose.dose == pytest.approx(10 / 14)
    assert dose.sentences == pytest.approx((1 + 1 + 2) / 3)
    assert dose.distance is None


def test_entries_of_the_list_count_as_words_and_not_as_sentences() -> None:
    dose = dose_of(PAPER, [inserted_after("A book. 2001.", "\n[2] B. Book. More. 2002.")])
    assert (dose.words_changed, dose.sentences) == (5, 0)


def test_parts_of_words_are_whole_words() -> None:
    dose = dose_of(PAPER, [Edit(TEXT.index("use") + 1, TEXT.index("use") + 2, "s"),
                           Edit(TEXT.index("use") + 2, TEXT.index("use") + 3, "")])  # fmt: skip
    assert dose.words_changed == 1


def test_words_that_move_between_two_edits_of_a_sentence() -> None:
    edits = [replaced("We use ", ""), inserted_after("model of words", " we use")]
    dose = dose_of(PAPER, edits)
    assert (dose.words_changed, dose.words_moved) == (0, 2)


def test_words_do_not_move_between_sentences() -> None:
    edits = [replaced("well ", ""), inserted_after("The end is", " well")]
    assert dose_of(PAPER, edits).words_changed == 2


def test_the_distance_is_that_of_a_check_in_its_unit() -> None:
    checks = [
        Check("largest", 0.2, None, True, "cosine distance"),
        Check("mean", 0.031, 0.05, True, MEAN_DISTANCE),
    ]
    assert dose_of(PAPER, [replaced("use", "employ")], checks).distance == 0.031


def test_no_edits_and_no_prose() -> None:
    assert dose_of(PAPER, []).words_changed == 0
    bare = Paper("p", "# Only\n\n## Headings")
    dose = dose_of(bare, [Edit(2, 6, "Some")])
    assert (dose.words_changed, dose.dose, dose.sentences) == (1, None, None)


def test_edits_that_overlap_are_an_error() -> None:
    with pytest.raises(PaperError, match="overlap"):
        dose_of(PAPER, [Edit(0, 5, "x"), Edit(3, 8, "y")])


@pytest.mark.parametrize("kind", ["repeated", "distinct", "one run"])
def test_time_grows_with_the_length(kind: str) -> None:
    rng = random.Random(1)

    def seconds(count: int) -> float:
        if kind == "repeated":
            old, new = (" ".join(rng.choice("ab") for _ in range(count)) for _ in range(2))
        elif kind == "distinct":
            words = [f"w{i}" for i in range(count)]
            old, new = " ".join(words), " ".join(rng.sample(words, count))
        else:
            old, new = "x" * count, "y" * count
        paper = Paper("p", old)
        edits = [Edit(0, count // 2, new), Edit(count // 2, len(old), new)]
        assert paper.words >= 0
        assert paper.sentences is not None
        return cpu_seconds(lambda: dose_of(paper, edits))

    small = max(0.002, seconds(2_000))
    assert seconds(16_000) < 8 * small * 6
