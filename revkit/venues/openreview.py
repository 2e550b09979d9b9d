"""OpenReview: submissions with their replies, in the formats of versions 1 and 2 of its API."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from revkit.files import CorpusFile
from revkit.model.paper import Skipped
from revkit.venues.decisions import Decision, read_decision
from revkit.venues.draft import Draft
from revkit.venues.forum import (
    Reply,
    content_of,
    invitations_of,
    is_reply,
    read_reply,
    replies_of,
    venue_of,
)
from revkit.venues.names import venue_names
from revkit.venues.records import Record, as_id, records
from revkit.venues.submission import NOTHING_DECLARED, Declared, Submission, scored, with_reviews
from revkit.venues.texts import plural

_SUMMARIES = ("TL;DR", "TLDR", "tldr", "one-sentence_summary")
_FULL_TEXTS = ("paper_context", "full_text")
_STATES = {
    "withdrawn_submission": "withdrawn submission",
    "desk_rejected_submission": "desk rejected submission",
    "rejected_submission": "rejected submission",
}
_VENUE_YEAR = re.compile(r"[A-Za-z][\w&.\- ]{0,60}? (?:19|20)[0-9]{2}(?: Conference)?\s+")


def read_openreview(
    found: CorpusFile, max_bytes: int, declared: Declared = NOTHING_DECLARED, *, alone: bool = False
) -> Iterator[Submission | Skipped]:
    """Yield the submissions of one file, each with its replies from anywhere in the file.

    Raises `RunError` for a file that cannot be read and is ``alone``.
    """
    loose = loose_replies(found, max_bytes)
    forums: set[str] = set()
    for record in records(found, max_bytes, alone=alone, wrapper="notes"):
        if isinstance(record, Skipped):
            yield record
            continue
        for note in notes_of(record):
            if isinstance(note, Skipped):
                yield note
            elif not is_reply(note.value):
                forum = forum_of(note.value)
                forums.add(forum)
                yield read_submission(note, loose.get(forum, []), declared)
    yield from replies_left(loose, forums, found.name)


def replies_left(
    loose: Mapping[str, Sequence[Reply]], forums: Collection[str], source: str
) -> Iterator[Skipped]:
    """Return one `Skipped` for the replies of each forum whose submission is not in the file."""
    for forum in sorted(set(loose) - set(forums)):
        reason = f"{plural(len(loose[forum]), 'reply', 'replies')} without their submission"
        yield Skipped(forum or source, reason, source)


def loose_replies(found: CorpusFile, max_bytes: int) -> dict[str, list[Reply]]:
    """Read the replies that are outside their submissions, in one pass over the file, by forum."""
    loose: dict[str, list[Reply]] = {}
    for record in records(found, max_bytes, alone=False, wrapper="notes"):
        if isinstance(record, Record) and is_reply(record.value):
            loose.setdefault(forum_of(record.value), []).append(read_reply(record.value))
    return loose


def forum_of(note: Mapping[str, Any]) -> str:
    """Return the forum of a note: its own id, if it names none."""
    return as_id(note.get("forum"))[0] or as_id(note.get("id"))[0]


def notes_of(record: Record) -> Iterator[Record | Skipped]:
    """Yield the notes of a record: itself, or the submissions of a venue that a crawler wrote."""
    submissions = record.value.get("submissions")
    if not isinstance(submissions, list):
        yield record
        return
    for number, value in enumerate(submissions, start=1):
        source = f"{record.source}[{number}]"
        if isinstance(value, dict):
            around = {key: record.value[key] for key in ("venue",) if key in record.value}
            yield Record({**around, **value}, source, record.notes)
        else:
            yield Skipped(source, "not an object", source)


def read_submission(
    record: Record, loose: Sequence[Reply] = (), declared: Declared = NOTHING_DECLARED
) -> Submission | Skipped:
    """Read one submission with its replies; return a `Skipped` if it is deleted or has no text."""
    note = record.value
    id_, odd = as_id(note.get("id"))
    draft = Draft(id_ or forum_of(note), record.source, (*record.notes, *([odd] if odd else [])))
    if note.get("ddate") is not None:
        return draft.skipped("deleted at its source (ddate)")
    content = content_of(note)
    if not content:
        return draft.skipped("no content")
    if not draft.id:
        return draft.skipped("no id")
    title = draft.line(content.get("title"), "title")
    keywords = draft.strings(content.get("keywords"), "keywords")
    text = _text(note, content, title, keywords, draft)
    lacks = "" if text else "no abstract, and the API gives no full text"
    present = _present(list({r.key: r for r in (*replies_of(note, draft), *loose)}.values()), draft)
    venue, names = venue_of(note), venue_names(note)
    reviews = [reply.review for reply in present if reply.review is not None]
    metas = tuple(reply.meta_review for reply in present if reply.meta_review is not None)
    scores, found, with_scores = scored(reviews, (*names, venue), declared)
    others = sum(reply.kind == "other" for reply in present)
    if others:
        draft.note(f"not counted as reviews: {plural(others, 'comment')}")
    decision = _decision_of(note, content, present, draft, declared)
    labels = draft.labels(
        decision,
        scores,
        found,
        venue=scale_of(venue),
        topic=draft.line(content.get("primary_area"), "primary_area"),
        extra={"venue": draft.line(venue, "venue"), "keywords": keywords},
    )
    paper = draft.skipped(lacks) if lacks else draft.paper(text, title, labels)
    return Submission(
        draft.id,
        title,
        text,
        labels,
        with_reviews(paper, with_scores, metas),
        decision,
        with_scores,
        "openreview",
        draft.source,
        tuple(draft.notes),
        tuple(draft.rating_notes),
        tuple(dict.fromkeys(name for name in (*names, venue) if name)),
        note,
    )


def _present(replies: Sequence[Reply], draft: Draft) -> list[Reply]:
    present = [reply for reply in replies if not reply.deleted]
    if len(present) < len(replies):
        draft.note(f"{plural(len(replies) - len(present), 'deleted reply', 'deleted replies')}")
    return present


def _text(
    note: Mapping[str, Any],
    content: Mapping[str, Any],
    title: str,
    keywords: Sequence[str],
    draft: Draft,
) -> str:
    """Return the full text that a crawler added, else title, abstract, TL;DR and keywords, with a
    note.
    """
    for value in (*(content.get(key) for key in _FULL_TEXTS), note.get("paper_context")):
        if isinstance(value, str) and value.strip():
            return draft.text(value)
    abstract = draft.text(content.get("abstract"), "abstract").strip()
    if not abstract:
        return ""
    draft.note("abstract only")
    parts = [f"# {title}"] if title else []
    parts += ["## Abstract", abstract]
    summaries = [draft.line(content.get(key), key) for key in _SUMMARIES]
    parts += [f"**TL;DR:** {summary}" for summary in summaries if summary][:1]
    parts += [f"**Keywords:** {', '.join(keywords)}"] if keywords else []
    return "\n\n".join(parts) + "\n"


def scale_of(venue: str) -> str:
    """Return the name of a venue's scale: "ICLR.cc/2020/Conference" -> "iclr-2020"."""
    parts = [re.sub(r"\.(cc|org|net|com)$", "", part.casefold()) for part in venue.split("/")]
    name = "-".join(part for part in parts if part not in ("", "conference"))
    return re.sub(r"[^a-z0-9.]+", "-", name).strip("-")


def _decision_of(
    note: Mapping[str, Any],
    content: Mapping[str, Any],
    replies: Sequence[Reply],
    draft: Draft,
    declared: Declared,
) -> Decision:
    """Return the decision: from decision notes, else from the submission's state, else from its
    meta-reviews (which contained it in some years, with a note).
    """
    noted = [read_decision(r.decision, declared.decisions) for r in replies if r.kind == "decision"]
    noted = [decision for decision in noted if decision.wording]
    if noted:
        return _agreed(noted, "decision notes", draft)
    state = _state(note, content)
    if state is not None:
        return state
    meta = [
        read_decision(r.decision, declared.decisions) for r in replies if r.kind == "meta-review"
    ]
    meta = [decision for decision in meta if decision.wording and not decision.unmapped]
    if meta:
        draft.note("decision taken from the meta-review")
        return _agreed(meta, "meta-reviews", draft)
    return Decision()


def _agreed(decisions: Sequence[Decision], what: str, draft: Draft) -> Decision:
    if len({decision.accept for decision in decisions}) == 1:
        return decisions[0]
    wordings = "; ".join(decision.wording for decision in decisions)
    draft.note(
        f"the {what} contradict each other ({wordings[:120]}): read as neither accept nor reject"
    )
    return Decision(None, wordings)


def _state(note: Mapping[str, Any], content: Mapping[str, Any]) -> Decision | None:
    """Return the state in the fields ``venueid`` and ``venue`` or in the invitation, if there is
    one.
    """
    venueid = content.get("venueid")
    names = [venueid if isinstance(venueid, str) else "", *invitations_of(note)]
    for name in names:
        wording = _STATES.get(name.rsplit("/", 1)[-1].casefold())
        if wording:
            return read_decision(wording)
    venue = content.get("venue")
    match = _VENUE_YEAR.match(venue) if isinstance(venue, str) else None
    if match and isinstance(venue, str):
        decision = read_decision(venue[match.end() :])
        if decision.accept is not None:
            return Decision(decision.accept, " ".join(venue.split()))
    return None
