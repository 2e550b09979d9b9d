"""What sentences that are shortened or merged must keep: numbers, marks, meaning, hedges."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from revkit import english
from revkit.english import stop_words
from revkit.meaning import MeaningChange
from revkit.meaning.denials import denies
from revkit.model import Check, Edit, Paper, Span
from revkit.model.sentences import protected_spans, split_sentences
from revkit.prompting import one_line
from revkit_robustrev.changed_sentences import changed_sentences, citations, numbers
from revkit_robustrev.claim_signs import claim_changes
from revkit_robustrev.constraints import blocks_changed
from revkit_robustrev.length_compress import CITATIONS
from revkit_robustrev.rewriting.faults import (
    Fault,
    Sheet,
    foreign,
    form_fault,
    lack,
    markup_fault,
    names_fault,
    shape_fault,
)
from revkit_robustrev.rewriting.generator import marks
from revkit_robustrev.rewriting.length_faults import (
    hedges_moved,
    hedges_moved_fault,
    meaning_fault,
    new_content_fault,
)
from revkit_robustrev.rewriting.lost_limits import limit_fault

WHOLE = "sentence"  # the kind of an edit that removes or adds whole sentences
_WORD = re.compile(r"[a-z]+")
_STEM = 5  # letters by which two forms of a noun are one


def count_sentences(text: str) -> int:
    """The sentences of a text."""
    return len(split_sentences(text, 0, len(text)))


def without_citations(text: str) -> str:
    """A sentence without its citation marks."""
    from revkit.model.citations import find_citations  # with the patterns of citations

    marked = find_citations(text, 0, len(text))
    return _without(text, (Span(mark.start, mark.end) for mark in marked))


def without_marks(text: str) -> str:
    """A sentence without its formulas, citation marks, pointers, links and code."""
    return _without(text, protected_spans(text, 0, len(text)))


def _without(text: str, spans: Iterable[Span]) -> str:
    parts: list[str] = []
    position = 0
    for span in spans:
        parts.append(text[position : span.start])
        position = span.end
    return "".join([*parts, text[position:]])


def merged_fault(sheet: Sheet, old: str, new: str, *, names_can_go: bool = False) -> Fault | None:
    """What is wrong with ``new`` as one or more sentences in fewer words; both on one line.

    Citation marks can go, and none can come; so can names and acronyms if ``names_can_go``.
    """
    return (
        form_fault(sheet, new)
        or shape_fault(old, new)
        or marks_fault(old, new)
        or foreign(sheet, old, new)
        or markup_fault(old, new)
        or names_fault(sheet, new)
        or _meaning_fault(old, new, names_can_go)
        or limit_fault(without_citations(old), without_citations(new))
        or hedges_moved_fault(old, new)
        or new_content_fault(old, new)
    )


def _meaning_fault(old: str, new: str, names_can_go: bool) -> Fault | None:
    old, new = without_citations(old), without_citations(new)
    several = count_sentences(old) > 1
    # Sentences that are merged deny the same thing once, and count it once.
    left_out = []
    if names_can_go and not any(each.gained for each in _names_changed(old, new)):
        left_out.append("name")
    if several and _denials(old, new) == _denials(new, old):
        left_out.append("negation")
    if several and _counts_once(old, new):
        left_out.append("number")
    return meaning_fault(old, new, linking=_linking(), left_out=left_out)


def names_lost(old: str, new: str) -> list[str]:
    """The names and acronyms of ``old`` that ``new`` has in no form."""
    changed = _names_changed(without_citations(old), without_citations(new))
    return [each.lost for each in changed if each.lost]


def _names_changed(old: str, new: str) -> list[MeaningChange]:
    return [each for each in claim_changes(old, new, parser=False) if each.kind == "name"]


def _denials(text: str, other: str) -> frozenset[str]:
    """The words of a text that deny, and those with a prefix of negation."""
    words, others = (frozenset(_WORD.findall(each.lower())) for each in (text, other))
    prefixes = english.negations("prefix")
    return frozenset(
        word
        for word in words
        if denies(word)
        or any(word.startswith(p) and word[len(p) :] in words | others for p in prefixes)
    )


def _counts_once(old: str, new: str) -> bool:
    """Whether the only numbers that went are those that ``old`` has again of the same thing: "has
    two gates. The two gates share"."""
    before, after = numbers(old), numbers(new)
    if after - before or before.keys() != after.keys():
        return False
    for number in before - after:
        found = re.findall(rf"\b{re.escape(number)}[\s-]+([a-z]+)", old.lower())
        things = {word[:_STEM].removesuffix("s") for word in found}
        if len(found) < before[number] or len(things) > 1:
            return False
    return True


def _linking() -> frozenset[str]:
    return stop_words("search") | stop_words("restatement")


def marks_fault(old: str, new: str) -> Fault | None:
    """Whether a number or a mark that is not a citation came or went, or a citation came."""
    if citations(new) - citations(old):
        return Fault("citations changed", "citation marks must be as they were written")
    before, after = without_marks(old), without_marks(new)
    if numbers(before) != numbers(after) and not (
        count_sentences(old) > 1 and _counts_once(before, after)
    ):
        message = "the numbers must be the same as before" + lack(before, after)
        return Fault("numbers changed", message)
    one, other = (Counter(marks(without_citations(text))) for text in (old, new))
    if one.keys() != other.keys() or other - one:  # what was there twice can be there once
        return Fault(
            "marks changed",
            "numbers, formulas, links, code, cross references and quotations must all be as they "
            "were written, and none may come",
        )
    return None


def paragraph_checks(
    paper: Paper, edits: Sequence[Edit], *, names_can_go: bool = False
) -> list[Check]:
    """Check that condensed paragraphs keep numbers, marks, meaning and hedges, and enough citation
    marks; whole sentences that are left out are judged apart."""
    changed, _ = changed_sentences(paper, [edit for edit in edits if edit.kind != WHOLE])
    pairs = [(one_line(run.old), one_line(run.new)) for run in changed]
    found = {
        "marks-changed": sum(marks_fault(old, new) is not None for old, new in pairs),
        "meaning-changed": sum(
            _meaning_fault(old, new, names_can_go) is not None for old, new in pairs
        ),
        "hedges-changed": sum(hedges_moved(old, new) > 0 for old, new in pairs),
    }
    structure = blocks_changed(paper, edits)
    after = paper.edited(edits)
    words = 1 - after.words / paper.words if paper.words else 0.0
    marked = len(paper.citations)
    gone = 1 - len(after.citations) / marked if marked else 0.0
    beyond = round(max(gone - words, 0.0), 6)
    return [
        *(Check(name, float(count), 0.0, count == 0, "sentences") for name, count in found.items()),
        Check("structure-changed", float(structure), 0.0, structure == 0, "count"),
        Check("citations-lost", beyond, CITATIONS, beyond <= CITATIONS, "share beyond the words"),
    ]
