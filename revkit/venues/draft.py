"""Draft: one paper under construction, with the notes on repairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from revkit.errors import PaperError
from revkit.model.paper import Labels, LeftOut, Paper, Skipped
from revkit.model.values import Json
from revkit.venues.decisions import Decision
from revkit.venues.forms import FoundForm
from revkit.venues.ratings import Scores
from revkit.venues.texts import clean, line_numbers, plural

_MIN_LINE_NUMBERS = 20
_COMMANDS = re.compile(r"\\(?:begin|end)\{[^{}\n]{0,100}\}|\\[A-Za-z]{1,100}")
_UNKNOWN = FoundForm()


class Draft:
    """Collects the parts of one paper. Strings pass through `text` or `line` to be cleaned."""

    def __init__(self, id_: str, source: str, notes: Iterable[str] = ()) -> None:
        self.notes: list[str] = list(notes)
        self.rating_notes: list[str] = []
        self.source = clean(source)[0]
        self.id = self.line(id_, "id")

    def note(self, *notes: str) -> None:
        """Add notes; empty ones and repeated ones are left out."""
        self.notes += [note for note in dict.fromkeys(notes) if note and note not in self.notes]

    def text(self, raw: object, what: str = "text") -> str:
        """Return ``raw`` cleaned; "" for None, and with a note for a value that is not text."""
        if raw is None:
            return ""
        if not isinstance(raw, str):
            self.note(LeftOut(f"{what} is not text but {type(raw).__name__}: left out"))
            return ""
        text, repairs = clean(raw)
        self.note(*(f"{what}: {repair}" for repair in repairs))
        return text

    def line(self, raw: object, what: str) -> str:
        """Return ``raw`` cleaned and on one line."""
        return " ".join(self.text(raw, what).split())

    def strings(self, raw: object, what: str) -> list[str]:
        """Return a list of texts, or the parts between commas of one text, cleaned."""
        if isinstance(raw, str):
            raw = raw.split(",")
        if raw is None:
            return []
        if not isinstance(raw, Sequence):
            self.note(LeftOut(f"{what} is not a list but {type(raw).__name__}: left out"))
            return []
        return [line for item in raw if (line := self.line(item, what))]

    def labels(
        self,
        decision: Decision,
        scores: Scores,
        found: FoundForm = _UNKNOWN,
        *,
        venue: str = "",
        topic: str = "",
        extra: dict[str, Json] | None = None,
    ) -> Labels:
        """Return labels. Values that could not be read are added to the notes and the
        ``rating_notes``.

        ``venue`` names the scale of ratings whose ends are not known.
        """
        self.note(decision.note)
        self.rating_notes = list(scores.notes)
        if scores.unrated:
            self.rating_notes.append(f"{plural(scores.unrated, 'review')} without a rating")
        open_form = bool(scores.ratings) and found.scale is None
        if open_form:
            self.rating_notes.append(found.note)
        return Labels(
            accept=decision.accept,
            decision=decision.wording,
            ratings=tuple(scores.ratings),
            rating_scale=venue if open_form else "",
            confidences=tuple(scores.confidences),
            topic=topic,
            extra={key: value for key, value in (extra or {}).items() if value not in ("", [])},
            scale=found.scale if scores.ratings else None,
            unmapped=(*decision.gap, *scores.unmapped, *(found.gap if open_form else ())),
        )

    def skipped(self, reason: str) -> Skipped:
        return Skipped(self.id or self.source, reason, self.source)

    def paper(self, text: str, title: str, labels: Labels) -> Paper | Skipped:
        """Return the paper, or the reason why there is none: no id, no text. ``text`` must be
        clean.
        """
        if not self.id:
            return self.skipped("no id")
        numbers = line_numbers(text)
        if numbers >= _MIN_LINE_NUMBERS:
            self.note(f"{numbers} lines contain only a number (line numbers?): left unchanged")
        try:
            notes = dict.fromkeys((*self.notes, *self.rating_notes))
            paper = Paper(self.id, text, title, labels, self.source, tuple(notes))
        except PaperError:
            return self.skipped("no text")
        if not has_words(text):
            return self.skipped("no text except markup")
        return paper


def has_words(text: str) -> bool:
    """Return whether ``text`` contains a letter or digit outside the names of LaTeX commands."""
    plain = _COMMANDS.sub("", text) if "\\" in text else text
    return any(map(str.isalnum, plain))
