"""The passage around an edit, with enough context to judge it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from revkit.dataclass import dataclass
from revkit.model.edits import Edit, apply_edits
from revkit.model.paper import Paper
from revkit.model.structure import Sentence

OPEN, CLOSE = (
    "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}",
    "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}",
)
_AROUND = 200  # characters on each side of an edit that lies in no sentence
_LONGEST = 12_000


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage before and after the edits in it; the edit to judge is between white brackets."""

    before: str
    after: str

    @property
    def plain_after(self) -> str:
        """Return the passage in the variant, without the brackets."""
        return self.after.replace(OPEN, "").replace(CLOSE, "")


def passage_of(paper: Paper, edits: Sequence[Edit], edit: Edit) -> Passage:
    """Return the sentences that ``edit`` touches with one on each side, before and after all
    edits.
    """
    start, end = _region(paper, edit.start, edit.end)
    inside = [e for e in edits if (e.end > start and e.start < end) or start <= e.start <= end]
    start = min(start, *(e.start for e in inside))
    end = max(end, *(e.end for e in inside))
    moved = [replace(e, start=e.start - start, end=e.end - start) for e in inside]
    text = paper.text[start:end]
    before = text[: edit.start - start] + _marked(paper.text[edit.start : edit.end])
    before += text[edit.end - start :]
    marked = [
        replace(e, new=_marked(e.new)) if e.start == edit.start - start and e.new == edit.new else e
        for e in moved
    ]
    return Passage(_clip(before), _clip(apply_edits(text, marked)))


def passage_of_sentence(paper: Paper, sentence: Sentence) -> Passage:
    """Return a sentence with one on each side, unchanged."""
    start, end = _region(paper, sentence.start, sentence.end)
    text = _clip(paper.text[start:end])
    return Passage(text, text)


def whole_passage(paper: Paper, edits: Sequence[Edit]) -> Passage:
    """Return the whole text before and after the edits, not shortened and without brackets."""
    return Passage(paper.text, apply_edits(paper.text, edits))


def _marked(text: str) -> str:
    return OPEN + text + CLOSE


def _region(paper: Paper, start: int, end: int) -> tuple[int, int]:
    """Return the sentences between ``start`` and ``end``, and a neighbour on each side in their
    block.
    """
    sentences = paper.sentences
    touched = [i for i, s in enumerate(sentences) if s.start <= end and s.end >= start]
    if not touched:
        return max(0, start - _AROUND), min(len(paper.text), end + _AROUND)
    first, last = touched[0], touched[-1]
    if first and sentences[first - 1].block == sentences[first].block:
        first -= 1
    if last + 1 < len(sentences) and sentences[last + 1].block == sentences[last].block:
        last += 1
    return min(sentences[first].start, start), max(sentences[last].end, end)


def _clip(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]} [... {len(text) - 2 * half:,} characters ...] {text[-half:]}"
