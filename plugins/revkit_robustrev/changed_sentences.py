"""The sentences that a set of edits changes, before and after, and checks on them alone."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from revkit import Check, Edit, Paper
from revkit.dataclass import dataclass
from revkit.errors import PaperError

if TYPE_CHECKING:
    from revkit.model.citation_forms import CitationForms

NUMBER = re.compile(
    r"(?<![\w.])[-+−]?(?:\d+(?:,\d+)*(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?[%‰]?"
    r"|\b(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety|dozens?|hundreds?|thousands?|millions?|billions?|trillions?|half|twice|double|triple)"
    r"\b"
)


@dataclass(frozen=True)
class ChangedSentence:
    """A run of sentences that some edits change: one sentence, or more where an edit spans them.

    ``old`` and ``new`` are its text before and after; ``edits`` are those within it; ``sentences``
    counts the sentences of the run.
    """

    start: int
    end: int
    old: str
    new: str
    edits: tuple[Edit, ...]
    sentences: int


def changed_sentences(
    paper: Paper, edits: Sequence[Edit]
) -> tuple[list[ChangedSentence], list[Edit]]:
    """Group ``edits`` by the sentences they touch; the second list holds those outside prose.

    An insertion between two sentences belongs to the one it follows without a gap, else to the one
    it precedes without a gap, else to none.
    """
    spans = paper.sentences
    starts = [sentence.start for sentence in spans]
    ends = [sentence.end for sentence in spans]
    runs: list[tuple[int, int, list[Edit]]] = []
    outside: list[Edit] = []
    for edit in sorted(edits):
        if edit.start == edit.end:
            first = bisect_left(ends, edit.start)
            last = first if first < len(starts) and starts[first] <= edit.start else first - 1
        else:
            first = bisect_right(ends, edit.start)
            last = bisect_left(starts, edit.end) - 1
        if first > last:
            outside.append(edit)
        elif runs and first <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(last, runs[-1][1]), [*runs[-1][2], edit])
        else:
            runs.append((first, last, [edit]))
    return [_changed(paper, *run) for run in runs], outside


def _changed(paper: Paper, first: int, last: int, edits: list[Edit]) -> ChangedSentence:
    start = min(paper.sentences[first].start, edits[0].start)
    end = max(paper.sentences[last].end, edits[-1].end)
    parts: list[str] = []
    position = start
    for edit in edits:
        if edit.start < position:
            raise PaperError(f"edits overlap at {edit.start}")
        parts += (paper.text[position : edit.start], edit.new)
        position = edit.end
    parts.append(paper.text[position:end])
    return ChangedSentence(
        start, end, paper.text[start:end], "".join(parts), tuple(edits), last - first + 1
    )


def numbers(text: str) -> Counter[str]:
    """Count the numbers of ``text``: figures with their sign and percent mark, and number words."""
    return Counter(match[0] for match in NUMBER.finditer(text.lower()))


def citations(text: str, forms: CitationForms | None = None) -> Counter[str]:
    """Count the citation marks of ``text`` as they are written; ``forms`` are those of its
    paper, which may cite in forms that a mark alone does not show."""
    from revkit.model.citations import find_citations  # with the patterns of citations

    find = find_citations if forms is None else forms.find
    return Counter(text[mark.start : mark.end] for mark in find(text, 0, len(text)))


def difference(old: Counter[str], new: Counter[str]) -> int:
    """Return how many items must be added or removed to change ``old`` to ``new``."""
    return (old - new).total() + (new - old).total()


def unchanged_checks(paper: Paper, edits: Sequence[Edit]) -> list[Check]:
    """Check that the changed sentences contain the same numbers and citation markers as before."""
    changed, _ = changed_sentences(paper, edits)
    lost = sum(numbers_changed(paper.text, run) for run in changed)
    marks = sum(citations_changed(paper, run) for run in changed)
    return [
        Check("numbers-changed", float(lost), 0.0, lost == 0, "count"),
        Check("citations-changed", float(marks), 0.0, marks == 0, "count"),
        Check("sentences-changed", float(len(changed)), 1.0, len(changed) >= 1, "count"),
    ]


def numbers_changed(text: str, run: ChangedSentence) -> int:
    """Return how many numbers a changed sentence has gained and lost.

    A number holds no blank, so it is enough to look at each edit out to the nearest blanks.
    """
    old: Counter[str] = Counter()
    new: Counter[str] = Counter()
    pieces: list[tuple[int, int, str]] = []
    for edit in run.edits:
        start, end = edit.start, edit.end
        while start > run.start and not text[start - 1].isspace():
            start -= 1
        while end < run.end and not text[end].isspace():
            end += 1
        if pieces and start < pieces[-1][1]:
            return difference(numbers(run.old), numbers(run.new))
        pieces.append((start, end, text[start : edit.start] + edit.new + text[edit.end : end]))
    for start, end, piece in pieces:
        if not NUMBER.search(f"{text[start:end]}\n{piece}".lower()):
            continue
        old.update(numbers(text[start:end]))
        new.update(numbers(piece))
    return difference(old, new)


_MARK_SIGNS = re.compile(r"[\[\]()\\@^<\d]")


def citations_changed(paper: Paper, run: ChangedSentence) -> int:
    """Return how many citation markers a changed sentence has gained and lost.

    An edit can only matter where it touches a mark, brings a sign that marks are made of, or is
    right before a bracket (so that "Lee recently (2020)" would become "Lee (2020)").
    """
    marks = paper.citations
    for edit in run.edits:
        index = bisect_left(marks, edit.end, key=lambda mark: mark.start)
        touched = index > 0 and marks[index - 1].end > edit.start
        bracket = paper.text[edit.end : edit.end + 3].lstrip()[:1]
        if touched or bracket in ("(", "[") or _MARK_SIGNS.search(edit.new):
            forms = paper.citation_forms
            return difference(citations(run.old, forms), citations(run.new, forms))
    return 0
