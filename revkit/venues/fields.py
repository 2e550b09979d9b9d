"""Fields: map the fields of human reviews from any form to one set of names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from revkit.model.intake import clean_text

ASPECTS = ("soundness", "presentation", "contribution")
TEXTS = ("summary", "strengths", "weaknesses", "questions", "review")
# Names in other years' forms. Texts under one name are put together, in this order.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "summary": ("summary", "summary_of_the_paper", "summary_and_contributions", "paper_summary"),
    "strengths": ("strengths", "summary_of_strengths"),
    "weaknesses": ("weaknesses", "summary_of_weaknesses"),
    "questions": ("questions",),
    "review": (
        "review",
        "main_review",
        "strength_and_weaknesses",
        "strengths_and_weaknesses",
        "clarity,_quality,_novelty_and_reproducibility",
        "summary_of_the_review",
        "comments",
        "comments,_suggestions_and_typos",
        "comments_suggestions_and_typos",
        "metareview",
        "metareview:_summary,_strengths_and_weaknesses",
    ),
}
_SCORES: Mapping[str, tuple[str, ...]] = {
    "rating": (
        "rating",
        "recommendation",
        "overall_assessment",
        "overall_recommendation",
        "overall_rating",
        "overall_score",
        "score",
    ),
    "soundness": ("soundness",),
    "presentation": ("presentation",),
    "contribution": ("contribution",),
    "confidence": ("confidence", "reviewer_confidence"),
}


def bare(value: Any) -> Any:
    """Return ``value`` without the ``{"value": ...}`` of version 2 of OpenReview's API."""
    return value["value"] if isinstance(value, Mapping) and "value" in value else value


def field_name(name: object) -> str:
    """Return the name of a field for comparison: lower case, no blanks."""
    return str(name).strip().casefold().replace(" ", "_")


def read_text(value: object) -> str:
    """Return the text of a field, cleaned; a list of texts becomes lines. "" for a value that is
    not text.
    """
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        value = "\n".join(item.strip() for item in value if isinstance(item, str))
    return clean_text(value)[0].strip() if isinstance(value, str) else ""


def fields_of(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a review under the names of `TEXTS`, rating, soundness, presentation,
    contribution and confidence; values are unwrapped and otherwise as written.

    "form" holds all fields under their own names, for venues that declare how theirs are called.
    """
    form = {field_name(key): bare(value) for key, value in content.items()}
    found: dict[str, Any] = {}
    for name, others in _NAMES.items():
        texts = [text for other in others if (text := read_text(form.get(other)))]
        found[name] = "\n\n".join(texts)
    for name, others in _SCORES.items():
        values = [form[other] for other in others if form.get(other) is not None]
        found[name] = values[0] if values else None
    return {**found, "form": form}


def text_of(fields: Mapping[str, Any]) -> str:
    """Return the texts of a review under their headings, without any score."""
    parts = [(name.capitalize(), str(fields.get(name) or "")) for name in TEXTS]
    return "\n\n".join(f"{name}:\n{text}" for name, text in parts if text)
