"""Verdicts: the labels of an OpenReview submission, from its own fields and its replies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from revkit.model.paper import Labels
from revkit_corpora.decisions import Decision, read_decision
from revkit_corpora.draft import Draft
from revkit_corpora.forum import Reply, invitations_of
from revkit_corpora.ratings import Scores
from revkit_corpora.texts import plural

_STATES = {
    "withdrawn_submission": "withdrawn submission",
    "desk_rejected_submission": "desk rejected submission",
    "rejected_submission": "rejected submission",
}
_VENUE_YEAR = re.compile(r"[A-Za-z][\w&.\- ]{0,60}? (?:19|20)[0-9]{2}(?: Conference)?\s+")


def labels_of(
    note: Mapping[str, Any],
    content: Mapping[str, Any],
    replies: Sequence[Reply],
    draft: Draft,
    keywords: list[str],
    venue: str,
) -> Labels:
    """Return the labels; what is not counted, and why, goes to the draft's notes."""
    present = [reply for reply in replies if not reply.deleted]
    if len(present) < len(replies):
        draft.note(f"{plural(len(replies) - len(present), 'deleted reply', 'deleted replies')}")
    scale = scale_of(venue)
    scores = Scores(0, 10) if scale.startswith("iclr-") else Scores()
    reviews = [reply for reply in present if reply.kind == "review"]
    for number, review in enumerate(reviews, start=1):
        scores.add(review.rating, review.confidence, f"review {number}: ")
    others = sum(reply.kind == "other" for reply in present)
    if others:
        draft.note(f"{plural(others, 'comment')} not counted as reviews")
    return draft.labels(
        decision_of(note, content, present, draft),
        scores,
        scale,
        topic=draft.line(content.get("primary_area"), "primary_area"),
        extra={"venue": draft.line(venue, "venue"), "keywords": keywords},
    )


def scale_of(venue: str) -> str:
    """Name the scale of a venue: "ICLR.cc/2020/Conference" -> "iclr-2020"."""
    parts = [re.sub(r"\.(cc|org|net|com)$", "", part.casefold()) for part in venue.split("/")]
    name = "-".join(part for part in parts if part not in ("", "conference"))
    return re.sub(r"[^a-z0-9.]+", "-", name).strip("-")


def decision_of(
    note: Mapping[str, Any], content: Mapping[str, Any], replies: Sequence[Reply], draft: Draft
) -> Decision:
    """Return the decision: of decision notes, else of the submission's state, else of its
    meta-reviews (in some years these carried it, with a note)."""
    noted = [read_decision(r.decision) for r in replies if r.kind == "decision"]
    noted = [decision for decision in noted if decision.wording]
    if noted:
        return _agreed(noted, "decision notes", draft)
    state = _state(note, content)
    if state is not None:
        return state
    meta = [read_decision(r.decision) for r in replies if r.kind == "meta-review"]
    meta = [decision for decision in meta if decision.wording and not decision.note]
    if meta:
        draft.note("decision taken from the meta-review")
        return _agreed(meta, "meta-reviews", draft)
    return Decision()


def _agreed(decisions: Sequence[Decision], what: str, draft: Draft) -> Decision:
    if len({decision.accept for decision in decisions}) == 1:
        return decisions[0]
    wordings = "; ".join(decision.wording for decision in decisions)
    draft.note(f"the {what} contradict each other ({wordings[:120]}): neither yes nor no")
    return Decision(None, wordings)


def _state(note: Mapping[str, Any], content: Mapping[str, Any]) -> Decision | None:
    """Return what the fields ``venueid`` and ``venue`` or the invitation say, if anything."""
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
        if not decision.note and decision.accept is not None:
            return Decision(decision.accept, " ".join(venue.split()))
    return None
