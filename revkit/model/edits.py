"""Edits: replacements of spans, made by a perturbation or a defense.

What no edit touches is the same before and after, byte for byte; everything that follows
(gates, reports, pruning) can point at the place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from revkit.dataclass import dataclass
from revkit.errors import PaperError
from revkit.model.columns import column, read_row, row_of
from revkit.model.values import Json


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace ``text[start:end]`` by ``new``.

    ``start`` and ``end`` count characters (code points) of the original text; ``start == end``
    inserts. ``note`` says in a few words why, for the reader of a report. What a program is to
    know of an edit is in ``kind``, a word of its family such as "entry", and in ``about``, what the
    edit is about, such as the keys of the works that it cites.
    """

    start: int
    end: int
    new: str
    note: str = ""
    kind: str = column("What sort of edit it is.", sparse=True, default="")
    about: tuple[str, ...] = column("What it is about.", sparse=True, default=())

    def to_json(self) -> dict[str, Json]:
        return row_of(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Edit:
        return read_row(cls, value)


def ordered_edits(text: str, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return ``edits`` sorted by position, without those that change nothing.

    Raises `PaperError` where something is not an edit, an edit lies outside ``text``, two of them
    overlap, or two insert at the same place (their order would decide the result).
    """
    proposed = list(edits)
    for edit in proposed:
        _check(text, edit)
    effective = sorted(edit for edit in proposed if text[edit.start : edit.end] != edit.new)
    previous: Edit | None = None
    for edit in effective:
        if previous is not None and (
            edit.start < previous.end or (edit.start, edit.end) == (previous.start, previous.end)
        ):
            raise PaperError(
                f"edits {previous.start}:{previous.end} and {edit.start}:{edit.end} overlap"
            )
        previous = edit
    return tuple(effective)


def _check(text: str, edit: Edit) -> None:
    if not isinstance(edit, Edit):
        raise PaperError(f"expected an Edit, not {type(edit).__name__}")
    if type(edit.start) is not int or type(edit.end) is not int:
        raise PaperError(f"edit {edit.start!r}:{edit.end!r}: start and end must be whole numbers")
    if not isinstance(edit.new, str) or not isinstance(edit.note, str):
        raise PaperError(f"edit {edit.start}:{edit.end}: new and note must be text")
    if not isinstance(edit.kind, str) or not _are_texts(edit.about):
        raise PaperError(f"edit {edit.start}:{edit.end}: kind and about must be strings")
    if not 0 <= edit.start <= edit.end <= len(text):
        raise PaperError(
            f"edit {edit.start}:{edit.end} lies outside the text of {len(text)} characters"
        )


def _are_texts(values: object) -> bool:
    return isinstance(values, tuple) and all(isinstance(value, str) for value in values)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return ``text`` with all edits applied. Raises the errors of `ordered_edits`."""
    parts: list[str] = []
    position = 0
    for edit in ordered_edits(text, edits):
        parts.append(text[position : edit.start])
        parts.append(edit.new)
        position = edit.end
    parts.append(text[position:])
    return "".join(parts)


def inverse_edits(text: str, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return the edits that convert the edited text back to ``text``."""
    back: list[Edit] = []
    shift = 0
    for edit in ordered_edits(text, edits):
        start = edit.start + shift
        end, old = start + len(edit.new), text[edit.start : edit.end]
        if back and (back[-1].start, back[-1].end) == (start, end):
            # Two deletions side by side: what they took comes back in one piece.
            back[-1] = replace(back[-1], new=back[-1].new + old)
        else:
            back.append(replace(edit, start=start, end=end, new=old))
        shift += len(edit.new) - (edit.end - edit.start)
    return tuple(back)


_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


def edits_between(old: str, new: str, *, offset: int = 0, note: str = "") -> tuple[Edit, ...]:
    """Return word-level edits that turn ``old`` into ``new``, moved by ``offset``.

    It serves rewriters that produce whole strings (a language model, a regular expression over
    one sentence). `difflib` compares words, so keep ``old`` to a sentence or a paragraph: the
    comparison is quadratic in the worst case.
    """
    from difflib import SequenceMatcher

    before = _TOKEN.findall(old)
    after = _TOKEN.findall(new)
    starts = [0]
    for token in before:
        starts.append(starts[-1] + len(token))
    edits: list[Edit] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            edits.append(
                Edit(offset + starts[i1], offset + starts[i2], "".join(after[j1:j2]), note)
            )
    return tuple(edits)


def edits_to_json(edits: Sequence[Edit]) -> list[Json]:
    """Return edits as JSON, in their order."""
    return [edit.to_json() for edit in edits]
