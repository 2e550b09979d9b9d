"""Answers: one record of a source as a paper with its question and its sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from revkit.errors import PaperError
from revkit.files.spreadsheets import cell_text
from revkit.model.intake import clean_text
from revkit.model.paper import Labels, LeftOut, Material, Paper, Skipped
from revkit.model.values import Json

_ENCODED_TWICE = re.compile("[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}")
_WINDOWS_FORM = re.compile("â€[\u0153\u009d˜™¦“”\u02dc]|Ã[©¨¼¶¤±³¡]")


@dataclass
class Answer:
    """One answer to a question, with its texts as in the source."""

    id: str
    source: str
    question: object
    text: object
    works: Sequence[tuple[object, object]] = ()
    domain: object = ""
    extra: Mapping[str, Json] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def paper(self) -> Paper | Skipped:
        """Return the paper, or the reason why it is skipped: no question, or no text."""
        question = self._line(self.question, "question")
        if not question:
            return self.skip(_why_not(self.question, "the question"))
        if not isinstance(self.text, str) or not self.text.strip():
            return self.skip(_why_not(self.text, "the synthesis"))
        text = self._text(self.text, "synthesis")
        materials = (Material("question", question), *self._sources())
        if len(materials) == 1:
            self.notes.append("no sources")
        labels = Labels(topic=self._line(self.domain, "domain"), extra=dict(self.extra))
        try:
            return Paper(self.id, text, question, labels, self.source, tuple(self.notes), materials)
        except PaperError as error:
            return self.skip(str(error))

    def skip(self, reason: str) -> Skipped:
        """Return the record that this answer was not loaded, with the reason."""
        return Skipped(self.id, reason, self.source)

    def _sources(self) -> Iterator[Material]:
        for number, (title, abstract) in enumerate(self.works, start=1):
            name = self._line(title, f"title of source {number}")
            text = self._text(abstract, f"source {number}") if isinstance(abstract, str) else ""
            if text.strip():
                yield Material("source", text, name)
            elif name or (abstract is not None and not isinstance(abstract, str)):
                self.notes.append(
                    LeftOut(f"source {number}: {_why_not(abstract, 'the abstract')}: left out")
                )

    def _text(self, raw: str, what: str) -> str:
        text, notes = repaired(raw)
        self.notes += [f"{what}: {note}" for note in notes]
        return text

    def _line(self, raw: object, what: str) -> str:
        return " ".join(self._text(raw, what).split()) if isinstance(raw, str) else ""


def _why_not(value: object, what: str) -> str:
    if value is None or (isinstance(value, str) and not value.strip()):
        return f"{what} is empty"
    return f"{what} is not a text but {type(value).__name__}"


def repaired(raw: str) -> tuple[str, tuple[str, ...]]:
    """Return a cell's text as a paper can contain it, and a note for each kind of repair.

    Text that may be encoded twice stays, with a note, because that is uncertain.
    """
    notes: list[str] = []
    text, count = cell_text(raw)
    if count:
        notes.append(f"read {count} escaped character{'s' * (count > 1)} of the sheet")
    text, repairs = clean_text(text)
    notes += repairs
    if not text.isascii():
        left = len(_WINDOWS_FORM.findall(text)) + len(_ENCODED_TWICE.findall(text))
        if left:
            notes.append(f"{left} place{'s' * (left > 1)} may be encoded twice: left as written")
    return text, tuple(notes)
