"""Table: rows with columns of any name, from CSV, JSON Lines, Parquet or a data set of the hub."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.files import CorpusFile
from revkit.model.paper import Paper, Skipped
from revkit.options import option
from revkit.venues import (
    RECORD_FILES,
    Draft,
    FoundForm,
    Record,
    Scores,
    as_id,
    read_decision,
    records,
)
from revkit_corpora.file_corpus import ReviewedCorpus
from revkit_corpora.tables import read_lines

_TABLES = (".csv", ".tsv")


@dataclass(frozen=True)
class PaperTable(ReviewedCorpus):
    """Rows of a table with columns that you name, one paper in each: ``path`` is a CSV, TSV, JSON
    Lines, Parquet or Arrow file, or a folder of such files, for example one that ``save_to_disk``
    of the package datasets wrote or the files of a data set of the hub.

    ``ratings`` names columns of one rating each, or one column that holds a list of them. Their
    scale is that of ``form`` or ``scale``; without these the ratings have no known scale. An
    abstract goes before the text, or is the text where there is none, with a note. Parquet and
    Arrow need the extra ``parquet``.

    A row without an id or a text is skipped, with its place.
    """

    name: ClassVar[str] = "table"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)
    endings: ClassVar[tuple[str, ...]] = (*_TABLES, *RECORD_FILES)

    id: str = option("id", help="Column that names the paper.", nonempty=True)
    text: str = option("text", help="Column with the text; empty: the abstract is the text.")
    title: str = option("", help="Column with the title.")
    abstract: str = option("", help="Column with the abstract.")
    ratings_in: tuple[str, ...] = option((), help="Columns of ratings, or one with a list of them.")
    decision: str = option("", help="Column with the decision, by its wording.")
    topic: str = option("", help="Column with the topic.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.text and not self.abstract:
            raise OptionError(self.name, [("text", "name a column with the text or the abstract")])

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        alone = not self.root.is_dir()
        for found in files:
            for record in self._records(found, alone=alone):
                yield self._load(record) if isinstance(record, Record) else record

    def _records(self, found: CorpusFile, *, alone: bool) -> Iterator[Record | Skipped]:
        if not found.name.casefold().endswith(_TABLES):
            yield from records(found, self.max_bytes, alone=alone)
            return
        mark = "\t" if found.name.casefold().endswith(".tsv") else ","
        for number, row in enumerate(read_lines(Path(found.path), (self.id,), mark), 1):
            yield Record(dict(row), f"{found.name}, row {number}")

    def _load(self, record: Record) -> Paper | Skipped:
        value = record.value
        id_, note = as_id(value.get(self.id))
        draft = Draft(id_, record.source, (*record.notes, *([note] if note else [])))
        lacking = [
            name
            for name in (self.id, self.text, self.title, self.abstract, self.decision, self.topic)
            if name and name not in value
        ]
        if lacking:
            return draft.skipped(f"no column {', '.join(lacking)}")
        title = draft.line(value.get(self.title), "title") if self.title else ""
        text = draft.text(value.get(self.text)).strip() if self.text else ""
        abstract = draft.text(value.get(self.abstract), "abstract").strip() if self.abstract else ""
        if not text and abstract:
            draft.note("abstract only")
        declared = self.declared
        scores = Scores(declared.scale, declared.ratings)
        for column, rating in self._ratings(value):
            scores.add(rating, None, f"{column}: ")
        wording = value.get(self.decision) if self.decision else None
        labels = draft.labels(
            read_decision(wording, declared.decisions),
            scores,
            FoundForm(declared.scale, ("the table names no form",)),
            topic=draft.line(value.get(self.topic), "topic") if self.topic else "",
        )
        return draft.paper(_join_parts(title, abstract, text), title, labels)

    def _ratings(self, value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        for column in self.ratings_in:
            given = value.get(column)
            if isinstance(given, list):
                yield from ((f"{column} {number}", each) for number, each in enumerate(given, 1))
            elif given not in (None, ""):
                yield column, given


def _join_parts(title: str, abstract: str, text: str) -> str:
    """Return the text with its title and abstract in front, unless it already contains them."""
    parts = []
    if title and not text.lstrip("# \t\n").casefold().startswith(title.casefold()):
        parts.append(f"# {title}")
    if abstract and abstract[:200].casefold() not in text[:20_000].casefold():
        parts += ["## Abstract", abstract]
    return "\n\n".join([*parts, text] if text else parts)
