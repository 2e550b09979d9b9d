"""The lexicon of `connectors.tsv`, and the places where connectors and provenance can be
removed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from revkit.dataclass import dataclass
from revkit_yescieval.perturbations.provenance import (
    ACCORDING,
    FRAME,
    REPORTED_INSIDE,
    SECOND_THAT,
)

_TABLE = Path(__file__).parent / "connectors.tsv"

_DETERMINER = (
    r"(?:the|a|an|this|that|these|those|it|its|they|their|there|we|our|he|she|his|her|such|some"
    r"|many|most|all|both|each|no|not|one|in|for|when|if)\b"
)
_ORDINAL = re.compile(r"(?:first|second|third|fourth|fifth|and|or)\b", re.I)
_FRONTED = re.compile(
    r"[\"'“(\[]*(?:in|on|at|for|with|by|from|after|before|during|when|while|although|though|if"
    r"|since|because|as|despite|under|among|within|between|unlike|given|compared|to|across|through)\b",
    re.I,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|may|might|will|would|should|must|does|do|did"
    r"|cannot|remains?|remained|appears?|appeared|seems?|seemed|shows?|showed|tends?|tended"
    r"|becomes?|became|leads?|led|increases?|increased|decreases?|decreased|reduces?|reduced"
    r"|improves?|improved|presents?|presented|typically|experiences?|experienced|plays?|played"
    r"|requires?|required|occurs?|occurred|involves?|involved|causes?|caused|rose|fell|grew"
    r"|suggests?|suggested|found|reported|indicates?|indicated|exhibits?|exhibited)\b"
)
_NO_SUBJECT = re.compile(
    r"(?:[\w-]+(?:ing|ed)|in|at|for|with|by|on|from|not|often|also|still|only|less|more|then|if"
    r"|when|as|to|it is true|there)\b",
    re.I,
)
_SUBJECT = re.compile(
    r"(?:the|this|these|those|it|its|they|their|we|our|there|such|some|many|most|all|both|each|no"
    r"|other|others|he|she)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Site:
    """A marker that can be removed: ``text[start:end]`` becomes ``new``; ``form`` names it."""

    start: int
    end: int
    new: str
    form: str


@dataclass(frozen=True)
class _Lexicon:
    start: re.Pattern[str]
    bare: re.Pattern[str]
    linked: re.Pattern[str]
    inside: re.Pattern[str]
    forms: tuple[str, ...]


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    rows = [
        line.split("\t")
        for line in _TABLE.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ][1:]
    places = {form: places.split() for _, form, places in rows}

    def forms(place: str) -> str:
        listed = sorted(
            (form for form in places if place in places[form]), key=lambda f: (-len(f), f)
        )
        return "|".join(map(re.escape, listed))

    return _Lexicon(
        re.compile(rf"(?i:({forms('start')})),\s+(?=\S)"),
        re.compile(rf"(?i:({forms('bare')}))\s+(?={_DETERMINER})"),
        re.compile(rf"(?:[;:]|,? and|,? but|\bthat)\s(({forms('start')}),?\s)(?=\w)"),
        re.compile(
            rf"(?P<comma>,\s(?P<between>{forms('commas')})(?P<close>,(?=\s)|(?=[.;])))"
            rf"|(?P<lone>(?<=[\w),])\s(?P<within>{forms('inside')})(?=\s[\w(]))"
            rf"|(?P<joined>,\s(?P<clause>{forms('clause')})(?=\s\w))"
        ),
        tuple(sorted(places)),
    )


def connectors() -> tuple[str, ...]:
    """Return the logical connectors of the lexicon."""
    return _lexicon().forms


def without_connectors(sentence: str) -> str:
    """Return a sentence without the logical connectors at its start; its sources stay."""
    at = 0
    while match := _connector(sentence, at, len(sentence)):
        at = match.end()
    if not at or at >= len(sentence):
        return sentence
    return _capital(sentence, at, len(sentence)) + sentence[at + 1 :]


def sites(
    text: str, start: int, end: int, blocked: Callable[[int, int], bool], *, one: bool = False
) -> Iterator[Site]:
    """Yield the removable markers of the sentence ``text[start:end]``, from left to right, without
    overlap.

    ``blocked`` returns whether a span must stay (mathematics, a quotation). The markers at the
    start ("Moreover, studies have shown that") are one site, because the capital after them is
    repaired once; with ``one``, only the first of them is removed.
    """
    head = _head(text, start, end, blocked, 1 if one else 3)
    if head is not None:
        yield head
    at = head.end if head is not None else start
    markers = [*_reported(text, at, end), *_linked(text, at, end), *_within(text, start, at, end)]
    last = at
    for site in sorted(markers, key=lambda site: (site.start, -site.end)):
        if site.start >= last and not blocked(site.start, site.end):
            yield site
            last = site.end


def _head(
    text: str, start: int, end: int, blocked: Callable[[int, int], bool], most: int
) -> Site | None:
    """Yield the connectors and provenance at the start of a sentence, with the capital after
    them.
    """
    at, forms = start, []
    for _ in range(most):
        match = _opening(text, at, end)
        if match is None:
            break
        at = match.end()
        forms.append(match[0].strip(" ,\n"))
    follows = at < end and (text[at].isalnum() or text[at] == "$")
    if not forms or not follows or blocked(start, at):
        return None
    form, capital = " ".join(forms), _capital(text, at, end)
    if capital == text[at]:
        return Site(start, at, "", form)
    return Site(start, at + 1, capital, form)


def _capital(text: str, at: int, end: int) -> str:
    """Return the letter at ``at`` as the start of a sentence; names such as "mRNA" keep their
    form.
    """
    word = re.match(r"[^\s,.;:]+", text[at : min(end, at + 60)])
    plain = word is not None and re.fullmatch(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", word[0])
    return text[at].upper() if plain and word is not None and word[0].islower() else text[at]


def _connector(text: str, at: int, end: int) -> re.Match[str] | None:
    lexicon = _lexicon()
    match = lexicon.start.match(text, at, end)
    if match and not (_ORDINAL.fullmatch(match[1]) and _ORDINAL.match(text, match.end(), end)):
        return match
    return lexicon.bare.match(text, at, end)


def _opening(text: str, at: int, end: int) -> re.Match[str] | None:
    match = _connector(text, at, end) or ACCORDING.match(text, at, end)
    if match is None:
        match = FRAME.match(text, at, end)
        if match and SECOND_THAT.search(text, match.end(), end):
            return None
    return match


def _reported(text: str, at: int, end: int) -> Iterator[Site]:
    for match in REPORTED_INSIDE.finditer(text, at, end):
        opened = match[0].startswith(",")
        if _depth(text, at, match.start()) or (match["after"] == "," and not opened):
            continue
        new = "" if opened or match["after"] != "," else ","
        yield Site(match.start(), match.end(), new, match[0].strip(" ,"))


def _linked(text: str, at: int, end: int) -> Iterator[Site]:
    """Yield connectors after a semicolon or a conjunction: "; therefore, x", "and thus the x"."""
    for match in _lexicon().linked.finditer(text, at, end):
        comma = match[1].rstrip().endswith(",")
        if not comma or _depth(text, at, match.start()):
            continue
        yield Site(match.start(1), match.end(1), "", match[2])


def _within(text: str, start: int, at: int, end: int) -> Iterator[Site]:
    for match in _lexicon().inside.finditer(text, at, end):
        if _depth(text, start, match.start()):
            continue
        if match["comma"]:
            yield from _between(text, start, match)
        elif match["lone"]:
            yield from _lone(text, match, end)
        elif _is_clause(text, start, match, end):
            yield Site(match.start(), match.end(), ";", match["clause"])


def _between(text: str, start: int, match: re.Match[str]) -> Iterator[Site]:
    """Yield a connector between commas: both commas are removed, unless the first one closes a
    clause.
    """
    clause = max(start, text.rfind(";", start, match.start()) + 1)
    before = text[clause : match.start()].lstrip()
    keep = bool(_FRONTED.match(before)) or _commas(before) % 2 == 1
    keep = keep and not re.search(r"\b(?:and|or|but|that|which|who)\Z", before)
    new = "," if keep and match["close"] == "," else ""
    yield Site(match.start(), match.end(), new, match["between"])


def _lone(text: str, match: re.Match[str], end: int) -> Iterator[Site]:
    word = re.search(r"[\w'’-]+[,)]?\Z", text[max(0, match.start() - 30) : match.start()])
    before = word[0].lower() if word else ""
    after = text[match.end() : min(end, match.end() + 30)].split(None, 1)[0].lower().strip(".,;:")
    within = match["within"]
    if before in ("but", "only", "not", "see", "nor") or after in ("far", "as", "in", "not"):
        return
    if within == "in turn" and before not in ("which", "and", "that"):
        return
    if before.endswith(",") and within != "also" and not after.endswith("ing"):
        return
    yield Site(match.start(), match.end(), "", within)


def _is_clause(text: str, start: int, match: re.Match[str], end: int) -> bool:
    """Return whether there is a full clause on each side, the second up to the end of the
    sentence.
    """
    stop = text.find(";", match.end(), end)
    rest = text[match.end() : end if stop < 0 else stop].lstrip()
    before = text[max(start, text.rfind(";", start, match.start()) + 1) : match.start()]
    if _commas(rest) or not _FINITE.search(rest) or not _FINITE.search(before):
        return False
    if match["clause"] == "but":
        return bool(_SUBJECT.match(rest)) and "not only" not in before
    return not _NO_SUBJECT.match(rest) and not _FRONTED.match(before.lstrip())


def _depth(text: str, start: int, at: int) -> bool:
    """Return whether a bracket is open at ``at``."""
    return text.count("(", start, at) > text.count(")", start, at) or text.count(
        "[", start, at
    ) > text.count("]", start, at)


def _commas(part: str) -> int:
    """Return the number of commas outside brackets and not between digits."""
    bare = re.sub(r"\([^()]{0,200}\)|\[[^\[\]]{0,200}\]|\d,\d", "", part)
    return bare.count(",")
