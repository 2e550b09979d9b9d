"""Reviews, scales and failures: what is accepted as an answer."""

from __future__ import annotations

import math
from typing import Any

import pytest

from revkit.errors import PaperError
from revkit.model.review import Failure, Review, Scale, checked

SCALE = Scale("ten", 1, 10, accept_at=6)
STEPS = Scale("steps", 1, 5, higher_is_better=False, accept_at=2, values=(1, 3, 5))


@pytest.mark.parametrize(
    "review",
    [
        Review(),
        Review(True, 6),
        Review(False, 1.0, "text", 0.5, {"clarity": 3}, {"a": [1, {"b": None}]}),
        Review(True, 1),  # an agent may contradict its own scale; that is no matter of form
        Review(None, 10),
    ],
)
def test_good_reviews_pass_unchanged(review: Review) -> None:
    assert checked(review, SCALE) is review


@pytest.mark.parametrize(
    ("outcome", "detail"),
    [
        (None, "not NoneType"),
        (7, "not int"),
        ("accept", "not str"),
        ({"score": 7}, "not dict"),
        ((True, 7), "not tuple"),
        (Review, "not type"),
        (Review(accept=1), "accept must be true or false, not 1"),  # type: ignore[arg-type]
        (Review(accept="yes"), "accept must be true or false"),  # type: ignore[arg-type]
        (Review(score=True), "score must be a number, not True"),
        (Review(score="7"), "score must be a number, not '7'"),  # type: ignore[arg-type]
        (Review(score=math.nan), "score must be finite"),
        (Review(score=math.inf), "score must be finite"),
        (Review(score=0), "0 is not a score of scale 'ten'"),
        (Review(score=10.5), "not a score of scale 'ten'"),
        (Review(score=-7), "not a score"),
        (Review(confidence=math.nan), "confidence must be finite"),
        (Review(aspects={"a": math.inf}), "a must be finite"),
        (Review(aspects={"a": True}), "a must be a number"),
        (Review(text=None), "text must be text"),  # type: ignore[arg-type]
        (Review(text=b"x"), "text must be text"),  # type: ignore[arg-type]
        (Review(details={"a": math.nan}), "details are not JSON"),
        (Review(details={"a": object()}), "details are not JSON"),  # type: ignore[dict-item]
        (Review(details={"a": {1, 2}}), "details are not JSON"),  # type: ignore[dict-item]
        (Review(details={1: "a", "b": 2}), "details are not JSON"),  # type: ignore[dict-item]
    ],
)
def test_garbage_becomes_a_failure(outcome: Any, detail: str) -> None:
    failure = checked(outcome, SCALE)
    assert isinstance(failure, Failure)
    assert failure.kind == "schema"
    assert detail in failure.detail


def test_endless_details_are_a_failure() -> None:
    details: dict[str, Any] = {}
    details["a"] = details
    assert isinstance(checked(Review(details=details), SCALE), Failure)


def test_numpy_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    assert isinstance(checked(Review(score=numpy.float64(7)), SCALE), Review)
    for value in (numpy.float32(7), numpy.int64(7)):
        assert isinstance(checked(Review(score=value), SCALE), Failure)
    assert isinstance(checked(Review(accept=numpy.bool_(True)), SCALE), Failure)


def test_failures_pass_with_texts_that_are_texts() -> None:
    failure = Failure("timeout", "after 60 s")
    assert checked(failure, SCALE) is failure
    odd = checked(Failure("crashed", ValueError("x"), 5), SCALE)  # type: ignore[arg-type]
    assert odd == Failure("crashed", "x", "5")
    with pytest.raises(PaperError, match="unknown kind of failure 'oops'"):
        Failure("oops")  # type: ignore[arg-type]


def test_scales() -> None:
    assert [SCALE.accepts(score) for score in (5.9, 6, 10)] == [False, True, True]
    assert [STEPS.accepts(score) for score in (1, 3, 5)] == [True, False, False]
    assert Scale("s", 0, 1).accepts(1) is None
    assert [STEPS.allows(score) for score in (1, 2, 3, 0, 6, math.nan)] == [
        True, False, True, False, False, False,
    ]  # fmt: skip
    # 1 is the worst of ten: all of the way to severity 100; 5.5 half of it.
    assert [SCALE.to_severity(score) for score in (1, 5.5, 10)] == [100.0, 50.0, 0.0]
    assert [STEPS.to_severity(score) for score in (1, 3, 5)] == [0.0, 50.0, 100.0]
    with pytest.raises(PaperError, match="2 is not a score of scale 'steps'"):
        STEPS.to_severity(2)


@pytest.mark.parametrize(
    "arguments",
    [
        {"minimum": 1, "maximum": 1},
        {"minimum": 2, "maximum": 1},
        {"minimum": math.nan, "maximum": 1},
        {"minimum": 0, "maximum": math.inf},
        {"minimum": 0, "maximum": 1, "values": (0, 2)},
        {"minimum": 0, "maximum": 1, "values": (math.nan,)},
        {"minimum": 0, "maximum": 1, "accept_at": math.nan},
    ],
)
def test_scales_that_cannot_be(arguments: dict[str, Any]) -> None:
    with pytest.raises(PaperError):
        Scale("s", **arguments)
