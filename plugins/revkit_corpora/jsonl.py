"""JSON Lines: revkit's own format of papers, one JSON object a line.

``schemas/paper.schema.json`` says the same as the checks below, which name the place of a fault.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from revkit.files import Found, find_files
from revkit.model.paper import Labels, Paper, Skipped
from revkit.options import unknown_name
from revkit_corpora.decisions import read_decision
from revkit_corpora.draft import Draft
from revkit_corpora.reading import FileCorpus
from revkit_corpora.records import JSON_FILES, Record, records
from revkit_corpora.texts import excerpt

_TIERS = ("", "none", "minor", "major", "reject")


@dataclass(frozen=True)
class JsonLines(FileCorpus):
    """Papers in revkit's own format: ``path`` is a JSON Lines or JSON file, or a folder of them.

    A record is an object with ``id`` and ``text`` (text, not empty), and optionally ``title``,
    ``source``, ``notes`` (a list of texts) and ``labels``: an object with any of ``accept``
    (true, false, null), ``decision``, ``ratings``, ``rating_scale``, ``confidences`` (as many as
    ratings, null where missing), ``severity`` (0 to 100), ``tier`` (none, minor, major, reject),
    ``topic``, ``quality`` and ``extra`` (any object). These are the fields of `Paper` and `Labels`.

    Rules. The format is strict: a record with an unknown key, a value of the wrong type or an id
    that is not text is skipped, with the place and what was expected. Other data goes to ``extra``.
    """

    name: ClassVar[str] = "jsonl"
    version: ClassVar[str] = "1"

    def files(self) -> Sequence[Found]:
        return find_files(self.root, JSON_FILES)

    def read(self, files: Sequence[Found]) -> Iterator[Paper | Skipped]:
        alone = not self.root.is_dir()
        for found in files:
            for record in records(found, self.max_bytes, alone=alone):
                yield _load(record) if isinstance(record, Record) else record


def _load(record: Record) -> Paper | Skipped:
    value = record.value
    faults = list(_faults(value, _PAPER, ""))
    faults += [f"{key} is missing" for key in ("id", "text") if key not in value]
    if isinstance(value.get("labels"), dict):
        faults += _faults(value["labels"], _LABELS, "labels.")
        faults += _alignment(value["labels"])
    id_ = value.get("id")
    draft = Draft(id_ if isinstance(id_, str) else "", record.source, record.notes)
    if faults:
        return draft.skipped("; ".join(faults))
    labels = value.get("labels") or {}
    draft.note(*(draft.line(note, "notes") for note in value.get("notes", ())))
    if value.get("source"):
        draft.source = draft.line(value["source"], "source")
    accept, wording = labels.get("accept"), draft.line(labels.get("decision"), "decision")
    worded = read_decision(wording).accept
    if accept is not None and worded is not None and accept is not worded:
        draft.note(f"accept says {str(accept).lower()}, decision says {wording!r}: neither")
        accept = None
    return draft.paper(
        draft.text(value["text"]),
        draft.line(value.get("title"), "title"),
        Labels(
            accept=accept,
            decision=wording,
            ratings=tuple(float(rating) for rating in labels.get("ratings", ())),
            rating_scale=draft.line(labels.get("rating_scale"), "rating_scale"),
            confidences=tuple(_optional(item) for item in labels.get("confidences", ())),
            severity=_optional(labels.get("severity")),
            tier=labels.get("tier", ""),
            topic=draft.line(labels.get("topic"), "topic"),
            quality=_optional(labels.get("quality")),
            extra=_cleaned(labels.get("extra", {}), draft),
        ),
    )


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
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _is_list(item: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(item(entry) for entry in value)


def _or_null(rule: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or rule(value)


_Rules = Mapping[str, tuple[Callable[[object], bool], str]]
_PAPER: _Rules = {
    "id": (lambda v: isinstance(v, str) and v.strip() != "", "text that is not empty, in quotes"),
    "text": (lambda v: isinstance(v, str) and v.strip() != "", "text that is not empty"),
    "title": (_is_text, "text"),
    "source": (_is_text, "text"),
    "notes": (_is_list(_is_text), "a list of texts"),
    "labels": (lambda v: isinstance(v, dict), "an object"),
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
