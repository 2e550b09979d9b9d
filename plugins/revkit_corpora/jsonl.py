"""JSON Lines: revkit's own format of papers, with one JSON object in each line.

``schemas/paper.schema.json`` says the same as the checks below, which name the place of a fault.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from revkit.dataclass import dataclass
from revkit.errors import PaperError
from revkit.files import CorpusFile
from revkit.model.paper import Labels, Paper, Skipped, Unmapped
from revkit.model.rating_scale import RatingScale
from revkit.model.values import is_number
from revkit.model.written_review import WrittenReview
from revkit.options import unknown_name
from revkit.venues import (
    OLD_ERROR,
    RECORD_FILES,
    Declared,
    Draft,
    FoundForm,
    Record,
    declared_scale,
    excerpt,
    read_decision,
    records,
    scale_from_text,
    stored_scale,
)
from revkit_corpora.file_corpus import ReviewedCorpus

_TIERS = ("", "none", "minor", "major", "reject")


@dataclass(frozen=True)
class JsonLines(ReviewedCorpus):
    """Papers in revkit's own format: ``path`` is a JSON Lines or JSON file, or a folder of them.

    A record is an object with ``id`` and ``text`` (text, not empty), and optionally ``title``,
    ``source``, ``notes`` (a list of texts) and ``labels``: an object with any of ``accept``
    (true, false, null), ``decision``, ``ratings``, ``rating_scale``, ``confidences`` (as many as
    ratings, null where missing), ``scale`` (``[lowest, highest]`` of the ratings; without it
    ``rating_scale`` is the name of a form such as "iclr-2024"), ``severity`` (0 to 100),
    ``severity_se``, ``tier`` (none, minor, major, reject), ``topic``, ``quality`` and ``extra``
    (any object). These are the fields of `Paper` and `Labels`. ``reviews`` is a list of objects
    with ``text``, ``rating``, ``confidence`` and ``meta`` (true for a meta-review), each optional:
    what people wrote, for the agent `human`. Their ratings are those of ``labels`` where it has
    none; where both are given they must be the same.

    Rules. The format is strict: a record with an unknown key, a value of the wrong type or an id
    that is not text is skipped, with the place and what was expected. Other data goes to ``extra``.
    """

    name: ClassVar[str] = "jsonl"
    version: ClassVar[str] = "2"
    endings: ClassVar[tuple[str, ...]] = RECORD_FILES
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        alone, declared = not self.root.is_dir(), self.declared
        for found in files:
            for record in records(found, self.max_bytes, alone=alone):
                yield _load(record, declared) if isinstance(record, Record) else record


def _load(record: Record, declared: Declared) -> Paper | Skipped:
    value = record.value
    faults = list(_faults(value, _PAPER, ""))
    faults += [f"{key} is missing" for key in ("id", "text") if key not in value]
    reviews = [] if faults else value.get("reviews", [])
    rated = [each for each in reviews if not each.get("meta") and each.get("rating") is not None]
    if isinstance(value.get("labels"), dict):
        faults += _faults(value["labels"], _LABELS, "labels.")
        faults += _alignment(value["labels"])
    if reviews and not faults:
        faults += _other_ratings(value.get("labels") or {}, rated)
    id_ = value.get("id")
    draft = Draft(id_ if isinstance(id_, str) else "", record.source, record.notes)
    if faults:
        return draft.skipped("; ".join(faults))
    labels = {**_of_reviews(rated), **(value.get("labels") or {})}
    draft.note(*(draft.line(note, "notes") for note in value.get("notes", ())))
    if value.get("source"):
        draft.source = draft.line(value["source"], "source")
    draft_labels = _labels(labels, draft, declared)
    paper = draft.paper(
        draft.text(value["text"]), draft.line(value.get("title"), "title"), draft_labels
    )
    if isinstance(paper, Skipped) or not reviews:
        return paper
    written = [_written(number, each, draft) for number, each in enumerate(reviews, 1)]
    return replace(paper, reviews=tuple(written))


def _of_reviews(rated: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the labels that follow from reviews alone."""
    if not rated:
        return {}
    ratings = [each["rating"] for each in rated]
    return {"ratings": ratings, "confidences": [each.get("confidence") for each in rated]}


def _other_ratings(labels: Mapping[str, Any], rated: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    given = labels.get("ratings")
    if given and rated and [float(x) for x in given] != [float(r["rating"]) for r in rated]:
        yield "labels.ratings differ from the ratings of reviews: keep only one of them"


def _written(number: int, value: Mapping[str, Any], draft: Draft) -> WrittenReview:
    return WrittenReview(
        number,
        draft.text(value.get("text"), "reviews").strip(),
        _optional(value.get("rating")),
        _optional(value.get("confidence")),
        bool(value.get("meta")),
    )


def _labels(labels: Mapping[str, Any], draft: Draft, declared: Declared) -> Labels:
    accept, wording = labels.get("accept"), draft.line(labels.get("decision"), "decision")
    read = read_decision(wording, declared.decisions)
    gaps: tuple[Unmapped, ...] = ()
    if accept is None and declared.decisions:
        accept, gaps = read.accept, read.gap
        draft.note(read.note)
    if accept is not None and read.accept is not None and accept is not read.accept:
        draft.note(f"accept is {str(accept).lower()}, but decision is {wording!r}: neither counts")
        accept = None
    extra = dict(labels.get("extra", {}))
    error = labels["severity_se"] if "severity_se" in labels else extra.pop(OLD_ERROR, None)
    ratings = tuple(float(rating) for rating in labels.get("ratings", ()))
    named = draft.line(labels.get("rating_scale"), "rating_scale")
    scale = declared.scale or _scale(labels, named)
    if "unmapped" in labels:
        gaps = tuple(Unmapped(**each) for each in labels["unmapped"])
    elif ratings and scale is None:
        found = FoundForm(None, (named,) if named else ())
        gaps = (*gaps, *found.gap)
        draft.rating_notes.append(found.note)
    return Labels(
        accept=accept,
        decision=wording,
        ratings=ratings,
        rating_scale=named,
        confidences=tuple(_optional(item) for item in labels.get("confidences", ())),
        severity=_optional(labels.get("severity")),
        tier=labels.get("tier", ""),
        topic=draft.line(labels.get("topic"), "topic"),
        quality=_optional(labels.get("quality")),
        extra=_cleaned(extra, draft),
        scale=scale,
        severity_se=_optional(error),
        unmapped=gaps,
    )


def _scale(labels: Mapping[str, Any], named: str) -> RatingScale | None:
    """Return the scale that the record states: an object, two ends, or the name of a form."""
    given = labels.get("scale")
    if isinstance(given, list):
        return declared_scale(given[0], given[1], named)
    if "scale" in labels and (given is None or isinstance(given, dict)):
        return stored_scale(labels)
    return scale_from_text(named)


def _optional(value: float | None) -> float | None:
    return None if value is None else float(value)


def _cleaned(value: Any, draft: Draft) -> Any:
    if isinstance(value, str):
        return draft.text(value, "extra")
    if isinstance(value, list):
        return [_cleaned(item, draft) for item in value]
    if isinstance(value, dict):
        return {draft.text(k, "extra"): _cleaned(item, draft) for k, item in value.items()}
    return float(value) if isinstance(value, float) else value


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    if not is_number(value):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _is_list(item: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(item(entry) for entry in value)


def _or_null(rule: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or rule(value)


def _is_scale(value: object) -> bool:
    if value is None:
        return True
    if isinstance(value, list):
        return len(value) == 2 and all(map(_is_number, value)) and value[0] < value[1]
    if not isinstance(value, dict) or not {"name", "minimum", "maximum"} <= value.keys():
        return False
    try:
        stored_scale({"scale": value})
    except (KeyError, TypeError, PaperError):
        return False
    return isinstance(value["name"], str) and not isinstance(value["minimum"], bool)


def _is_unmapped(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"kind", "wording"}
        and value["kind"] in ("rating", "decision", "form")
        and isinstance(value["wording"], str)
    )


def _is_review(value: object) -> bool:
    number = _or_null(_is_number)
    rules: Mapping[str, Callable[[object], bool]] = {
        "text": _is_text,
        "rating": number,
        "confidence": number,
        "meta": lambda v: isinstance(v, bool),
    }
    return isinstance(value, dict) and all(
        key in rules and rules[key](each) for key, each in value.items()
    )


_Rules = Mapping[str, tuple[Callable[[object], bool], str]]
_PAPER: _Rules = {
    "id": (lambda v: isinstance(v, str) and v.strip() != "", "text that is not empty, in quotes"),
    "text": (lambda v: isinstance(v, str) and v.strip() != "", "text that is not empty"),
    "title": (_is_text, "text"),
    "source": (_is_text, "text"),
    "notes": (_is_list(_is_text), "a list of texts"),
    "labels": (lambda v: isinstance(v, dict), "an object"),
    "reviews": (
        _is_list(_is_review),
        "a list of objects with text, rating, confidence and meta",
    ),
}
_LABELS: _Rules = {
    "accept": (_or_null(lambda v: isinstance(v, bool)), "true, false or null"),
    "decision": (_is_text, "text"),
    "ratings": (_is_list(_is_number), "a list of numbers"),
    "rating_scale": (_is_text, "text"),
    "confidences": (_is_list(_or_null(_is_number)), "a list of numbers or nulls"),
    "severity": (
        _or_null(lambda v: _is_number(v) and 0 <= float(str(v)) <= 100),
        "a number from 0 to 100, or null",
    ),
    "tier": (lambda v: v in _TIERS, "one of none, minor, major, reject"),
    "topic": (_is_text, "text"),
    "quality": (_or_null(_is_number), "a number or null"),
    "extra": (lambda v: isinstance(v, dict), "an object"),
    "scale": (
        lambda v: _is_scale(v),
        "two numbers, [lowest, highest], or an object with name, minimum and maximum, or null",
    ),
    "severity_se": (
        _or_null(lambda v: _is_number(v) and float(str(v)) >= 0),
        "a number of at least 0, or null",
    ),
    "unmapped": (_is_list(lambda v: _is_unmapped(v)), "a list of objects with kind and wording"),
}


def _faults(value: Mapping[str, Any], rules: _Rules, prefix: str) -> Iterator[str]:
    for key, item in value.items():
        if key not in rules:
            yield unknown_name("key", prefix + key[:80], [prefix + name for name in rules])
        elif not rules[key][0](item):
            yield f"{prefix}{key}: expected {rules[key][1]}, not {excerpt(item, 40)}"


def _alignment(labels: Mapping[str, Any]) -> Iterator[str]:
    ratings, confidences = labels.get("ratings", []), labels.get("confidences", [])
    if not isinstance(ratings, list) or not isinstance(confidences, list):
        return
    if confidences and len(confidences) != len(ratings):
        yield f"labels.confidences: {len(confidences)} for {len(ratings)} ratings"
