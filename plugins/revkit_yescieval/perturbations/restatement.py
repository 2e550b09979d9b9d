"""Restate a sentence in other words, without a language model.

A restatement is the sentence without the connector at its start, with up to three wordings replaced
by synonyms, with a fronted clause moved to the end if that is safe, and with a phrase before it
("In other words, ..."). The gate in `restatement_gate` checks that the content is the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.english import capitalise_as
from revkit_yescieval.perturbations.connectors import without_connectors

_TABLE = Path(__file__).parent / "restatements.tsv"
_MOST_WORDINGS = 3
_LOWER = frozenset(
    str.split(
        "the a an this that these those it its they their there we our he she his her such some"
        " many most all both each no not one two three several few other others another any every"
        " in on at for with by from of to as after before during when while although though if"
        " since because despite under among within between unlike given compared across through"
        " over beyond without according based due following using including what which who how"
        " patients studies clinical research evidence results findings data treatment treatments"
        " trials authors people individuals participants children adults women men mutations"
        " dysfunction deficiency expression diagnosis therapy therapies factors risk genetic"
        " molecular high low higher lower new early late chronic recent previous current further"
        " additional more less only also often typically generally primarily proteins genes cells"
        " key common effective specific general long short large small monitoring loss clearly"
        " histologically clinically once even farmers teachers pupils schools cities soil water"
        " plants models methods systems researchers workers students animals sensors"
    )
)
_FRONTED = re.compile(
    r"(?P<clause>(?:although|while|because|when|if|despite|by|after|during|in|unlike|given|with)"
    r"\b[^,;:()\[\]]{3,90}),\s(?P<main>[^,;:()\[\]\"“”]{10,200})(?P<stop>[.!])\Z",
    re.I,
)
_SMALL = re.compile(r"(?<![\w-])[a-z][\w'’-]*")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|may|might|will|would|should|must|does|do|did"
    r"|\w{3,}(?:ed|es|ts|ms|ns|rs|ys))\b"
)


# A wording may fit only some sentences, by the words before or after it. "Compared with" may be a
# participle ("can be compared with theory"), which "in comparison with" cannot replace: so it needs
# a comparison before it, the start of the sentence, or a comma.
_BE = r"(?:be|been|being|is|are|was|were|am|isn't|aren't|wasn't|weren't)"
_COMPARISON = re.compile(
    r"\b(?:more|less|fewer|greater|smaller|higher|lower|larger|longer|shorter|better|worse|faster"
    r"|slower|stronger|weaker|earlier|later|reduced|reduces|increased|increases|decreased|decreases"
    r"|improved|improves|lowered|lowers|raised|raises|reduce|increase|decrease|improve|raise|enhance"
    r"|enhances|enhanced)\b",
    re.I,
)
_PARTICIPLE = re.compile(
    rf"\b(?:{_BE}(?:\s(?:\w{{1,20}}ly|often|also|most|now|only|then|best)){{0,2}}"
    r"|as|when|if|and|or|not|than|we|they|then|by)\s\Z",
    re.I,
)
_NOT_AFTER = {
    "led to": re.compile(rf"\b{_BE}(?:\s\w{{1,20}})?\s\Z", re.I),
    "consist of": re.compile(
        r"\b(?:can|could|may|might|must|shall|should|will|would|to|do|does|did|not|cannot)"
        r"(?:\s\w{1,20}ly)?\s\Z",
        re.I,
    ),
    "various": re.compile(
        r"\b(?:the|these|those|this|its|their|our|his|her|all|such|both|very)\s\Z", re.I
    ),
}
_ONLY_BEFORE = {
    "although": re.compile(
        r"\s(?:the|a|an|this|that|these|those|it|its|they|their|there|some|many|most|all|both|no|we"
        r"|our|he|she|his|her|each|one|several)\b",
        re.I,
    ),
}


@dataclass(frozen=True)
class Table:
    """The rows of `restatements.tsv`."""

    frames: tuple[str, ...]
    colons: tuple[str, ...]
    wordings: Mapping[str, str]
    pattern: re.Pattern[str]


@lru_cache(maxsize=1)
def table() -> Table:
    """Read the table once."""
    rows = [
        (line + "\t\t\t").split("\t")[:4]
        for line in _TABLE.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ][1:]
    wordings: dict[str, str] = {}
    for kind, one, way, other in rows:
        if kind == "word":
            wordings.setdefault(one, other)
            if way == "=":
                wordings.setdefault(other, one)
    forms = "|".join(re.escape(form) for form in sorted(wordings, key=lambda f: (-len(f), f)))
    return Table(
        tuple(one for kind, one, _, _ in rows if kind == "frame"),
        tuple(one for kind, one, _, _ in rows if kind == "colon"),
        wordings,
        re.compile(rf"(?<![\w-])(?:{forms})(?![\w-])", re.I),
    )


@dataclass
class Restater:
    """Restates the sentences of one text; a frame is repeated only after all others were used."""

    text: str
    rng: random.Random
    _decks: dict[bool, list[str]] = field(default_factory=dict)
    _words: frozenset[str] | None = None

    def restate(self, sentence: str) -> str:
        """Return ``sentence`` restated, on one line."""
        bare = without_connectors(" ".join(sentence.split()))
        worded = self._reword(_move_clause(bare))
        lowered = self._lower(worded)
        frame = self._frame(lowered is None)
        return frame.replace("{}", worded if lowered is None else lowered)

    def _frame(self, colon: bool) -> str:
        deck = self._decks.get(colon)
        if not deck:
            frames = table().colons if colon else table().frames
            deck = self._decks[colon] = self.rng.sample(frames, len(frames))
        return deck.pop()

    def _reword(self, sentence: str) -> str:
        hits = [hit for hit in table().pattern.finditer(sentence) if _is_replaceable(sentence, hit)]
        if len(hits) > _MOST_WORDINGS:
            hits = sorted(self.rng.sample(hits, _MOST_WORDINGS), key=re.Match.start)
        parts, last = [], 0
        for hit in hits:
            new = table().wordings[hit[0].lower()]
            parts += [sentence[last : hit.start()], capitalise_as(new, hit[0])]
            last = hit.end()
        return "".join(parts) + sentence[last:]

    def _lower(self, sentence: str) -> str | None:
        """Return the sentence with a lower-case first letter; None if that letter may belong to a
        name.
        """
        word = re.match(r"[^\s,.;:()]+", sentence)
        if word is None:
            return None
        first = word[0]
        if first[0].islower() or any(c.isdigit() or c.isupper() for c in first[1:]):
            return sentence
        lower = first[0].lower() + first[1:]
        plain = lower.split("-")[0].split("'")[0].split("’")[0]
        if self._words is None:
            self._words = frozenset(_SMALL.findall(self.text))
        known = plain in _LOWER or lower in self._words
        return lower + sentence[len(first) :] if known else None


def _move_clause(sentence: str) -> str:
    """Return the sentence with its fronted clause at the end, if it consists of that clause and a
    main clause.
    """
    match = _FRONTED.match(sentence)
    if match is None or not _FINITE.search(match["main"]):
        return sentence
    clause = match["clause"]
    main = match["main"]
    return f"{main} {clause[0].lower()}{clause[1:]}{match['stop']}"


def _is_replaceable(sentence: str, hit: re.Match[str]) -> bool:
    """Return whether a wording can be replaced: it is neither quoted nor part of a name, and
    fits.
    """
    before = sentence[: hit.start()]
    if before.count('"') % 2 or before.count("“") > before.count("”"):
        return False
    return not (hit.start() and hit[0][0].isupper()) and _fits(sentence, hit)


def _fits(sentence: str, hit: re.Match[str]) -> bool:
    """Return whether a sentence stays grammatical if another wording replaces ``hit``."""
    form = hit[0].lower()
    before = sentence[max(0, hit.start() - 80) : hit.start()]
    if form in ("compared to", "compared with"):
        if _PARTICIPLE.search(before):
            return False
        return not before or before.endswith(", ") or bool(_COMPARISON.search(before))
    if form in _NOT_AFTER and _NOT_AFTER[form].search(before):
        return False
    needed = _ONLY_BEFORE.get(form)
    return needed is None or bool(needed.match(sentence, hit.end()))
