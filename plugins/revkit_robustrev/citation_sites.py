"""Find places where a work can be cited in a paper without changing its claims.

A place is right after a noun phrase that names a subject ("machine translation"), after a general
head of it ("policy gradient methods") or after its short form in brackets ("neural networks
(NNs)"): a citation there says where the subject is treated, and nothing else. A name before a
citation marker is not a place: that marker often supports the whole clause, and an added work would
have to do so too. A name that the next words restrict ("parameter sharing that ...") is not a place
either. A sentence is not a place where it is about the paper itself ("we", "our", "proposed"),
reports a finding, holds a measured number or a formula, or names the authors of a work: a work
cited there would be credited with a claim that is not its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace

from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.structure import Citation, Sentence
from revkit_robustrev.citation_marks import is_parenthetical
from revkit_robustrev.citation_phrases import (
    FOLLOWERS,
    HEADS,
    MILD,
    Phrase,
    Token,
    is_name,
    key_of,
    phrase_around,
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
    r"\b(?:we|our|ours|us|i(?!\.)|my|here|herein|paper|thesis|section|figure|table|appendix|proposed"
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
    r"\b(?:show|shows|showed|shown|demonstrat(?:e|es|ed|ing)|prov(?:e|es|ed|en)|report(?:s|ed)"
    r"|observ(?:e|es)|(?<!partially )(?<!fully )observed(?! (?:data|variable|node|entr|state))"
    r"|argu(?:e|es|ed)|finds|(?<!\bto )find|found|suggest\w*|confirm\w*|reveal\w*|claim\w*"
    r"|conclud\w+|outperform\w*|achieve[ds]|(?<!\bto )achieve|achieving|achievable"
    r"|discover(?:s|ed|ing)|(?<!\bto )discover|pioneer\w*|state-of-the-art|propos(?:e|es|ed|ing)"
    r"|introduc(?:e|es|ed)|first|unlike|the same|et al)\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(r"\d\.\d|\d ?%|[\\<>|=^{}]")
# Before a certain one, or one that the text has named: "the decision tree", "this type of tree".
_ONE = re.compile(
    r"\b(?:the|this|that|such|these|those|one|each|its|another|new|novel)[ \n]"
    r"(?:(?:type|kind|form|sort|class|theme|idea|notion)s?[ \n]of[ \n])?\Z",
    re.IGNORECASE,
)
_CLOSE = re.compile(r"[,.;]")
# What makes a name a part of a longer one: "non-linear", "3D CNNs", "f(x) nets", "'soft' trees".
_PART_BEFORE = re.compile(r"-\Z|[)\]\"”’'].?\Z|\d[A-Za-z]{0,3}[ \n]\Z")
_INSIDE_WORD = re.compile(r"[A-Za-z0-9_'’*-]")
_BRACKET = re.compile(r"\s*[(\[]")
_SHORT_FORM = re.compile(r"[ \n]\(([A-Z][A-Za-z0-9-]{1,9})\)")


@dataclass(frozen=True, slots=True)
class CitationSite:
    """One place: ``position`` in the text.

    ``phrase`` names the subject, ``sentence`` is the sentence without its citation markers.
    ``followed_by`` is the next word in small letters, or the mark of punctuation.
    ``early`` says that the text has not named the subject before, but for its abstract.
    ``background`` says that its section is about what is known, not about the paper's own work.
    """

    position: int
    phrase: Phrase
    sentence: str
    followed_by: str = ""
    early: bool = False
    background: bool = True


@dataclass(frozen=True, slots=True)
class Names:
    """The phrases that name subjects.

    A phrase of one word counts where it is written as a name ("BERT", not "made"), or where it is
    one of ``single``. One of ``unique`` is the name of one thing, so that "the" may precede it.
    ``last_words`` has the last word of each of the ``known`` phrases; None: any word can be one.
    """

    known: Container[Phrase]
    single: Container[Phrase] = frozenset()
    unique: Container[Phrase] = frozenset()
    last_words: Container[str] | None = None

    def may_end_with(self, token: Token) -> bool:
        """Whether a name, or a general head after one, can end with a word."""
        if self.last_words is None or token.word in self.last_words:
            return True
        return token.written.lower() in HEADS


def find_sites(paper: Paper, names: Names) -> Iterator[CitationSite]:
    """Yield the places of a paper after one of the known names, in the order of the text."""
    marks_of = citations_by_sentence(paper)
    is_early = _is_early(paper)
    for index, sentence in enumerate(paper.sentences):
        block = paper.blocks[sentence.block]
        background = block.role in _BACKGROUND
        if block.kind != "paragraph" or not (background or block.role in _OWN_WORK):
            continue
        marks = marks_of.get(index, ())
        bare = without_marks(paper.text, sentence, marks)
        if _is_background(bare) and (background or not _OWN_PARTS.search(bare)):
            for site, name in _sites_of(paper, sentence, marks, bare, names):
                early = is_early(name[0].start, name[-1].end)
                yield replace(site, background=background, early=early)


def _is_background(bare: str) -> bool:
    return (
        _SHORTEST <= len(bare) <= _LONGEST
        and bare[0].isupper()
        and "?" not in bare
        and not _OWN.search(bare)
        and not _FINDING.search(bare)
        and not _MEASURED.search(bare)
    )


def _is_early(paper: Paper) -> Callable[[int, int], bool]:
    """Return a function that says whether a name has no earlier mention after the abstract."""
    text = paper.text.lower()
    if len(text) != len(paper.text):  # places of the two texts differ
        return lambda start, end: False
    roles = (*_BACKGROUND, *_OWN_WORK)
    first = next((b.start for b in paper.blocks if b.is_prose and b.role in roles), 0)

    def is_early(start: int, end: int) -> bool:
        name = re.escape(text[start:end].removesuffix("s"))
        return re.compile(rf"(?<!\w){name}").search(text, first, start) is None

    return is_early


def _sites_of(
    paper: Paper, sentence: Sentence, marks: Sequence[Citation], bare: str, names: Names
) -> Iterator[tuple[CitationSite, Sequence[Token]]]:
    """The places in a sentence, each with the name before it."""
    text = paper.text
    found = tokens(text, sentence.start, sentence.end)
    for place, token in enumerate(found):
        if not names.may_end_with(token):
            continue
        if any(mark.start <= token.start < mark.end for mark in marks):
            continue
        short = _SHORT_FORM.match(text, token.end, sentence.end)
        end = short.end() if short else token.end
        following = next((word for word in found[place + 1 :] if word.start >= end), None)
        if any(0 <= mark.start - end <= 2 for mark in marks):
            continue
        if not _ends_phrase(text, end, following, sentence.end):
            continue
        name = _name_before(text, sentence, found[max(place - 4, 0) : place + 1], names)
        if name and (not short or _shortens(short[1], name)):
            after = text[end : end + 1]
            word = following.written.lower() if following and after.isspace() else after
            yield CitationSite(end, key_of(name), bare, word), name


def _ends_phrase(text: str, place: int, following: Token | None, end: int) -> bool:
    """Whether a name ends at a place: at a mark of punctuation or before a word of grammar."""
    after = text[place : place + 1]
    if _INSIDE_WORD.match(after) or _BRACKET.match(text, place, end):
        return False
    if _CLOSE.match(after):
        return True
    return (
        following is not None
        and text[place : following.start].isspace()
        and following.written.lower() in FOLLOWERS
    )


def _shortens(short: str, name: Sequence[Token]) -> bool:
    """Whether a short form has the first letter of a name: "GANs", "SGD"."""
    return short[0].casefold() == name[0].word[0] and sum(map(str.isupper, short)) > 1


def _name_before(
    text: str, sentence: Sentence, found: Sequence[Token], names: Names
) -> list[Token]:
    """The longest known phrase at the end of ``found``; [] where it is a part of a longer name.

    A last word such as "methods" may follow the phrase.
    """
    name = _whole_name(text, phrase_around(text, sentence.start, found, names.single), names)
    if name or len(found) == 1 or found[-1].written.lower() not in HEADS:
        return name
    *before, head = found
    if text[before[-1].end : head.start] != " ":
        return []
    return _whole_name(text, phrase_around(text, sentence.start, before, names.single), names)


def _whole_name(text: str, run: list[Token], names: Names) -> list[Token]:
    for begin in range(len(run)):
        if not all(word.written.lower() in MILD for word in run[:begin]):
            return []
        part = run[begin:]
        if _PART_BEFORE.search(text, max(part[0].start - 6, 0), part[0].start):
            continue
        phrase = key_of(part)
        if phrase not in names.known:
            continue
        one = _ONE.search(text, max(part[0].start - 20, 0), part[0].start)
        if one and not (phrase in names.unique and one[0].strip().lower() == "the"):
            return []
        if len(part) > 1 or is_name(part[0].written) or phrase in names.single:
            return part
        return []
    return []


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
