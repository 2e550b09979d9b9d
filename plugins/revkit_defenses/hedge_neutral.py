"""The defense `hedge-neutral`: the same statements, none of them softened."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import ClassVar

from revkit.contracts import Context, Defense
from revkit.dataclass import dataclass
from revkit.english import capitalise_as, compile_words, hedges, repair_article
from revkit.model import Edit, Paper
from revkit.model.structure import Sentence

_VERBS = {
    "suggest": "show",
    "suggests": "shows",
    "suggested": "showed",
    "suggesting": "showing",
    "indicate": "show",
    "indicates": "shows",
    "indicated": "showed",
    "indicating": "showing",
}
# "Has been suggested", "was indicated": the participle of what they become.
_PARTICIPLES = frozenset(("suggested", "indicated"))
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|being|has|have|had|as)[ \n]\Z", re.IGNORECASE)
_BEING = {"s": "is", "": "are", "ed": "was"}
_RAISING = re.compile(r"(?P<verb>appear|seem|tend)(?P<end>s|ed|) to (?P<what>[a-z]{2,20})", re.I)
_LIKELY = re.compile(r"(?:is|are) (?:(?:very|highly) )?likely to", re.IGNORECASE)
_STAYS = frozenset(("possible", "probable", "plausible", "uncertain"))
_BEFORE_NOUNS = frozenset(("likely", "possible", "probable", "plausible"))


@dataclass(frozen=True)
class HedgeNeutral(Defense):
    """Take the hedges out of the prose, so that neither caution nor its absence can move a score.

    It is a view for the agent alone, made by rules from the list of hedges in `revkit.english`:
    adverbs and phrases ("possibly", "we believe that") are left out, "may", "might" and "could"
    become "can", "appears to be" becomes "is", "suggests that" becomes "shows that". What the
    author really doubts is lost as well, which is the price; the clean columns of the metric
    `defenses` show it. Adjectives ("possible", "uncertain") stay, except before the nouns of the
    list ("a possible explanation" becomes "an explanation"). Citations, mathematics and
    quotations of code are not touched.
    """

    name: ClassVar[str] = "hedge-neutral"
    version: ClassVar[str] = "5"
    data: ClassVar[tuple[str, ...]] = ("revkit.english:hedges.tsv",)

    def screen(self, paper: Paper, ctx: Context) -> Sequence[Edit]:
        """Return one edit for each hedge in the prose."""
        return [edit for sentence in paper.sentences for edit in _edits(paper, sentence)]


@cache
def _pattern() -> re.Pattern[str]:
    forms = frozenset(hedges("text")) - _STAYS
    return compile_words(forms, ignore_case=True)


def _edits(paper: Paper, sentence: Sentence) -> Iterator[Edit]:
    text = paper.text
    protected = paper.protected(sentence.start, sentence.end)
    last = sentence.start
    for match in _pattern().finditer(text, sentence.start, sentence.end):
        if any(span.start < match.end() and match.start() < span.end for span in protected):
            continue
        edit = _edit(text, match, sentence)
        if edit is not None and edit.start >= last and edit.end <= sentence.end:
            yield edit
            last = edit.end


def _edit(text: str, match: re.Match[str], sentence: Sentence) -> Edit | None:
    raising = _RAISING.match(text, match.start(), sentence.end)
    if raising is not None:
        return _note(text, raising.span(), _finite(raising))
    form = " ".join(match[0].lower().split())
    first = form.partition(" ")[0]
    if first in _PARTICIPLES and _PASSIVE.search(text, sentence.start, match.start()):
        return _note(text, (match.start(), match.start() + len(first)), "shown")
    if first in _VERBS:
        return _note(text, (match.start(), match.start() + len(first)), _VERBS[first])
    if form in ("may", "might", "could"):
        return _note(text, match.span(), "can")
    if form in ("seems", "seem"):
        return _note(text, match.span(), _BEING["s" if form == "seems" else ""])
    if _LIKELY.fullmatch(form):
        return _note(text, match.span(), "will")
    if form != first and first in _BEFORE_NOUNS:
        return _without_first_word(text, match, first, sentence)
    return _left_out(text, match.start(), match.end(), sentence)


def _without_first_word(
    text: str, match: re.Match[str], first: str, sentence: Sentence
) -> Edit | None:
    """Take "possible" out of "a possible explanation", and make "a" before it "an"."""
    rest = match[0][len(first) :].lstrip()
    found = repair_article(text, sentence.start, match.start(), first, rest)
    if found is None:
        return None
    start, new = found
    return Edit(start, match.end(), capitalise_as(new, match[0]), "hedge", "hedge")


def _finite(raising: re.Match[str]) -> str:
    """The verb that "appears to ..." softens, with the ending of the softening verb."""
    verb, end = raising["what"], raising["end"].lower()
    if verb.lower() == "be":
        return _BEING[end]
    if end == "ed":
        return f"did {verb}"
    return verb if not end else _third_person(verb)


def _third_person(verb: str) -> str:
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh")) else f"{verb}s"


def _note(text: str, span: tuple[int, int], new: str) -> Edit:
    start, end = span
    return Edit(start, end, capitalise_as(new, text[start:end]), "hedge", "hedge")


def _left_out(text: str, start: int, end: int, sentence: Sentence) -> Edit:
    """Take out ``text[start:end]`` with the comma and the blank after it; a new first word of the
    sentence gets its capital."""
    after = end
    if text[after : after + 1] == ",":
        after += 1
    while after < sentence.end and text[after] in " \n\t":
        after += 1
    if start > sentence.start:
        return Edit(start, after, "", "hedge", "hedge")
    capital = text[after : after + 1].upper()
    return Edit(start, min(after + 1, sentence.end), capital, "hedge", "hedge")
