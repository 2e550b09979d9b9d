"""Anchors: what a rewriting must leave as it is and where it is; and the edits between them.

Mathematics, citation marks, links, code, cross references, quotations and everything with a digit
in it are anchors. A rewriting must hold the same ones in the same order, so that the edits lie
between them and touch none: a model cannot change a formula, nor hand a number to another claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from revkit.model import Edit, Span
from revkit.model.sentences import protected_spans
from revkit_robustrev.prose import quotations

_WORD = re.compile(r"\S+")
_DIGIT = re.compile(r"\d")
_AROUND = "()[]{}\"'“”‘’,;:!?*_"
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


def anchors(text: str) -> tuple[Span, ...]:
    """The spans of ``text``, one sentence, that no rewriting may change. Sorted, without overlap.

    Spans that overlap are one.
    """
    found = [*protected_spans(text, 0, len(text)), *quotations(text), *_figures(text)]
    merged: list[Span] = []
    for span in sorted(found, key=lambda span: (span.start, span.end)):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return tuple(merged)


def _figures(text: str) -> list[Span]:
    """Whatever holds a digit: numbers with their signs and units, names such as "GPT-4"."""
    found: list[Span] = []
    for word in _WORD.finditer(text):
        if _DIGIT.search(word[0]):
            start = word.start() + len(word[0]) - len(word[0].lstrip(_AROUND))
            end = word.end() - len(word[0]) + len(word[0].rstrip(_AROUND + "."))
            found.append(Span(start, end))
    return found


def texts_of(text: str, spans: Sequence[Span]) -> list[str]:
    """What is in ``spans`` of ``text``."""
    return [text[span.start : span.end] for span in spans]


def edits_around(old: str, new: str, offset: int, note: str) -> list[Edit] | None:
    """The edits, word by word, that turn ``old`` into ``new`` without touching an anchor.

    ``offset`` moves them to the place of ``old`` in its paper. None where the anchors differ.
    Blanks of any kind count as equal, and those of ``old`` stay.
    """
    before, after = anchors(old), anchors(new)
    if texts_of(old, before) != texts_of(new, after):
        return None
    edits: list[Edit] = []
    last_old = last_new = 0
    ends = (Span(len(old), len(old)), Span(len(new), len(new)))
    for here, there in zip([*before, ends[0]], [*after, ends[1]], strict=True):
        edits += _edits(
            old[last_old : here.start], new[last_new : there.start], offset + last_old, note
        )
        last_old, last_new = here.end, there.end
    return edits


def _edits(old: str, new: str, offset: int, note: str) -> list[Edit]:
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    starts = [offset]
    for token in before:
        starts.append(starts[-1] + len(token))
    matcher = SequenceMatcher(None, _plain(before), _plain(after), autojunk=False)
    return [
        Edit(starts[i1], starts[i2], "".join(after[j1:j2]), note)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def _plain(tokens: list[str]) -> list[str]:
    return [" " if token.isspace() else token for token in tokens]
