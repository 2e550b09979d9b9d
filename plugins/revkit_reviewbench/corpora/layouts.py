"""Layouts: from records of DeepReview-13K, OpenReview, PeerRead and ready-made benches to one form.

A record is known by its members, so a folder may mix them. What the fields of a review are called
differs from form to form: `fields_of` brings the names to those of the schema, and leaves values
alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from revkit.files import Found, Unreadable, json_values, parsed
from revkit.model.intake import clean_text
from revkit_reviewbench.corpora.decisions import Decision, read_decision
from revkit_reviewbench.corpora.normalise import read_text

Fields = Mapping[str, Any]

# Names in other years' forms. Texts under one name are put together, in this order.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "summary": ("summary", "summary_of_the_paper", "summary_and_contributions"),
    "strengths": ("strengths",),
    "weaknesses": ("weaknesses",),
    "questions": ("questions",),
    "review": (
        "review",
        "main_review",
        "strength_and_weaknesses",
        "strengths_and_weaknesses",
        "clarity,_quality,_novelty_and_reproducibility",
        "summary_of_the_review",
        "comments",
    ),
}
_SCORES: Mapping[str, tuple[str, ...]] = {
    "rating": ("rating", "recommendation", "overall_recommendation", "overall_rating"),
    "soundness": ("soundness",),
    "presentation": ("presentation",),
    "contribution": ("contribution",),
    "confidence": ("confidence", "reviewer_confidence"),
}
_LARGEST_TEXT = 50_000_000  # bytes of one parsed paper


@dataclass(frozen=True)
class Submission:
    """One record in the form that all layouts share. ``rubrics`` and ``reference`` are those of a
    bench that is ready-made (None: to be made). ``venues`` is what the record says of its venue,
    as it words it, most exact first."""

    id: str
    title: str
    text: str
    decision: Decision
    reviews: tuple[Fields, ...]
    layout: str
    source: str
    notes: tuple[str, ...] = ()
    rubrics: Any = None
    reference: Any = None
    venues: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


def fields_of(content: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a review under the names of the schema; wrapped values are unwrapped.

    "form" holds all fields under their own names, for venues that declare how theirs are called.
    """
    level = {field_name(key): _bare(value) for key, value in content.items()}
    found: dict[str, Any] = {}
    for name, others in _NAMES.items():
        texts = [text for other in others if (text := read_text(level.get(other)))]
        found[name] = "\n\n".join(texts)
    for name, others in _SCORES.items():
        values = [level[other] for other in others if level.get(other) is not None]
        found[name] = values[0] if values else None
    return {**found, "form": level}


def field_name(name: object) -> str:
    """The name of a field as it is compared: small letters, no blanks."""
    return str(name).strip().casefold().replace(" ", "_")


def submissions(file: Found, max_bytes: int) -> Iterator[Submission | tuple[str, str]]:
    """Yield the records of one file; for one that is none, its place and the reason.

    Raises `Unreadable` where the file cannot be read.
    """
    for _, place, value in json_values(file, max_bytes):
        if isinstance(value, Unreadable):
            yield place, str(value)
        elif not isinstance(value, Mapping):
            yield place, f"not an object but a {type(value).__name__}"
        elif (inner := _wrapped(value)) is None:
            yield _named(_read(value, place, file), value)
        elif not inner:
            yield place, "an empty list of submissions"
        else:
            for number, note in enumerate(inner):
                yield _named(_read(note, f"{place}[{number}]", file), note, value)


def _wrapped(value: Mapping[str, Any]) -> list[Any] | None:
    """The submissions in an object around a list of them; None where ``value`` is one itself."""
    found = value.get("notes") if "id" not in value else None
    found = found if isinstance(found, list) else value.get("submissions")
    return found if isinstance(found, list) else None


def _named(found: Submission | tuple[str, str], *values: Any) -> Submission | tuple[str, str]:
    """A record with what it, and the object around it, say of its venue."""
    if isinstance(found, tuple):
        return found
    told = [name for value in values if isinstance(value, Mapping) for name in _venues(value)]
    return replace(found, venues=tuple(dict.fromkeys(name for name in told if name)))


def _venues(value: Mapping[str, Any]) -> Iterator[str]:
    content = value.get("content")
    inner = content if isinstance(content, Mapping) else {}
    yield from (_line(_bare(inner.get(key))) for key in ("venueid", "venue"))
    many = value.get("invitations")
    yield from (_line(name) for name in (many if isinstance(many, list) else ()))
    yield from (_line(_bare(value.get(key))) for key in ("invitation", "venue", "conference"))


def _read(value: Any, place: str, file: Found) -> Submission | tuple[str, str]:
    if not isinstance(value, Mapping):
        return place, f"not an object but a {type(value).__name__}"
    if "rubrics" in value and "paper_context" in value:
        return _ready(value, place)
    if "paper_context" in value:
        return _deepreview(value, place)
    if isinstance(value.get("content"), Mapping):
        return _openreview(value, place)
    if isinstance(value.get("reviews"), list) and "title" in value:
        return _peerread(value, place, file)
    return place, "no record of DeepReview, OpenReview, PeerRead or a ready-made bench"


def _ready(value: Mapping[str, Any], place: str) -> Submission:
    return Submission(
        _id(value.get("id"), place),
        _line(value.get("title")),
        read_text(value.get("paper_context")),
        read_decision(value.get("decision")),
        tuple(_deep_reviews(value)[0]),
        "eval-rubrics",
        place,
        rubrics=value["rubrics"],
        reference=value.get("golden_review"),
    )


def _deepreview(value: Mapping[str, Any], place: str) -> Submission:
    reviews, notes = _deep_reviews(value)
    return Submission(
        _id(value.get("id"), place),
        _line(value.get("title")),
        read_text(value.get("paper_context")),
        read_decision(value.get("decision")),
        tuple(reviews),
        "deepreview",
        place,
        tuple(notes),
    )


def _deep_reviews(value: Mapping[str, Any]) -> tuple[list[Fields], list[str]]:
    """The reviews of a DeepReview record: each has its rating twice, as number and in its form."""
    reviews: list[Fields] = []
    notes = []
    listed = value.get("review")
    for number, review in enumerate(listed if isinstance(listed, list) else (), 1):
        if not isinstance(review, Mapping):
            notes.append(f"review {number} is no object: left out")
            continue
        content = review.get("content")
        found = fields_of(content if isinstance(content, Mapping) else {})
        outer = review.get("rating")
        if found["rating"] is None:
            found["rating"] = outer
        elif outer is not None and _first(found["rating"]) != _first(outer):
            notes.append(f"review {number}: two ratings that differ: it has none")
            found["rating"] = None
        if found["confidence"] is None:
            found["confidence"] = review.get("confidence")
        reviews.append(found)
    return reviews, notes


def _first(rating: object) -> object:
    """What two notations of one rating share: "6: Weak Accept" and 6 are the same."""
    head = str(rating).partition(":")[0].strip()
    try:
        return float(head)
    except ValueError:
        return head


def _openreview(value: Mapping[str, Any], place: str) -> Submission:
    """A submission with its replies. The API gives no full text: unless a crawler added one as
    ``paper_context`` or ``full_text``, the text is the title and the abstract."""
    content = {key: _bare(item) for key, item in value["content"].items()}
    title = _line(content.get("title"))
    full = content.get("paper_context") or content.get("full_text") or value.get("paper_context")
    abstract = read_text(content.get("abstract"))
    text = read_text(full) or (f"# {title}\n\n## Abstract\n\n{abstract}" if abstract else "")
    details = value.get("details")
    listed = details if isinstance(details, Mapping) else value
    replies = next(
        (listed[key] for key in ("replies", "directReplies", "notes") if listed.get(key)), ()
    )
    reviews, decisions = [], []
    for reply in replies if isinstance(replies, Sequence) else ():
        told = reply.get("content") if isinstance(reply, Mapping) else None
        if not isinstance(told, Mapping) or reply.get("ddate") is not None:
            continue
        kind = _kind(reply)
        if kind == "review":
            reviews.append(fields_of(told))
        elif kind == "decision":
            fields = {str(k).casefold(): _bare(v) for k, v in told.items()}
            decisions.append(fields.get("decision", fields.get("recommendation")))
    decided = decisions[0] if decisions else content.get("venue") or content.get("venueid")
    decision = read_decision(decided)
    if not decisions and not decision.withdrawn:
        # A venue's name tells of withdrawal, and else names a conference.
        decision = Decision()
    notes = () if full else ("abstract only",)
    return Submission(
        _id(value.get("id") or value.get("forum"), place), title, text, decision, tuple(reviews),
        "openreview", place, notes,
    )  # fmt: skip


def _kind(reply: Mapping[str, Any]) -> str:
    many = reply.get("invitations")
    names = many if isinstance(many, list) else [reply.get("invitation")]
    for name in names:
        tail = name.rsplit("/", 1)[-1].casefold() if isinstance(name, str) else ""
        if tail in ("decision", "acceptance_decision", "final_decision"):
            return "decision"
        if tail in ("official_review", "review"):
            return "review"
    return ""


def _peerread(value: Mapping[str, Any], place: str, file: Found) -> Submission | tuple[str, str]:
    """A paper of PeerRead: ``reviews/X.json`` beside ``parsed_pdfs/X.pdf.json`` with its text."""
    notes: list[str] = []
    reviews: list[Fields] = []
    seen: set[str] = set()
    for review in value["reviews"]:
        if not isinstance(review, Mapping):
            continue
        if review.get("IS_META_REVIEW") or review.get("is_meta_review"):
            continue
        found = fields_of(review)
        found["rating"] = review.get("RECOMMENDATION")
        found["confidence"] = review.get("REVIEWER_CONFIDENCE")
        if found["review"] and found["review"] in seen:
            notes.append("a review stands there twice: once left out")
            continue
        seen.add(found["review"])
        reviews.append(found)
    decision = read_decision(value.get("accepted"))
    return Submission(
        _id(value.get("id"), place), _line(value.get("title")), _parsed_text(file),
        decision, tuple(reviews), "peerread", place, tuple(notes),
    )  # fmt: skip


def _parsed_text(file: Found) -> str:
    """The text of a PeerRead paper: title, abstract and sections; "" where it was not parsed."""
    path = file.path.parent.parent / "parsed_pdfs" / f"{file.path.stem}.pdf.json"
    try:
        if path.stat().st_size > _LARGEST_TEXT:
            return ""
        value = parsed(path.read_bytes())["metadata"]
        parts = [f"# {_line(value.get('title'))}", "## Abstract", read_text(value["abstractText"])]
        for section in value["sections"]:
            heading, text = _line(section.get("heading")), read_text(section.get("text"))
            parts += [f"## {heading}"] if heading else []
            parts += [text] if text else []
    except (OSError, Unreadable, KeyError, TypeError, AttributeError):
        return ""
    return "\n\n".join(part for part in parts if part.strip("# "))


def _bare(value: Any) -> Any:
    return value["value"] if isinstance(value, Mapping) and "value" in value else value


def _id(value: object, place: str) -> str:
    if isinstance(value, str) and value.strip():
        return clean_text(value)[0].strip()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else place


def _line(value: object) -> str:
    return " ".join(read_text(value).split())
