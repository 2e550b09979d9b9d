"""Forum: the notes of OpenReview, in both versions of its API, and the content of each reply."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from revkit.dataclass import dataclass
from revkit.model.paper import LeftOut
from revkit.model.values import digest_of
from revkit.venues.draft import Draft
from revkit.venues.fields import bare, field_name, fields_of, read_text
from revkit.venues.records import as_id
from revkit.venues.submission import HumanReview

ReplyKind = Literal["review", "decision", "meta-review", "other"]

_DECISION_FIELDS = ("decision", "recommendation", "final_decision")
_VENUE = re.compile(r"(.{1,200}?)(?:/-/|/(?:Paper|Submission)[0-9]+(?:/|$)|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reply:
    """The content of a reply, as written: its ``review``, its ``meta_review``, its ``decision``.

    In some years the note of a decision carries the meta-review as its comment.
    """

    key: str
    kind: ReplyKind
    review: HumanReview | None = None
    decision: object = None
    deleted: bool = False
    meta_review: HumanReview | None = None


def content_of(note: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a note, without the ``{"value": ...}`` of version 2."""
    content = note.get("content")
    if not isinstance(content, Mapping):
        return {}
    return {key: bare(value) for key, value in content.items()}


def invitations_of(note: Mapping[str, Any]) -> list[str]:
    """Return the invitations of a note: ``invitation`` (version 1) or ``invitations`` (version
    2).
    """
    many = note.get("invitations")
    one = note.get("invitation")
    names = many if isinstance(many, list) else [one]
    return [name for name in names if isinstance(name, str)]


def is_reply(note: Mapping[str, Any]) -> bool:
    """Return whether a note replies to another one."""
    forum, own = as_id(note.get("forum"))[0], as_id(note.get("id"))[0]
    return bool(note.get("replyto")) or bool(forum and own and forum != own)


def venue_of(note: Mapping[str, Any]) -> str:
    """Return the venue's group: "ICLR.cc/2020/Conference", or "" if nothing states it."""
    domain = note.get("domain")
    for name in [domain, *invitations_of(note)]:
        match = _VENUE.match(name) if isinstance(name, str) else None
        if match:
            return match.group(1)
    return ""


def replies_of(note: Mapping[str, Any], draft: Draft) -> list[Reply]:
    """Return the replies of a submission, from the most complete list it has."""
    details = note.get("details")
    lists = (
        [details.get(key) for key in ("replies", "directReplies")]
        if isinstance(details, Mapping)
        else []
    )
    lists.append(note.get("notes"))
    replies: list[Reply] = []
    for found in lists:
        if not isinstance(found, list):
            continue
        for reply in found:
            if isinstance(reply, Mapping):
                replies.append(read_reply(reply))
            else:
                draft.note(LeftOut("a reply is not an object: left out"))
    return replies


def read_reply(note: Mapping[str, Any]) -> Reply:
    """Return the content of a reply. Its kind is the kind of its invitation, independent of its
    wording.
    """
    content = content_of(note)
    key = as_id(note.get("id"))[0] or digest_of(str(note))
    kind = _kind(invitations_of(note), content)
    deleted = note.get("ddate") is not None
    if kind == "review":
        fields = fields_of(content)
        review = HumanReview(fields, fields["rating"], fields["confidence"])
        return Reply(key, kind, review, None, deleted)
    if kind == "other":
        return Reply(key, kind, deleted=deleted)
    decision = _first(content, _DECISION_FIELDS)
    return Reply(key, kind, None, decision, deleted, _meta_review(content))


def _meta_review(content: Mapping[str, Any]) -> HumanReview | None:
    """Return the text of a meta-review, or of a decision's comment; None if there is none."""
    fields = fields_of(content)
    comment = read_text(fields["form"].get("comment"))
    fields["review"] = "\n\n".join(text for text in (fields["review"], comment) if text)
    review = HumanReview({**fields, "rating": None, "confidence": None})
    return review if review.text else None


def _first(content: Mapping[str, Any], names: Sequence[str]) -> object:
    levelled = {field_name(key): value for key, value in content.items()}
    return next((levelled[name] for name in names if levelled.get(name) is not None), None)


def _kind(invitations: Sequence[str], content: Mapping[str, Any]) -> ReplyKind:
    tails = [name.rsplit("/", 1)[-1].casefold() for name in invitations]
    for tail in tails:
        if tail in ("decision", "acceptance_decision", "acceptance", "final_decision"):
            return "decision"
        if tail in ("meta_review", "metareview", "official_meta_review", "senior_meta_review"):
            return "meta-review"
        if tail in ("official_review", "review"):
            return "review"
    if not invitations and "decision" in content:
        return "decision"
    return "review" if not invitations and "rating" in content else "other"
