"""Draft: one paper in the making, with the notes of what had to be repaired."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from revkit.errors import PaperError
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.values import Json
from revkit_corpora.decisions import Decision
from revkit_corpora.ratings import Scores
from revkit_corpora.texts import clean, line_numbers, plural

_MIN_LINE_NUMBERS = 20


class Draft:
    """Collects the parts of one paper. Strings pass through `text` or `line` to be cleaned."""

    def __init__(self, id_: str, source: str, notes: Iterable[str] = ()) -> None:
        self.notes: list[str] = list(notes)
        self.source = clean(source)[0]
        self.id = self.line(id_, "id")

    def note(self, *notes: str) -> None:
        """Add notes; empty ones and repeated ones are left out."""
        self.notes += [note for note in dict.fromkeys(notes) if note and note not in self.notes]

    def text(self, raw: object, what: str = "text") -> str:
        """Return ``raw`` cleaned; "" for None, and with a note for what is no text."""
        if raw is None:
            return ""
        if not isinstance(raw, str):
            self.note(f"{what} is no text but {type(raw).__name__}: left out")
            return ""
        text, repairs = clean(raw)
        self.note(*(f"{what}: {repair}" for repair in repairs))
        return text

    def line(self, raw: object, what: str) -> str:
        """Return ``raw`` cleaned and on one line."""
        return " ".join(self.text(raw, what).split())

    def strings(self, raw: object, what: str) -> list[str]:
        """Return a list of texts, or of the parts between commas of one text, cleaned."""
        if isinstance(raw, str):
            raw = raw.split(",")
        if raw is None:
            return []
        if not isinstance(raw, Sequence):
            self.note(f"{what} is no list but {type(raw).__name__}: left out")
            return []
        return [line for item in raw if (line := self.line(item, what))]

    def labels(
        self,
        decision: Decision,
        scores: Scores,
        scale: str,
        *,
        topic: str = "",
        extra: dict[str, Json] | None = None,
    ) -> Labels:
        """Return labels, after adding what could not be read of them to the notes."""
        self.note(decision.note, *scores.notes)
        if scores.unrated:
            self.note(f"{plural(scores.unrated, 'review')} without a rating")
        return Labels(
            accept=decision.accept,
            decision=decision.wording,
            ratings=tuple(scores.ratings),
            rating_scale=scale if scores.ratings else "",
            confidences=tuple(scores.confidences),
            topic=topic,
            extra={key: value for key, value in (extra or {}).items() if value not in ("", [])},
        )

    def skipped(self, reason: str) -> Skipped:
        return Skipped(self.id or self.source, reason, self.source)

    def paper(self, text: str, title: str, labels: Labels) -> Paper | Skipped:
        """Return the paper, or why there is none: no id, no text. ``text`` must be clean."""
        if not self.id:
            return self.skipped("no id")
        numbers = line_numbers(text)
        if numbers >= _MIN_LINE_NUMBERS:
            self.note(f"{numbers} lines hold a number alone (line numbers?): left as they are")
        try:
            return Paper(self.id, text, title, labels, self.source, tuple(self.notes))
        except PaperError:
            return self.skipped("no text")
