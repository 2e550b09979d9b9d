"""Check claims of missing comparisons, citations and results with a named work or data set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from revkit.english import compile_words, negations
from revkit_reviewground.checks.finding import Certainty, Finding
from revkit_reviewground.checks.missing_names_grammar import (
    CLAIMS,
    CLASS_AFTER,
    CLASS_BEFORE,
    CLAUSE,
    COMPARES,
    DEGREE,
    ELSEWHERE,
    END,
    FARES,
    LIGHT,
    OPENING,
    OWNED,
    PART,
    PHRASE,
    QUALIFIED,
    SUBJECT_FIRST,
    Wanted,
)
from revkit_reviewground.checks.missing_scope import (
    DENIAL,
    NO_CLAIM,
    NONE,
    TRANSITIVE,
    is_doubtful,
    scope_of,
)
from revkit_reviewground.checks.names import Name, names, places
from revkit_reviewground.checks.paper_text import PaperText
from revkit_reviewground.checks.review_text import ReviewField

_MESSAGES: dict[Wanted, str] = {
    "comparison": "the review misses a comparison with {}, which the paper makes",
    "citation": "the review misses {}, which the paper names",
    "experiment": "the review misses results on {}, which the paper has",
}
_RESULTS = ("experiments", "results", "appendix", "discussion")


def check_named(paper: PaperText, review: Sequence[ReviewField]) -> Iterator[Finding]:
    """Yield a finding for each name that, according to the review, the paper does not compare with,
    cite or evaluate on although it does.

    A comparison shows in a table, a caption or a statement that compares; a citation anywhere; an
    experiment in a table, a caption or the sections of results.
    """
    for field in review:
        seen: set[str] = set()
        for start, sentence in field.sentences:
            for wanted, name, hedged in _denied(sentence):
                if name.text in seen:
                    continue
                shown = _evidence(paper, wanted, name)
                if shown is None:
                    continue
                seen.add(name.text)
                span, firm = shown
                certainty: Certainty = "false" if firm and not hedged else "suspect"
                message = _MESSAGES[wanted].format(repr(name.text))
                at = start + name.start
                yield field.finding(
                    "missing", at, at + len(name.text), message, certainty, paper.place(*span)
                )


def _denied(sentence: str) -> Iterator[tuple[Wanted, Name, bool]]:
    if (
        len(sentence) > 1500
        or not DENIAL.search(sentence)
        or (NO_CLAIM.search(sentence) and not NONE.search(sentence))
        or QUALIFIED.search(FARES.sub("", sentence))
    ):
        return
    hedged = is_doubtful(sentence)
    if ELSEWHERE.search(sentence) or scope_of(sentence):
        return
    degree = DEGREE.search(sentence) is not None
    for wanted, start, end in _stretches(sentence):
        phrase = sentence[start:end]
        if CLASS_BEFORE.match(phrase):
            continue
        done = 0
        for name in names(" " + phrase):
            low, high = name.start - 1, name.start - 1 + len(name.text)
            lead = phrase[done:low]
            done = high
            # "the cost of X": it is not X that is denied, nor anything further on.
            if not LIGHT.fullmatch(lead):
                break
            if not CLASS_AFTER.match(phrase, high) and not OWNED.match(sentence, start + high):
                at = start + name.start - 1
                # A capital at the start of a sentence makes no name.
                if not name.is_strong and not sentence[:at].strip(" \t*_-•"):
                    if not LIGHT.fullmatch(name.text):
                        break
                    continue
                yield (
                    wanted,
                    Name(name.text, at, name.author, name.year),
                    hedged or (wanted == "citation" and degree),
                )


def _stretches(sentence: str) -> Iterator[tuple[Wanted, int, int]]:
    """Return what the review calls missing, and where ``sentence`` names it."""
    for wanted, pattern in CLAIMS:
        for match in pattern.finditer(sentence):
            groups = match.groupdict()
            inner = "pre" if groups.get("pre") else "mid" if groups.get("mid") else ""
            found = PHRASE.match(sentence, match.end())
            if inner:
                if not TRANSITIVE.match(sentence, match.end()):
                    yield wanted, *match.span(inner)
            elif found is not None:
                stop = END.search(sentence, *found.span())
                end = stop.start() if stop else found.end()
                if wanted == "citation" or not PART.match(sentence, end):
                    yield wanted, found.start(), end
    for wanted, pattern in SUBJECT_FIRST:
        for match in pattern.finditer(sentence):
            if wanted != "citation" and PART.match(sentence, match.end()):
                continue
            low = max(0, match.start() - 80)
            starts = [found.end() for found in CLAUSE.finditer(sentence, low, match.start())]
            first = starts[-1] if starts else low
            opening = OPENING.match(sentence, first, match.start())
            yield wanted, opening.end() if opening else first, match.start()


def _evidence(paper: PaperText, wanted: Wanted, name: Name) -> tuple[tuple[int, int], bool] | None:
    """Return where the paper shows what the review calls missing, and whether this is certain."""
    if wanted == "citation":
        if not name.is_strong:
            return None
        found = places(paper, name, 1)
        return (found[0], True) if found else None
    weak: tuple[int, int] | None = None
    for start, end in places(paper, name):
        block = paper.block_at(start)
        if (
            block is None
            or block.role == "references"
            or block.kind in ("reference", "front-matter")
        ):
            continue
        captioned = any(low <= start < high for low, high in paper.captions)
        if block.kind == "table" or (captioned and name.is_strong):
            return (start, end), name.is_strong
        if block.role in ("related-work", "introduction", "abstract", "conclusion"):
            continue
        stretch = paper.sentence_at(start, end)
        if wanted == "comparison" and COMPARES.search(paper.text, *stretch):
            weak = weak or (start, end)
            if block.role in _RESULTS and name.is_strong and not _unmade(paper.text, stretch):
                return (start, end), True
        elif wanted == "experiment" and block.role in _RESULTS:
            weak = weak or (start, end)
    return (weak, False) if weak else None


def _unmade(text: str, stretch: tuple[int, int]) -> bool:
    denial = compile_words(negations("result") | {"future", "would", "leave"})
    return denial.search(text, *stretch) is not None
