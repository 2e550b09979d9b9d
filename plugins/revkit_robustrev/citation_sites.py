"""Where a citation can be added to a paper without changing what the paper claims.

A place is the inside of a citation group ("[3, 7]" -> "[3, 7, 24]"), or, in introduction and
related work alone, the end of a sentence that reports what is widely known or done. A sentence
is not background where it speaks of the paper itself ("we", "our", "here"), denies or singles out,
holds a number, a formula or a reference to a figure, ascribes something to named authors, or points
back ("this method"): a work cited there would be credited with a claim that is not its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from revkit.model.paper import Paper
from revkit.model.structure import Block, Citation, Sentence
from revkit_robustrev.citation_marks import MarkFormat, is_parenthetical
from revkit_robustrev.citation_pool import Term, terms_of
from revkit_robustrev.sentence_shape import leans

_WORDS = re.compile(r"[a-z][a-z'’-]*")
_OWN = frozenset(
    """
    we our ours us i my here herein ourselves paper thesis supplement supplementary appendix
    section figure table fig eq equation algorithm theorem lemma proposition corollary definition
    experiment experiments ablation ablations baseline baselines above below follows following
    former latter respectively proposed introduced presented developed author authors they their
    them his her he she it its suppose assume let denote denoted denotes consider note notice
    recall so this these those such thus therefore hence however instead also example instance
    called named dubbed termed first second third best state-of-the-art outperform outperforms
    novel contrast same other another one not no nor none never few lack lacks little unclear
    unknown missing absent unfortunately only previously mentioned earlier later next future trick
    dataset datasets corpus vocabulary mainly main concept stated discussed shown believe
    construction current result results table learned final step steps
    """.split()  # noqa: SIM905
)
_EXPECTED = ("introduction", "related-work")
_ELSEWHERE = ("discussion", "other", "method", "experiments", "conclusion", "appendix", "results")
_PLAIN = frozenset((*_EXPECTED, "discussion", "other"))
# A sentence after one of these may go on about the paper.
_SPEAKERS = frozenset(("we", "our", "us", "i", "my", "here", "paper", "work", "proposed"))
# Words by which a sentence is about what is widely known or done.
_WIDELY = re.compile(
    r"\b(?:widely|commonly|often|usually|typically|generally|popular(?:ly)?|many|several|various"
    r"|numerous|much|considerable|recently|lately|increasingly|traditional(?:ly)?|classical"
    r"|standard|conventional|successful(?:ly)?|success|ubiquitous|in recent years|decades?|progress"
    r"|have (?:been|become|shown|led|achieved)|has (?:been|become|shown|led|achieved)|applications"
    r"|active|fundamental|central|important|well[- ]known|established)\b",
    re.IGNORECASE,
)
_OWN_IN_GROUP = frozenset(
    """
    we our ours us my paper thesis following follow taken respectively trick called named dubbed
    dataset datasets here adopt unlike contrast
    """.split()  # noqa: SIM905
)
# "The model is ...", "Finally, ...": outside introduction and related work these are the paper's
# own.
_DEFINITE = re.compile(
    r"(?:The|A|An|Finally|During|Given|As|Once|If|When|For|To|In|At|By|Conversely|Because|Simply"
    r"|Only|Each|Every|All|After|Before|While|Since|With|On|From|More|There)\b"
)
_SYSTEM_NAME = re.compile(r"\b(?:[A-Z]{5,}|\w*[a-z][A-Z]\w*)\b")
# A mark after a name ("BERT [3]") is of that one work, and no other can be added to it.
_COMMON_END = re.compile(r"\b[a-z]{3,}\s*\Z")
_DIGIT = re.compile(r"\d")
_NAMED_AUTHORS = re.compile(r"\bet\.? al\b")
_SIGNS = frozenset('$\\`<>|=:;*_[]()"“”?!' + "0123456789")


@dataclass(frozen=True)
class CitationSite:
    """One place: ``position`` in the text; ``joins`` says that it lies within an existing group.

    ``terms`` are what the sentence is about, or the part of it that a group supports.
    """

    position: int
    joins: bool
    terms: frozenset[Term]


def find_sites(paper: Paper, form: MarkFormat) -> Iterator[list[CitationSite]]:
    """Yield the places of a paper by kind, the best kinds first; one place for each sentence.

    Groups of several works in introduction and related work; there, sentences that report what is
    widely known or done, and single works that a whole background sentence rests on; groups of
    three and more in other sections.
    """
    by_sentence = _citations_by_sentence(paper)
    expected = [
        (index, sentence)
        for index, sentence in enumerate(paper.sentences)
        if paper.blocks[sentence.block].role in _EXPECTED
        and paper.blocks[sentence.block].kind == "paragraph"
    ]
    yield [
        site
        for index, sentence in expected
        for site in _joining(paper, form, sentence, by_sentence.get(index, ()), 2)
    ]
    yield [
        site
        for index, sentence in expected
        if index not in by_sentence and (site := _ending(paper, index, sentence))
    ]
    yield [
        site
        for index, sentence in expected
        for site in _joining(paper, form, sentence, by_sentence.get(index, ()), 1)
    ]
    yield [
        site
        for index, marks in sorted(by_sentence.items())
        if (sentence := paper.sentences[index])
        and paper.blocks[sentence.block].role in _ELSEWHERE
        and paper.blocks[sentence.block].kind == "paragraph"
        for site in _joining(paper, form, sentence, marks, 3)
    ]


def background_ends(paper: Paper) -> list[CitationSite]:
    """Ends of plain background sentences of introduction, related work and discussion.

    They say nothing of the paper and lean on no other sentence, but neither do they say that what
    they tell is widely known: places for a paper that has too few others.
    """
    cited = _citations_by_sentence(paper)
    found = []
    for index, sentence in enumerate(paper.sentences):
        block = paper.blocks[sentence.block]
        if index in cited or block.kind != "paragraph" or block.role not in _PLAIN:
            continue
        words = paper.text[sentence.start : sentence.end]
        if (
            len(words) >= 60
            and not _DEFINITE.match(words)
            and _is_background(paper, sentence, words, _OWN)
            and not leans(words)
        ):
            found.append(CitationSite(sentence.end - 1, False, frozenset(terms_of([words]))))
    return found


def _joining(
    paper: Paper, form: MarkFormat, sentence: Sentence, marks: Sequence[Citation], least: int
) -> list[CitationSite]:
    """The places in the groups of a sentence with ``least`` works or more (1: just one).

    A mark is about the text before it, back to the previous mark.
    """
    if not marks or not 60 <= sentence.end - sentence.start <= 1200:
        return []
    words = paper.text[sentence.start : sentence.end]
    prose = _without(words, sentence, marks)
    if not _OWN_IN_GROUP.isdisjoint(_WORDS.findall(prose.lower())):
        return []
    if least == 1 and len(marks) == 1 and not _backs_sentence(words, prose, sentence, marks):
        return []
    found: list[CitationSite] = []
    start = sentence.start
    for mark in marks:
        about, start = paper.text[start : mark.start], mark.end
        number = len(mark.keys)
        if number < least or (least == 1 and number > 1) or is_narrative(paper.text, mark):
            continue
        if _DIGIT.search(about) or _NAMED_AUTHORS.search(about):
            continue
        if number == 1 and not _COMMON_END.search(about):
            continue
        if _takes(paper.text, mark, form):
            position = mark.end - len(form.closing)
            found.append(CitationSite(position, True, frozenset(terms_of([about]))))
    return found


def _ending(paper: Paper, index: int, sentence: Sentence) -> CitationSite | None:
    """The end of a sentence without marks that reports what is widely known or done."""
    if not 60 <= sentence.end - sentence.start <= 500:
        return None
    words = paper.text[sentence.start : sentence.end]
    if (
        not _WIDELY.search(words)
        or _DEFINITE.match(words)
        or not _is_background(paper, sentence, words, _OWN)
        or leans(words)
    ):
        return None
    if index and paper.sentences[index - 1].block == sentence.block:
        before = paper.sentences[index - 1]
        said = _WORDS.findall(paper.text[before.start : before.end].lower())
        if not _SPEAKERS.isdisjoint(said):
            return None
    return CitationSite(sentence.end - 1, False, frozenset(terms_of([words])))


def _citations_by_sentence(paper: Paper) -> dict[int, list[Citation]]:
    found: dict[int, list[Citation]] = {}
    sentences = paper.sentences
    index = 0
    for citation in paper.citations:
        while index < len(sentences) and sentences[index].end <= citation.start:
            index += 1
        if index < len(sentences) and sentences[index].start <= citation.start:
            found.setdefault(index, []).append(citation)
    return found


def _is_background(paper: Paper, sentence: Sentence, words: str, own: frozenset[str]) -> bool:
    return (
        len(words) <= 500
        and words[0].isupper()
        and words.count(".") == 1
        and words[-4:-1].isalpha()
        and words[-1] == "."
        and _SIGNS.isdisjoint(words)
        and own.isdisjoint(_WORDS.findall(words.lower()))
        and not _SYSTEM_NAME.search(words)
        and _closes(paper, sentence)
    )


def _backs_sentence(words: str, prose: str, sentence: Sentence, marks: Sequence[Citation]) -> bool:
    """Whether the one mark of a background sentence is at its end, and so is for all of it."""
    after = words[marks[-1].end - sentence.start :]
    return len(marks) == 1 and after in (".", "") and _OWN.isdisjoint(_WORDS.findall(prose.lower()))


def _closes(paper: Paper, sentence: Sentence) -> bool:
    """Whether what follows the sentence is a blank or the end of its block."""
    block: Block = paper.blocks[sentence.block]
    return sentence.end >= block.end or paper.text[sentence.end].isspace()


def _without(words: str, sentence: Sentence, marks: Sequence[Citation]) -> str:
    parts: list[str] = []
    position = 0
    for mark in marks:
        parts.append(words[position : mark.start - sentence.start])
        position = mark.end - sentence.start
    return "".join([*parts, words[position:]])


def _takes(text: str, mark: Citation, form: MarkFormat) -> bool:
    """Whether a mark has the form that the paper's marks have, so that a work can join it."""
    inner = text[mark.start : mark.end]
    if mark.style != form.style or not inner.endswith(form.closing):
        return False
    if form.command.startswith("\\") and not inner.startswith(form.command + "{"):
        return False
    if not inner.startswith("\\") and not inner.startswith(form.opening):
        return False
    if form.style == "author-year" and not re.search(r"(?:19|20)\d\d[a-z]?[)\]]\Z", inner):
        return False
    return "](" not in inner and (len(mark.keys) == 1 or form.separator.strip() in inner)


def is_narrative(text: str, mark: Citation) -> bool:
    """Whether the sentence reads the mark aloud: "Lee et al. (2021) show", "\\citet{lee} show"."""
    if mark.style == "latex":
        command = re.match(r"\\[A-Za-z]+", text[mark.start : mark.end])
        return command is not None and not is_parenthetical(command.group())
    return mark.style == "author-year" and text[mark.start] not in "(["
