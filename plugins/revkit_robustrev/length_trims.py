"""Words that a sentence does not need: fillers, openers and wordy phrases."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from revkit.english import repair_article, table_rows
from revkit.model import Edit, Paper
from revkit_robustrev.elaboration import is_elaboration
from revkit_robustrev.prose import Prose
from revkit_robustrev.sentence_shape import is_formal, is_whole
from revkit_robustrev.substitutions import bounded, trie_pattern

_TABLE = Path(__file__).parent / "trims.tsv"
_NOTE = "words dropped"
# What a bracket adds, but no other name of a thing, no part of a figure, no condition.
_BRACKET = re.compile(
    r" \((?!i\.e|\w+, \w+\)|or |aka|a\.k\.a|also |with|vice|top|bottom|left|right|upper|lower|see"
    r"|if |when |but |not |except|unless|only)[a-z][^()\d$\\\[\]A-Z:]{5,140}(?<!for short)\)"
)
_BRACKET_EXAMPLES = re.compile(
    r" \((?:e\.g\.,?|for example,?|for instance,?|such as|like|say,) [^()\d$\\\[\]:]{3,140}\)"
)
# Clauses that add to a sentence which is complete without them.
_WHICH_END = re.compile(r", which [^,;:()]{8,160}(?<!etc)(?=\.(?:\s|\Z))")
_RESULTING = re.compile(
    r", (?:thus |thereby |hence )?(?:making|allowing|enabling|leading|providing|resulting|yielding"
    r"|ensuring|requiring|causing|giving|leaving|helping|facilitating|forcing|offering|serving"
    r"|including|keeping|avoiding|preventing|encouraging|depending|rendering|creating|acting"
    r"|capturing|preserving|introducing|adding) [^;:()]{8,160}(?<!etc)(?=\.(?:\s|\Z))"
)
_SUCH_AS = re.compile(r",? such as [^.;:()]{8,160}(?<!etc)(?=\.(?:\s|\Z))")
_FOR_EXAMPLE = re.compile(
    r", (?:e\.g\.,?|for example|for instance) [^.,;:()]{8,160}(?<!etc)(?=\.(?:\s|\Z))"
)
_LISTS = (_BRACKET_EXAMPLES,)
_CLAUSES = (_BRACKET, *_LISTS, _WHICH_END, _RESULTING, _SUCH_AS, _FOR_EXAMPLE)
_KEPT = re.compile(r"[$\\\[\]{}\d]|[A-Z]{2,}|\b(?:not|no|only|never|cannot|we|our|this|these)\b")
# "performs as well as" compares; "very large scale integration" is a term.
_COMPARED = re.compile(
    r"\b(?:perform\w*|work\w*|do|does|did|done|just|almost|nearly|projected|generali[sz]\w*"
    r"|fit\w*) as well as\Z"
)
_TERM = re.compile(r"very[ -](?:large[ -]scale|deep\b)")
_DENIED = re.compile(r"[$\\\[\]{}\d]|\b(?:not|no|only|never|cannot|we|our)\b")
# Elsewhere a bracket says how something was done.
_PROSE_ROLES = ("introduction", "related-work", "discussion", "conclusion")
# What can precede the comma of a sentence whose subject follows it.
_OPENER = re.compile(r"\w+(?: \w+)?|(?:As|In|On|For|At|By|With|To) (?:\w+ ){0,4}\w+")
_ROLES = (
    "introduction", "related-work", "method", "experiments", "results", "discussion", "conclusion",
    "other", "appendix", "limitations",
)  # fmt: skip


class Trim(NamedTuple):
    """One edit within a sentence, and how many words it takes."""

    edit: Edit
    words: int


@lru_cache(maxsize=1)
def _forms() -> tuple[dict[str, str], dict[str, str], re.Pattern[str], re.Pattern[str]]:
    openers = {r["form"]: r["new"] for r in table_rows(_TABLE) if r["place"] == "opening"}
    inner = {r["form"]: r["new"] for r in table_rows(_TABLE) if r["place"] == "inside"}
    opening = re.compile(rf"(?:{trie_pattern(openers)})(?=[ \n])")
    return openers, inner, opening, re.compile(bounded(trie_pattern(inner)))


def trims_of(paper: Paper) -> dict[int, list[Trim]]:
    """The trims of each sentence that has any; they do not overlap."""
    prose = Prose(paper)
    found: dict[int, list[Trim]] = {}
    for index, sentence in enumerate(paper.sentences):
        block = paper.blocks[sentence.block]
        span = paper.text[sentence.start : sentence.end]
        if block.role not in _ROLES or not is_whole(span) or is_formal(paper, sentence.block):
            continue
        if not prose.editable(sentence):
            continue
        trims: list[Trim] = []
        for edit in sorted(
            _edits(paper.text, sentence.start, sentence.end, block.role), key=_longest_first
        ):
            words = len(paper.text[edit.start : edit.end].split()) - len(edit.new.split())
            apart = all(edit.start >= t.edit.end or edit.end <= t.edit.start for t in trims)
            if words > 0 and apart and not prose.blocked(sentence, edit.start, edit.end):
                trims.append(Trim(edit, words))
        if trims:
            found[index] = trims
    return found


def _longest_first(edit: Edit) -> tuple[int, int]:
    return edit.start - edit.end, edit.start


def _edits(text: str, low: int, high: int, role: str) -> list[Edit]:
    openers, inner, opening, pattern = _forms()
    edits: list[Edit] = []
    first = opening.match(text, low, high)
    if first:
        rest = re.compile(r"[ \n]([A-Za-z])([a-z]+)").match(text, first.end(), high)
        new = openers[first[0].replace("\n", " ")]
        if rest:
            edits.append(Edit(low, rest.end(1), new + rest[1].upper(), _NOTE))
    for match in pattern.finditer(text, low + 1, high):
        new = inner[match[0].lower().replace("\n", " ")]
        if _COMPARED.search(text, low, match.end()) or _TERM.match(text, match.start(), high):
            continue
        start, end = match.span()
        if new:
            place = repair_article(text, low, start, match[0], new)
            if place is not None:
                edits.append(Edit(place[0], end, place[1], _NOTE))
        elif text[start - 1] == " " and text[end : end + 1] == " ":
            following = re.compile(r"[A-Za-z-]+").match(text, end + 1, high)
            place = repair_article(text, low, start, match[0], following[0]) if following else None
            if following and place is not None and place[0] == start:
                edits.append(Edit(start, end + 1, "", _NOTE))
    return edits + [
        edit for pattern in _CLAUSES for edit in _clauses(pattern, text, low, high, role)
    ]


def _clauses(pattern: re.Pattern[str], text: str, low: int, high: int, role: str) -> list[Edit]:
    """The clauses of one kind that hold no claim, finding, number, name or denial."""
    found: list[Edit] = []
    if pattern is _BRACKET and (text.count("(", low, high) > 1 or role not in _PROSE_ROLES):
        return found  # one of several brackets: "coordinates (landmarks) or maps (segmentation)"
    for match in pattern.finditer(text, low, high):
        if pattern is _RESULTING and _OPENER.fullmatch(text, low, match.start()):
            continue  # "Furthermore, adding noise helps": the sentence itself
        words = match[0].strip(" ,()")
        kept = _DENIED if pattern in _LISTS else _KEPT
        if not kept.search(words) and is_elaboration(f"It is {words}."):
            found.append(Edit(*match.span(), "", _NOTE))
    return found
