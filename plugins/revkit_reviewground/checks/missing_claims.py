"""Find claims of a review that its paper lacks something, by the form of the denial."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from revkit.dataclass import dataclass
from revkit_reviewground.checks.missing_grammar import AFTER, BEFORE
from revkit_reviewground.checks.missing_scope import (
    ALL_ARE,
    CONCLUSION,
    DENIAL,
    DEPTH,
    EMBEDDED,
    EMPTY_QUALIFIER,
    EXAMPLES,
    EXPLAINS,
    FLAT_NO,
    GRANTS,
    HEAD,
    IN_DETAIL,
    IN_ONE_PLACE,
    JOINED,
    LACKING,
    NO_CLAIM,
    NONE,
    ONE_PLACE,
    PART_OF,
    PASSIVE,
    QUALIFIER,
    REPORTS,
    SAYS,
    SEES_NONE,
    SOME,
    TRANSITIVE,
    VERB,
    is_doubtful,
    scope_of,
)
from revkit_reviewground.checks.missing_topics import TOPICS, Topic

Span: TypeAlias = tuple[int, int]
# What is named by its examples, each of which is a separate claim.
GENERAL = frozenset(
    ("a discussion of related work", "baselines", "implementation details", "its hyperparameters")
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that the paper lacks ``topic``: characters ``start`` to ``end`` of the sentence.

    ``qualifier`` is what part is said to be lacking ("the decoder"), "" for the whole; ``hedged``
    says that the review is not sure; ``named`` are its words for the topic;
    ``concluding`` that it speaks of the conclusion alone.
    """

    topic: Topic
    start: int
    end: int
    qualifier: str = ""
    hedged: bool = False
    named: str = ""
    concluding: bool = False


def claims(sentence: str) -> Iterator[Claim]:
    """Yield the claims in one sentence of a review that the paper lacks a topic of the lexicon.

    What is in a list is denied with the whole list: "neither X nor Y",
    "X, Y and Z are missing".
    """
    if len(sentence) > 1500 or not DENIAL.search(sentence):
        return
    if NO_CLAIM.search(sentence) and not NONE.search(sentence):
        return
    lists = _lists(sentence)
    for topic in TOPICS:
        implied = topic.implied.search(sentence) if topic.implied else None
        if implied is not None:
            yield Claim(topic, implied.start(), implied.end(), hedged=True)
            continue
        for span, whole in lists.get(topic.name, ()):
            claim = _claim(sentence, topic, span, whole)
            if claim is not None:
                yield claim
                if not topic.facets:
                    break


def _lists(sentence: str) -> dict[str, list[tuple[Span, Span]]]:
    """Return, by topic, where the sentence names it, with the enclosing list (often only the topic
    itself).
    """
    named = sorted(
        (match.start(), match.end(), topic.name)
        for topic in TOPICS
        for match in topic.named.finditer(sentence)
    )
    runs: list[list[tuple[int, int, str]]] = []
    for one in named:
        last = max((end for _, end, _ in runs[-1]), default=0) if runs else -1
        if runs and (one[0] < last or JOINED.fullmatch(sentence, last, one[0])):
            runs[-1].append(one)
        else:
            runs.append([one])
    found: dict[str, list[tuple[Span, Span]]] = {}
    for run in runs:
        low, high = run[0][0], max(end for _, end, _ in run)
        for start, end, name in run:
            # "no ablation, and the code is available": the last is a separate subject.
            apart = start > low and end == high and VERB.match(sentence, high)
            whole = (start, end) if apart else (low, high)
            found.setdefault(name, []).append(((start, end), whole))
    return found


def _claim(sentence: str, topic: Topic, span: Span, whole: Span) -> Claim | None:
    """Return the claim on ``topic``, named at ``span`` within the list ``whole``, or None."""
    if topic.name in GENERAL and EXAMPLES.match(sentence, span[1]):
        return None
    low = max(0, whole[0] - 120)
    denial = BEFORE.search(sentence[low : whole[0]])
    if denial is not None:
        denied = _denied_before(sentence, topic, whole, denial)
    else:
        denied = _denied_after(sentence, topic, whole)
    if denied is None:
        return None
    start, end, tail = denied
    rest = sentence[tail : tail + 200]
    if DEPTH.match(rest.lstrip()) or IN_DETAIL.search(rest) or IN_ONE_PLACE.match(rest):
        return None
    # "no data augmentation" may be a virtue; "no details on it" is a lack.
    if topic.reported and not SAYS.search(sentence, max(0, start - 20), end + 60):
        return None
    stripped = len(sentence[start:end]) - len(sentence[start:end].lstrip(" \t\n-*•:.,;"))
    return Claim(
        topic,
        start + stripped,
        end,
        _qualifier(rest) or scope_of(sentence),
        is_doubtful(sentence),
        sentence[slice(*span)],
        CONCLUSION.search(sentence, 0, start) is not None,
    )


def _denied_before(
    sentence: str, topic: Topic, whole: Span, denial: re.Match[str]
) -> tuple[int, int, int] | None:
    """Return where a claim with its denial first starts and ends, and where the text after it
    starts.
    """
    before, named = denial.string, sentence[slice(*whole)]
    if ONE_PLACE.search(before, 0, denial.start()) or SOME.search(before, 0, denial.start()):
        return None
    if DEPTH.search(before, denial.start()) or DEPTH.search(named):
        return None
    if _explains(denial.group(), named):
        return None
    if topic.name == "its limitations" and SEES_NONE.search(before):
        return None
    verb = FLAT_NO.search(denial.group()) and VERB.match(sentence, whole[1])
    if verb and not EMBEDDED.search(denial.group()):
        return None
    return max(0, whole[0] - 120) + denial.start(), whole[1], whole[1]


def _denied_after(sentence: str, topic: Topic, whole: Span) -> tuple[int, int, int] | None:
    """Return the same spans for a claim with its denial last."""
    after = AFTER.match(sentence, whole[1])
    if after is None or DEPTH.search(ALL_ARE.sub("", after.group())):
        return None
    before, named = sentence[max(0, whole[0] - 120) : whole[0]], sentence[slice(*whole)]
    head = HEAD.search(before)
    if head is not None:
        before = before[: head.start()]
    elif EXAMPLES.search(named):
        before = re.sub(r"\w{3,12}\s+\Z", "", before)
    grants = GRANTS.search(after.group())
    shared = topic.name == "its code" and grants is not None and grants.group() == "shared"
    if grants and not topic.discussed and not shared:
        return None
    granted = LACKING.search(after.group()) and TRANSITIVE.match(sentence, after.end())
    if granted or PART_OF.search(before) or SOME.search(before):
        return None
    if DEPTH.search(before[-40:]) and not NONE.search(sentence):
        return None
    return whole[0], after.end(), after.end()


def _explains(denial: str, named: str) -> bool:
    """Return whether the sentence denies an explanation and not the thing itself."""
    if EMBEDDED.search(denial + named) or not EXPLAINS.search(denial):
        return False
    return not REPORTS.search(denial)


def _qualifier(rest: str) -> str:
    passive = PASSIVE.match(rest)
    match = QUALIFIER.match(rest, passive.end() if passive else 0)
    if match is None or EMPTY_QUALIFIER.match(match["rest"]):
        return ""
    return match["rest"]
