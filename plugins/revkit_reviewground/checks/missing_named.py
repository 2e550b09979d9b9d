"""Missing, by name: comparisons, citations and results that a paper has and a review misses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from revkit_reviewground.checks.finding import Certainty, Finding
from revkit_reviewground.checks.missing_claims import DENIAL, HEDGED, NO_CLAIM
from revkit_reviewground.checks.names import Name, names, places
from revkit_reviewground.checks.paper_text import PaperText
from revkit_reviewground.checks.review_text import Field

Wanted: TypeAlias = Literal["comparison", "citation", "experiment"]

_FILLER = (
    r"(?:\s+(?!(?:only|other|more|further|additional|recent|detailed|thorough)\b)"
    r"[^\s.;:!?]{1,30}){0,5}?"
)
_DENIES = (
    r"(?:(?:do|does|did|has|have|is|are|was|were)\s+not|(?:do|does|did|is|are|was)n['’]t|never"
    r"|fail(?:s|ed)?\s+to"
    r"|neglects?\s+to|omit(?:s|ted)?)"
)
_LACKS = r"(?:lack(?:s|ing)?(?:\s+of)?|no|absence\s+of|omits?|misses|missing|without)"
_CLAIMS: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        "comparison",
        re.compile(
            rf"\b{_DENIES}\s+(?:be\s+)?(?:directly\s+|explicitly\s+|also\s+"
            rf"|even\s+)?compare[sd]?{_FILLER}\s+(?:to|with|against)\s+"
            r"|\b(?:comparison|evaluation|experiments?|baselines?|tables?|authors"
            r"|paper)\s+(?:omits?|leaves?\s+out|ignores?)\s+"
            rf"|\b{_LACKS}\s+(?:a\s+|any\s+|the\s+|direct\s+|empirical\s+"
            rf"|experimental\s+){{0,3}}comparisons?\s+(?:to|with|against)\s+"
            rf"|\b{_DENIES}\s+(?:include|report|provide|present|have|contain)\s+(?:a\s+|any\s+"
            rf"|direct\s+){{0,2}}comparisons?\s+(?:to|with|against)\s+"
            rf"|\b{_DENIES}\s+(?:include|consider|use|report)\s+(?P<pre>[^.;:!?]{{2,80}}?)\s+(?:as"
            rf"|among)\s+(?:a\s+|the\s+|its\s+){{0,2}}baselines?",
            re.IGNORECASE,
        ),
    ),
    (
        "comparison",
        re.compile(
            r"\bcomparisons?\s+(?:to|with|against)\s+(?P<mid>[^.;:!?]{2,100}?)\s+(?:is|are|was"
            r"|were)\s+"
            r"(?:missing|absent|lacking|omitted|not\s+(?:provided|included|reported|given"
            r"|presented|shown|made))",
            re.IGNORECASE,
        ),
    ),
    (
        "citation",
        re.compile(
            rf"\b{_DENIES}\s+(?:even\s+|also\s+)?(?:cite|reference|mention|discuss|acknowledge)\s+"
            r"|\b(?:missing|lacks?(?:\s+of)?|lacking|no|omits?)\s+(?:a\s+|any\s+"
            r"|the\s+)?(?:citations?|references?)\s+(?:to|of|for)\s+",
            re.IGNORECASE,
        ),
    ),
    (
        "experiment",
        re.compile(
            rf"\b{_DENIES}\s+(?:include|report|provide|present|conduct|perform|run"
            rf"|show)\s+(?:any\s+)?(?:experiments?|results?|evaluations?)\s+on\s+"
            rf"|\b{_DENIES}\s+(?:evaluated?|tested?|experiment)(?:\s+(?:it|its?\s+\w+"
            rf"|the\s+\w+(?:\s+\w+)?))?\s+on\s+"
            rf"|\b{_LACKS}\s+(?:any\s+)?(?:experiments?|results?|evaluations?)\s+on\s+",
            re.IGNORECASE,
        ),
    ),
)
# "X is not used as a baseline", "X is missing from the comparison", "the work of X is not cited".
_SUBJECT_FIRST: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        "comparison",
        re.compile(
            r"\s+(?:is|are|was|were)\s+(?:(?:not|never)\s+(?:used|included|considered|reported"
            r"|compared"
            r"|evaluated)\b|(?:missing|absent|left\s+out|omitted)\s+(?:from"
            r"|in)\s+the\s+(?:comparison"
            r"|baselines?|evaluation|experiments?|tables?|results))",
            re.IGNORECASE,
        ),
    ),
    (
        "citation",
        re.compile(
            r"\s+(?:is|are|was|were)\s+(?:not|never|nowhere)\s+(?:even\s+)?(?:cited|mentioned"
            r"|referenced"
            r"|acknowledged)\b",
            re.IGNORECASE,
        ),
    ),
)
_PHRASE = re.compile(r"(?:[^.;:!?\n]|(?<=\bal)\.|\.(?=\w)){1,120}")
_END = re.compile(
    r"\s+(?:on|in|for|which|that|but|although|though|while|despite|because|since|when|to|under"
    r"|using|at|by|from"
    r"|beyond|with|making|is|are|as)\s+"
)
_CLAUSE = re.compile(r"[;:!?]\s|\.\s(?!\()|,\s+(?:but|and|which|since|because)\s")
_QUALIFIED = re.compile(
    r"\b(?:detail|depth|thorough|comprehensive|adequate|sufficient|extensive|fair|larger|variants?"
    r"|latest|newer"
    r"|other\s+than|beyond|except|besides|instead|only|limitations?|why|how|impact|relation\w*"
    r"|differences?)\w*",
    re.IGNORECASE,
)
# "other MARL methods" is a kind of work, not one.
_CLASS_BEFORE = re.compile(
    r"\s*(?:(?:the|any|some|to)\s+)?(?:other|existing|recent|more|advanced|modern|several|many|all"
    r"|various|newer"
    r"|traditional|classical?|alternative|different|simpler?|additional|standard|relevant"
    r"|related)\b",
    re.IGNORECASE,
)
_CLASS_AFTER = re.compile(
    r"[\s-]*(?:based\s+)?(?:[a-z-]{3,20}\s+){0,2}(?:methods|approaches|algorithms|techniques"
    r"|models|architectures|frameworks|literature"
    r"|variants|works|schemes|baselines|systems|networks)\b",
    re.IGNORECASE,
)
_COMPARES = re.compile(
    r"\b(?:compar\w+|baselines?|outperform\w*|competi\w+|versus|vs\.?|better|worse|higher|lower"
    r"|surpass\w*"
    r"|against|beats?|superior)\b",
    re.IGNORECASE,
)
_MESSAGES: dict[Wanted, str] = {
    "comparison": "the review misses a comparison with {}, which the paper makes",
    "citation": "the review misses {}, which the paper names",
    "experiment": "the review misses results on {}, which the paper has",
}
_RESULTS = ("experiments", "results", "appendix", "discussion")


def check_named(paper: PaperText, review: Sequence[Field]) -> Iterator[Finding]:
    """Yield a finding for each name that the review says the paper does not compare to, cite or
    run on, though the paper does.

    A comparison shows in a table, a caption or a statement that compares; a citation anywhere; an
    experiment in a table, a caption or the sections of results.
    """
    for field in review:
        seen: set[str] = set()
        for start, sentence in field.sentences:
            for wanted, name, hedged in _denied(sentence):
                if name.text in seen:
                    continue
                shown = _shown(paper, wanted, name)
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
        or NO_CLAIM.search(sentence)
        or _QUALIFIED.search(sentence)
    ):
        return
    hedged = HEDGED.search(sentence) is not None
    for wanted, start, end in _stretches(sentence):
        phrase = sentence[start:end]
        if _CLASS_BEFORE.match(phrase):
            continue
        for name in names(" " + phrase):
            if not _CLASS_AFTER.match(phrase, name.start - 1 + len(name.text)):
                at = start + name.start - 1
                yield wanted, Name(name.text, at, name.author, name.year), hedged


def _stretches(sentence: str) -> Iterator[tuple[Wanted, int, int]]:
    """What is said to be missing, and where in ``sentence`` it is named."""
    for wanted, pattern in _CLAIMS:
        for match in pattern.finditer(sentence):
            groups = match.groupdict()
            inner = "pre" if groups.get("pre") else "mid" if groups.get("mid") else ""
            found = _PHRASE.match(sentence, match.end())
            if inner:
                yield wanted, *match.span(inner)
            elif found is not None:
                stop = _END.search(sentence, *found.span())
                yield wanted, found.start(), stop.start() if stop else found.end()
    for wanted, pattern in _SUBJECT_FIRST:
        for match in pattern.finditer(sentence):
            low = max(0, match.start() - 80)
            starts = [found.end() for found in _CLAUSE.finditer(sentence, low, match.start())]
            yield wanted, starts[-1] if starts else low, match.start()


def _shown(paper: PaperText, wanted: Wanted, name: Name) -> tuple[tuple[int, int], bool] | None:
    """Where the paper shows what the review misses, and whether that is certain."""
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
        if wanted == "comparison" and _COMPARES.search(paper.text, *stretch):
            weak = weak or (start, end)
            if block.role in _RESULTS and name.is_strong and not _unmade(paper.text, stretch):
                return (start, end), True
        elif wanted == "experiment" and block.role in _RESULTS:
            weak = weak or (start, end)
    return (weak, False) if weak else None


def _unmade(text: str, stretch: tuple[int, int]) -> bool:
    return (
        re.compile(r"\b(?:not|no|future|would|leave|cannot)\b|n['’]t\b").search(text, *stretch)
        is not None
    )
