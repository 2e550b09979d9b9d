"""Find places where a work can be cited in a paper without changing its claims.

A place is right after a noun phrase that names a subject ("machine translation"): a citation there
says where the subject is treated, and nothing else. A name before a citation marker is not a place:
that marker often supports the whole clause, and an added work would have to do so too. A name that
the next words restrict ("parameter sharing that ...") is not a place either. A sentence is not a
place where it is about the paper itself ("we", "our", "proposed"), reports a finding, holds a
measured number or a formula, or names the authors of a work: a work cited there would be credited
with a claim that is not its own.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

from revkit.model.paper import Paper
from revkit.model.structure import Citation, Sentence
from revkit_robustrev.citation_marks import is_parenthetical
from revkit_robustrev.citation_phrases import (
    FOLLOWERS,
    MILD,
    Phrase,
    Token,
    is_name,
    key_of,
    phrase_before,
    tokens,
)

_BACKGROUND = (
    "introduction", "related-work", "discussion", "other", "conclusion", "limitations"
)  # fmt: skip
# Sections whose sentences are mostly about the paper; used where the others give too few places.
_OWN_WORK = ("method", "experiments", "results", "appendix")
_SHORTEST, _LONGEST = 40, 700
# The paper, its parts, its own experiments.
_OWN = re.compile(
    r"\b(?:we|our|ours|us|i|my|here|herein|paper|thesis|section|figure|table|appendix|proposed"
    r"|experiments?|ablations?|denote[ds]?|suppose|assume|authors?|supplement\w*|this (?:work|study"
    r"|paper))\b",
    re.IGNORECASE,
)
# Where a section is about the paper, so are its model and its task.
_OWN_PARTS = re.compile(
    r"\b(?:it|its|this|these|the (?:model|method|task|approach|network|encoder|decoder|agent"
    r"|dataset|size|number)s?|equation|eq|fig|algorithm|theorem|lemma|baselines?|respectively|let)\b"
    r"|\d",
    re.IGNORECASE,
)
# What a work found, or was the first to do: a citation would be the source of it.
_FINDING = re.compile(
    r"\b(?:show|shows|showed|shown|demonstrat\w+|prov(?:e|es|ed|en)|report(?:s|ed)"
    r"|observ(?:e|ed|es)|argu(?:e|es|ed)|finds?|found|suggest\w*|confirm\w*|reveal\w*|claim\w*"
    r"|conclud\w+|outperform\w*|achiev\w+|discover\w*|pioneer\w*|state-of-the-art|propos\w+"
    r"|introduc(?:e|es|ed)|first|unlike|the same|et al)\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(r"\d\.\d|\d ?%|[\\<>|=^{}]")
# Before a certain one, or one that the text has named: "the decision tree", "this type of tree".
_ONE = re.compile(
    r"\b(?:the|this|that|such|these|those|one|each|its|another)[ \n]"
    r"(?:(?:type|kind|form|sort|class|theme|idea|notion)s?[ \n]of[ \n])?\Z",
    re.IGNORECASE,
)
_CLOSE = re.compile(r"[,.;]")
# What makes a name a part of a longer one: "non-linear", "3D CNNs", "f(x) nets", "'soft' trees".
_PART_BEFORE = re.compile(r"-\Z|[)\]\"”’'].?\Z|\d[A-Za-z]{0,3}[ \n]\Z")
_INSIDE_WORD = re.compile(r"[A-Za-z0-9_'’*-]")
_BRACKET = re.compile(r"\s*[(\[]")


@dataclass(frozen=True, slots=True)
class CitationSite:
    """One place: ``position`` in the text.

    ``phrase`` names the subject, ``sentence`` is the sentence without its citation markers.
    ``background`` says that its section is about what is known, not about the paper's own work.
    """

    position: int
    phrase: Phrase
    sentence: str
    background: bool = True


def find_sites(
    paper: Paper,
    known: Container[Phrase],
    single: Container[Phrase] = frozenset(),
) -> Iterator[CitationSite]:
    """Yield the places of a paper after one of the ``known`` phrases, in the order of the text.

    A phrase of one word counts where it is written as a name ("BERT", not "made"), or where it is
    one of ``single``.
    """
    marks_of = citations_by_sentence(paper)
    for index, sentence in enumerate(paper.sentences):
        block = paper.blocks[sentence.block]
        background = block.role in _BACKGROUND
        if block.kind != "paragraph" or not (background or block.role in _OWN_WORK):
            continue
        marks = marks_of.get(index, ())
        bare = without_marks(paper.text, sentence, marks)
        if _is_background(bare) and (background or not _OWN_PARTS.search(bare)):
            for site in _sites_of(paper, sentence, marks, bare, known, single):
                yield replace(site, background=background)


def _is_background(bare: str) -> bool:
    return (
        _SHORTEST <= len(bare) <= _LONGEST
        and bare[0].isupper()
        and "?" not in bare
        and not _OWN.search(bare)
        and not _FINDING.search(bare)
        and not _MEASURED.search(bare)
    )


def _sites_of(
    paper: Paper,
    sentence: Sentence,
    marks: Sequence[Citation],
    bare: str,
    known: Container[Phrase],
    single: Container[Phrase],
) -> Iterator[CitationSite]:
    text = paper.text
    found = tokens(text, sentence.start, sentence.end)
    for place, token in enumerate(found):
        if any(mark.start <= token.start < mark.end for mark in marks):
            continue
        following = found[place + 1] if place + 1 < len(found) else None
        if any(0 <= mark.start - token.end <= 2 for mark in marks):
            continue
        if not _ends_phrase(text, token, following, sentence.end):
            continue
        phrase = _phrase(text, sentence, token, known, single)
        if phrase:
            yield CitationSite(token.end, phrase, bare)


def _ends_phrase(text: str, token: Token, following: Token | None, end: int) -> bool:
    """Whether a name ends after a word: at a mark of punctuation or before a word of grammar."""
    after = text[token.end : token.end + 1]
    if _INSIDE_WORD.match(after) or _BRACKET.match(text, token.end, end):
        return False
    if _CLOSE.match(after):
        return True
    return (
        following is not None
        and text[token.end : following.start].isspace()
        and following.written.lower() in FOLLOWERS
    )


def _phrase(
    text: str,
    sentence: Sentence,
    token: Token,
    known: Container[Phrase],
    single: Container[Phrase],
) -> Phrase:
    """The longest known phrase that ends with a word; () where it is a part of a longer name."""
    run = phrase_before(text, sentence.start, token.end)
    for begin in range(len(run)):
        if not all(word.written.lower() in MILD for word in run[:begin]):
            return ()
        part = run[begin:]
        if _PART_BEFORE.search(text, max(part[0].start - 6, 0), part[0].start):
            continue
        phrase = key_of(part)
        if phrase not in known:
            continue
        if _ONE.search(text, max(part[0].start - 20, 0), part[0].start):
            return ()
        if len(part) > 1:
            return phrase
        return phrase if is_name(part[0].written) or phrase in single else ()
    return ()


def citations_by_sentence(paper: Paper) -> dict[int, list[Citation]]:
    """The citation markers within each sentence, by its index."""
    found: dict[int, list[Citation]] = {}
    sentences = paper.sentences
    index = 0
    for citation in paper.citations:
        while index < len(sentences) and sentences[index].end <= citation.start:
            index += 1
        if index < len(sentences) and sentences[index].start <= citation.start:
            found.setdefault(index, []).append(citation)
    return found


def without_marks(text: str, sentence: Sentence, marks: Sequence[Citation]) -> str:
    """A sentence on one line without its citation markers."""
    parts: list[str] = []
    position = sentence.start
    for mark in marks:
        parts.append(text[position : mark.start])
        position = max(position, mark.end)
    parts.append(text[position : sentence.end])
    return re.sub(r" ([,.;])", r"\1", " ".join("".join(parts).split()))


def is_narrative(text: str, mark: Citation) -> bool:
    """Whether the sentence reads the mark aloud: "Lee et al. (2021) show", "\\citet{lee} show"."""
    if mark.style == "latex":
        command = re.match(r"\\[A-Za-z]+", text[mark.start : mark.end])
        return command is not None and not is_parenthetical(command.group())
    return mark.style == "author-year" and text[mark.start] not in "(["
