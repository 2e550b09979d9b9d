"""Where a citation can be added to a paper without changing what the paper claims.

A place is either the end of a sentence that states general background, before its full stop, or the
inside of a citation group that such a sentence already has ("[3, 7]" -> "[3, 7, 24]"). A sentence
is no background where it speaks of the paper itself ("we", "our", "here"), denies or singles out,
holds a number, a formula or a reference to a figure, ascribes something to named authors, or points
back ("this method"): a work cited there would be credited with a claim that is not its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from revkit.model.paper import Block, Citation, Paper, Sentence
from revkit_robustrev.citation_marks import MarkFormat, is_parenthetical
from revkit_robustrev.citation_pool import Term, terms_of

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
# In introduction and related work these alone rule a sentence out where nothing better is left.
_OWN_FOR_SURE = frozenset(
    """
    we our ours us i my herein paper thesis supplement appendix section figure table experiments
    proposed introduced presented developed author authors they their them his her he she this these
    those such not no nor none never lack lacks unknown future previously mentioned outperforms
    state-of-the-art novel respectively called named dubbed termed
    """.split()  # noqa: SIM905
)
_OWN_IN_GROUP = frozenset(
    """
    we our ours us paper thesis proposed introduced presented developed due following taken both
    respectively two three four five this these trick called named dubbed known dataset datasets
    here their its it they
    """.split()  # noqa: SIM905
)
# "The model is ...", "Finally, ...": outside introduction and related work these are the paper's
# own.
_DEFINITE = re.compile(
    r"(?:The|A|An|Finally|During|Given|As|Once|If|When|For|To|In|At|By|Conversely|Because|Simply"
    r"|Only|Each|Every|All|After|Before|While|Since|With|On|From|More|There)\b"
)
_SYSTEM_NAME = re.compile(r"\b(?:[A-Z]{5,}|\w*[a-z][A-Z]\w*)\b")
_DIGIT = re.compile(r"\d")
_NAMED_AUTHORS = re.compile(r"\bet\.? al\b")
_SIGNS = frozenset('$\\`<>|=:;*_[]()"“”?!' + "0123456789")


@dataclass(frozen=True)
class Site:
    """One place: ``position`` in the text; ``joins`` says that it lies within an existing group.

    ``terms`` are what the sentence is about.
    """

    position: int
    joins: bool
    terms: frozenset[Term]


def find_sites(paper: Paper, form: MarkFormat, wanted: int) -> list[Site]:
    """Return at least ``wanted`` places where the paper has them, in order, one for each sentence.

    First those of introduction and related work; only where these are too few, groups of several
    works in other sections; then background sentences there; then groups of two; then what in
    introduction and related work is not plainly the paper's own; then single works that a whole
    background sentence rests on.
    """
    by_sentence = _citations_by_sentence(paper)
    expected = ("introduction", "related-work")
    elsewhere = (
        "discussion",
        "other",
        "method",
        "experiments",
        "conclusion",
        "appendix",
        "results",
    )
    found: list[Site] = []
    tiers: Sequence[tuple[Sequence[str], frozenset[str] | None, int]] = (
        (expected, _OWN, 3),
        (elsewhere, None, 3),
        (("discussion", "other"), _OWN, 3),
        ((*expected, *elsewhere), None, 2),
        (expected, _OWN_FOR_SURE, 2),
        (expected, None, 1),
    )
    for roles, ends, least in tiers:
        if len(found) >= wanted:
            break
        known = {site.position for site in found}
        found += [
            site
            for index, sentence in enumerate(paper.sentences)
            if paper.blocks[sentence.block].role in roles
            and paper.blocks[sentence.block].kind == "paragraph"
            and (site := _site(paper, form, sentence, by_sentence.get(index, ()), ends, least))
            and site.position not in known
        ]
    return sorted(found, key=lambda site: site.position)


def _site(
    paper: Paper,
    form: MarkFormat,
    sentence: Sentence,
    marks: Sequence[Citation],
    ends: frozenset[str] | None,
    least: int,
) -> Site | None:
    """The place in one sentence: its last group of ``least`` works, or its end.

    A sentence without marks has its place at its end, if it holds no word of ``ends`` (None: none
    has).
    """
    if not 60 <= sentence.end - sentence.start <= 1200:
        return None
    words = paper.text[sentence.start : sentence.end]
    if not marks:
        expected = paper.blocks[sentence.block].role in ("introduction", "related-work")
        if not expected and _DEFINITE.match(words):
            return None
        if ends is not None and _is_background(paper, sentence, words, ends):
            terms = frozenset(terms_of([words]))
            return Site(sentence.end - 1, False, terms) if len(terms) >= 6 else None
        return None
    position = _group(paper.text, marks, form, least)
    if position < 0:
        return None
    prose = _without(words, sentence, marks)
    if (
        _DIGIT.search(prose)
        or _NAMED_AUTHORS.search(prose)
        or not _OWN_IN_GROUP.isdisjoint(_WORDS.findall(prose.lower()))
        or (least == 1 and not _backs_sentence(words, prose, sentence, marks))
    ):
        return None
    return Site(position, True, frozenset(terms_of([prose])))


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
    """Whether the one mark of a background sentence stands at its end, and so is for all of it."""
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


def _group(text: str, marks: Sequence[Citation], form: MarkFormat, least: int) -> int:
    """Return where a work joins the last group of at least ``least`` works in a sentence, or -1.

    A sentence with a narrative mark speaks of its authors and takes none.
    """
    if any(is_narrative(text, mark) for mark in marks):
        return -1
    for mark in reversed(marks):
        closing = text[mark.end - len(form.closing) : mark.end]
        if mark.style != form.style or len(mark.keys) < least or closing != form.closing:
            continue
        inner = text[mark.start : mark.end]
        if form.command.startswith("\\") and not inner.startswith(form.command + "{"):
            continue
        if not inner.startswith("\\") and not inner.startswith(form.opening):
            continue
        if form.style == "author-year" and not re.search(r"(?:19|20)\d\d[a-z]?[)\]]\Z", inner):
            continue
        if "](" not in inner and (len(mark.keys) == 1 or form.separator.strip() in inner):
            return mark.end - len(form.closing)
    return -1


def is_narrative(text: str, mark: Citation) -> bool:
    """Whether the sentence reads the mark aloud: "Lee et al. (2021) show", "\\citet{lee} show"."""
    if mark.style == "latex":
        command = re.match(r"\\[A-Za-z]+", text[mark.start : mark.end])
        return command is not None and not is_parenthetical(command.group())
    return mark.style == "author-year" and text[mark.start] not in "(["
