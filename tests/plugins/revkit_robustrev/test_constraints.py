"""Constraints against distances and counts worked out by hand."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from typing import Any

import numpy
import pytest

from revkit import Context, Edit, Paper
from revkit.contracts import Services
from revkit.errors import OptionError
from revkit_robustrev.changed_sentences import changed_sentences, numbers
from revkit_robustrev.constraints import (
    LengthWindow,
    SameCitations,
    SameMeaning,
    SameNegation,
    SameNumbers,
    SameStructure,
    directions,
)

TEXT = "# Title\n\n# 1 Introduction\n\nAlpha is small. Beta is large [2]. Gamma is 3.5% here.\n"


class Angles:
    """An embedder that turns a text by so many degrees as it has exclamation marks."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> numpy.ndarray[Any, Any]:
        self.asked += texts
        turns = [math.radians(text.count("!")) for text in texts]
        return numpy.array([[math.cos(t), math.sin(t)] for t in turns], dtype=numpy.float32)


def paper() -> Paper:
    return Paper(id="p", text=TEXT)


def edit(old: str, new: str) -> Edit:
    start = TEXT.index(old)
    return Edit(start, start + len(old), new)


def context_with(embed: Angles) -> Context:
    return Context(services=Services(embed=embed), uses=("embedder",))


def test_distance_is_one_minus_cosine_and_prunes_by_sentence() -> None:
    embed = Angles()
    ctx = context_with(embed)
    near = edit("small", "small" + "!" * 10)
    far = edit("large", "large" + "!" * 60)
    outside = edit("Title", "Name")
    constraint = SameMeaning()
    kept = constraint.prune(paper(), [near, far, outside], ctx)
    assert kept == [outside, near]
    check = constraint.check(paper(), kept, ctx)
    distance = 1 - math.cos(math.radians(10))  # 0.0152 < 0.05; 60 degrees give 0.5
    assert check.value == pytest.approx(distance, abs=1e-6)
    assert (check.limit, check.passed, check.unit) == (0.05, True, "cosine distance")
    assert f"paper {distance / 3:.6f} over 3 sentences, 1 changed, 1 edits outside" in check.detail
    assert len(embed.asked) == 4, "two changed sentences, before and after, and nothing twice"


def test_the_mean_over_the_paper_is_held_by_dropping_the_most_distant_sentences() -> None:
    ctx = context_with(Angles())
    near = edit("small", "small" + "!" * 10)  # 10 degrees: 0.0152
    far = edit("large", "large" + "!" * 30)  # 30 degrees: 0.1340
    both = (1 - math.cos(math.radians(10)) + 1 - math.cos(math.radians(30))) / 3  # 0.0497
    held = SameMeaning(over="paper", max_distance=0.05)
    assert held.prune(paper(), [near, far], ctx) == [near, far]
    check = held.check(paper(), [near, far], ctx)
    assert check.value == pytest.approx(both, abs=1e-6)
    assert (check.name, check.passed, check.unit) == (
        "same-meaning-paper", True, "mean cosine distance",
    )  # fmt: skip
    assert SameMeaning().check(paper(), [near], ctx).name == "same-meaning"
    assert "largest of a sentence 0.1339" in check.detail
    stricter = SameMeaning(over="paper", max_distance=0.04)
    assert stricter.prune(paper(), [near, far], ctx) == [near]
    assert SameMeaning(over="sentence").prune(paper(), [near, far], ctx) == [near]


def test_without_a_limit_distances_are_only_recorded() -> None:
    ctx = context_with(Angles())
    far = edit("large", "large" + "!" * 60)
    measured = SameMeaning(max_distance=None)
    assert measured.prune(paper(), [far], ctx) == [far]
    check = measured.check(paper(), [far], ctx)
    assert (check.value, check.limit, check.passed) == (pytest.approx(0.5, abs=1e-6), None, True)


def test_limit_is_strict() -> None:
    ctx = context_with(Angles())
    same = edit("small", "tiny")
    assert SameMeaning().check(paper(), [same], ctx).value == 0.0
    zero = SameMeaning(max_distance=0.0)
    assert zero.prune(paper(), [same], ctx) == []
    assert not zero.check(paper(), [same], ctx).passed


def test_nothing_left_fails() -> None:
    check = SameMeaning().check(paper(), [], context_with(Angles()))
    assert (check.value, check.passed) == (None, False)


def test_a_deleted_sentence_is_as_far_as_can_be() -> None:
    embed = Angles()
    deletion = edit("Alpha is small. ", "")
    assert SameMeaning().prune(paper(), [deletion], context_with(embed)) == []
    assert embed.asked == []


def test_constraint_can_be_pickled_and_compared() -> None:
    constraint = SameMeaning(max_distance=0.1)
    constraint.prune(paper(), [edit("small", "tiny")], context_with(Angles()))
    assert pickle.loads(pickle.dumps(constraint)) == constraint == SameMeaning(max_distance=0.1)
    assert constraint.identity() == {"max-distance": 0.1, "over": "sentence"}


def test_edits_are_grouped_by_sentence() -> None:
    across = Edit(TEXT.index("small."), TEXT.index("Beta") + 4, "small and Delta")
    within = edit("large", "big")
    runs, outside = changed_sentences(paper(), [within, across, edit("Title", "Name")])
    assert [(run.old, run.new, run.sentences) for run in runs] == [
        ("Alpha is small. Beta is large [2].", "Alpha is small and Delta is big [2].", 2)
    ]
    assert outside == [edit("Title", "Name")]
    insertion = Edit(TEXT.index(" Beta"), TEXT.index(" Beta"), " More.")
    runs, outside = changed_sentences(paper(), [insertion])
    assert [(run.old, run.new) for run in runs] == [("Alpha is small.", "Alpha is small. More.")]


@pytest.mark.parametrize(
    ("constraint", "bad", "value"),
    [
        (SameNumbers(), edit("3.5%", "3.6%"), 2.0),
        (SameNumbers(), edit("Gamma", "Gamma two"), 1.0),
        (SameCitations(), edit(" [2]", ""), 1.0),
        (SameCitations(), edit("[2]", "[2, 4]"), 2.0),
        (SameNegation(), edit("is small", "is not small"), 1.0),
        (SameNegation(), edit("large", "larger than Alpha"), 2.0),
    ],
)
def test_rules_that_embeddings_cannot_see(constraint: Any, bad: Edit, value: float) -> None:
    good = edit("Alpha", "Epsilon") if "Alpha" not in bad.new else edit("Gamma", "Delta")
    check = constraint.check(paper(), [good, bad], Context())
    assert (check.value, check.limit, check.passed) == (value, 0.0, False)
    kept = constraint.prune(paper(), [good, bad], Context())
    assert bad not in kept
    assert constraint.check(paper(), kept, Context()).passed
    assert constraint.check(paper(), [edit("Alpha", "Omega")], Context()).passed


def test_forms_of_not_are_one_word() -> None:
    assert directions("It doesn't work") == directions("It does not work")
    assert directions("We can't, cannot and can not") == {"not": 3}
    assert directions("Unlike A, B is unlikely to fail") == {"unlikely": 1, "fail": 1}
    assert directions("nevertheless, regardless, bestow") == {}


STRUCTURED = """# Title

# 1 Introduction

Alpha is small with $x$ here.

| a | b |
|---|---|
| 1 | 2 |

```
code
```

# References

1. A. Author. Work. 2020.
"""


@pytest.mark.parametrize(
    ("old", "new", "passed"),
    [
        ("Alpha", "Beta", True),
        ("# 1 Introduction", "# 1 Opening", False),
        ("| 1 | 2 |", "| 1 | 3 |", False),
        ("code\n", "cods\n", False),
        ("$x$", "$y$", False),
        ("2020", "2021", False),
        ("here.", "here.\n\n## New", False),
    ],
)
def test_structure_is_byte_identical(old: str, new: str, passed: bool) -> None:
    start = STRUCTURED.index(old)
    edits = [Edit(start, start + len(old), new)]
    check = SameStructure().check(Paper(id="p", text=STRUCTURED), edits, Context())
    assert check.passed is passed
    assert (check.value == 0.0) is passed


def test_length_window() -> None:
    # Ten words of prose: "Alpha is small. Beta is large [2]. Gamma is 3.5% here."  has 11 runs.
    assert paper().words == 11
    check = LengthWindow().check(paper(), [edit("Alpha is small. ", "")], Context())
    assert check.value == pytest.approx(8 / 11)
    assert (check.limit, check.passed) == (0.9, False)
    assert LengthWindow().check(paper(), [edit("Alpha", "Alpha now")], Context()).passed
    with pytest.raises(OptionError, match="min-ratio"):
        LengthWindow(min_ratio=2, max_ratio=1)


def test_a_comma_behind_a_number_is_none_of_it() -> None:
    """A clause that moves ends in another mark: "in Figure 3, we" and "in Figure 3."."""
    assert numbers("in Figure 3, we use 1,024 units") == numbers("we use 1,024 units in Figure 3.")
    assert numbers("1,024") == {"1,024": 1}
