"""Check claims of missing content: what a review calls missing must not be in the paper.

The seed: "incorrectly claim something is missing when it exists" is the pitfall that its rubric
penalises, and the aggregator must not assert absence (ReviewGrounder, appendices D and E.2.5). The
check is meant to be silent in doubt: a claim counts only if it denies the thing itself ("no
ablation study"), not its depth ("no thorough ablation"), and the paper counts as having the thing
only where a heading, a caption or a plain statement shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from revkit.english import compile_words, negations, stop_words
from revkit_reviewground.checks.finding import Certainty, Finding
from revkit_reviewground.checks.missing_claims import Claim, claims
from revkit_reviewground.checks.missing_headings import check_headings
from revkit_reviewground.checks.missing_mentions import check_mentions
from revkit_reviewground.checks.missing_names import check_named
from revkit_reviewground.checks.missing_topics import Topic
from revkit_reviewground.checks.paper_text import PaperText
from revkit_reviewground.checks.review_text import ReviewField

# What postpones, ascribes to others or thanks; with a denial, the sentence shows no thing.
_ELSEWHERE = frozenset(
    (
        *("beyond the scope", "future work", "future works", "leave*", "will be", "will release"),
        *("would", "previous", "prior", "existing", "they", "their", "et al", "donat*", "thank*"),
        "grateful",
    )
)
# A place in the paper's text, and whether it shows the thing for certain.
Evidence: TypeAlias = tuple[tuple[int, int], bool]


def check_missing(paper: PaperText, review: Sequence[ReviewField]) -> Iterator[Finding]:
    """Yield a finding, with the place, for each thing that the review calls missing although the
    paper has it.

    "false": the claim is unqualified, and a heading or a caption (or a statement, where the topic
    allows it) shows the thing. "suspect": a statement shows it, or the claim is about a part
    ("no ablation of the decoder") whose words are next to it in the paper.
    """
    shown: dict[tuple[str, re.Pattern[str] | None], Evidence | None] = {}
    for field in review:
        seen: set[str] = set()
        for start, sentence in field.sentences:
            for claim in claims(sentence):
                topic = claim.topic
                if topic.name in seen:
                    continue
                needed = topic.needed(claim.named)
                key = (topic.name, needed)
                if key not in shown:
                    shown[key] = find_topic(paper, topic, needed)
                finding = _answer(paper, field, start, claim, shown[key])
                if finding:
                    seen.add(topic.name)
                    yield finding
    yield from check_named(paper, review)
    yield from check_mentions(paper, review)
    yield from check_headings(paper, review)


def _answer(
    paper: PaperText, field: ReviewField, start: int, claim: Claim, evidence: Evidence | None
) -> Finding | None:
    if evidence is None:
        return None
    span, firm = evidence
    if claim.concluding and (
        claim.topic.name not in ("future work", "its limitations")
        or paper.role_at(span[0]) not in ("conclusion", "discussion")
    ):
        return None
    # "Not explicitly analysed" is answered by a part of the paper, not by a remark.
    if not firm and re.search(
        r"\b(?:explicit|direct|formal)", field.text[start:][: claim.end], re.I
    ):
        return None
    certainty: Certainty = "false" if firm and not claim.hedged else "suspect"
    if claim.qualifier:
        near = _beside(paper, claim)
        if near is None:
            return None
        span, certainty = near, "suspect"
    message = f"the review says that the paper lacks {claim.topic.name}, but it is there"
    if certainty == "suspect":
        message = f"the review says that the paper lacks {claim.topic.name}; it seems to be there"
    return field.finding(
        "missing", start + claim.start, start + claim.end, message, certainty, paper.place(*span)
    )


def find_topic(
    paper: PaperText, topic: Topic, needed: re.Pattern[str] | None = None
) -> Evidence | None:
    """Return where the paper shows ``topic``, and whether this is certain, or `None`.

    What shows it must also match ``needed``, one of the topic's facets.
    """
    for (start, end), firm in topic_evidence(paper, topic):
        if needed is None or needed.search(paper.text, start, end):
            return (start, end), firm
    return None


def topic_evidence(paper: PaperText, topic: Topic) -> Iterator[Evidence]:
    """Return the places of the paper that show ``topic``: headings, captions and tables first."""
    if topic.heads is not None:
        for block, raw in paper.headings:
            if block.role != "references" and topic.heads.search(raw) and len(raw) < 200:
                yield (block.start, block.end), True
        for start, end in paper.captions:
            match = topic.heads.search(paper.text, start, end)
            if match and not _denies().search(paper.text, start, end):
                yield (start, end), topic.captions
        for block in paper.paper.blocks:
            # The first row of a table says what it holds.
            first = min(block.end, block.start + 200)
            if block.kind == "table" and topic.heads.search(paper.text, block.start, first):
                yield (block.start, first), True
    if topic.text is not None:
        for match in paper.finds(topic.text, topic.cues):
            span = paper.sentence_at(match.start(), match.end())
            if topic.name == "future work" or not _denies().search(paper.text, *span):
                yield match.span(), topic.firm


def _denies() -> re.Pattern[str]:
    return compile_words(negations("statement") | _ELSEWHERE, ignore_case=True)


def _beside(paper: PaperText, claim: Claim) -> tuple[int, int] | None:
    """Return where the words of a claim's qualifier are close to a mention of its topic."""
    words = [
        word
        for word in re.findall(r"[A-Za-z][\w-]{2,30}", claim.qualifier.lower())
        if word not in stop_words("claim")
    ][:6]
    if not words:
        return None
    shown = [pattern for pattern in (claim.topic.heads, claim.topic.text) if pattern is not None]
    for pattern in shown:
        for match in paper.finds(pattern, claim.topic.cues):
            start, end = paper.sentence_at(match.start(), match.end())
            stretch = paper.lower[start:end]
            if _denies().search(paper.text, start, end):
                continue
            if all(
                re.search(rf"(?<![a-z]){re.escape(word.rstrip('s'))}", stretch) for word in words
            ):
                return match.start(), match.end()
    return None
