"""The lines of a bank in either format: anchors, skipped lines, and the reasons."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from revkit.dataclass import dataclass
from revkit.model.intake import clean_text
from revkit.model.paper import Skipped
from revkit_asc.bank.anchor import Anchor, Bank

QUARTER = re.compile(r"[0-9]{4}-Q[1-4]")


@dataclass(frozen=True, slots=True)
class ReadBank:
    """A bank as read from a file, with the lines that did not become anchors."""

    bank: Bank
    skipped: tuple[Skipped, ...]
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What was repaired in the text of an anchor, by its id."""


class Seen:
    """The anchors read so far and the skipped lines; if two anchors share an id or a text, the
    first is kept.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.anchors: list[Anchor] = []
        self.skipped: list[Skipped] = []
        self.notes: dict[str, tuple[str, ...]] = {}
        self._ids: set[str] = set()
        self._texts: dict[str, str] = {}

    def skip(self, line: int, id_: object, reason: str) -> None:
        """Count the row at ``line`` as skipped, under its id where it has one."""
        place = f"{self.file}:{line}"
        name = clean_text(id_)[0] if isinstance(id_, str) and id_.strip() else place
        self.skipped.append(Skipped(name, reason, place))

    def add(self, line: int, raw: Anchor) -> None:
        """Add an anchor with its texts cleaned. Without id or text, or with a repeated id or text,
        it is skipped.
        """
        text, notes = clean_text(raw.text)
        title, more = clean_text(raw.title)
        anchor = replace(raw, id=clean_text(raw.id)[0].strip(), text=text, title=title)
        if not anchor.id or not text.strip():
            self.skip(line, raw.id, "no printable character in its id or text")
        elif anchor.id in self._ids:
            self.skip(line, anchor.id, "this id occurs earlier: the first anchor is kept")
        elif anchor.text in self._texts:
            self.skip(line, anchor.id, f"the text of {self._texts[anchor.text]!r} once more")
        else:
            self._ids.add(anchor.id)
            if notes or more:
                self.notes[anchor.id] = (*notes, *(f"title: {note}" for note in more))
            self._texts[anchor.text] = anchor.id
            self.anchors.append(anchor)


def disagreement(scores: Sequence[float], adjudicated: float | None, gap: float) -> str:
    """Return a sentence if the scores disagree and there is no adjudicated value, else ""."""
    apart = max(scores) - min(scores)
    if adjudicated is None and apart > gap:
        return f"scores {apart:g} points apart, over the gap of {gap:g}, and not adjudicated"
    return ""
