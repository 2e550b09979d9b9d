"""Score tables: human scores of papers whose texts are elsewhere or not available."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.errors import OptionError, RunError
from revkit.files import CorpusFile
from revkit.model.paper import LeftOut, Paper, Skipped
from revkit.model.rating_scale import RatingScale
from revkit.options import option
from revkit.venues import (
    Decision,
    Draft,
    FoundForm,
    Scores,
    declared_scale,
    read_decision,
    read_rating,
)
from revkit_corpora.file_corpus import FileCorpus
from revkit_corpora.tables import read_table

_SEVERITY = RatingScale("severity", 0, 100)


@dataclass(frozen=True)
class ScoreTable(FileCorpus):
    """Rows of a CSV or TSV file (by its ending) with a header; each is a paper without its text.

    For agents whose scores of these papers are in a file already (agent ``recorded`` with
    ``by: title``): title and text of each paper are the cell of the column ``id``, so no other
    agent can say anything of it. ``ratings`` names the columns of human scores, which lie on
    ``scale`` (lowest, highest; higher is better); an empty cell is not a score, one that is
    unreadable or off the scale is left out with a note. ``severity`` names a column of consensus
    severities from 0 to 100. A row without any of both is loaded without labels.
    """

    name: ClassVar[str] = "score-table"
    version: ClassVar[str] = "2"
    has_texts: ClassVar[bool] = False
    id: str = option("id", help="Column that names the paper.")
    ratings: tuple[str, ...] = option((), help="Columns of human scores.")
    scale: tuple[float, float] = option((1.0, 10.0), help="Lowest and highest human score.")
    severity: str = option("", help="Column of the consensus severity, 0 to 100.")
    decision: str = option("", help="Column of the decision, by its wording at the venue.")
    topic: str = option("", help="Column of the topic.")
    rating_words: Mapping[str, float] | None = option(
        None, help='Meaning of the wordings of scores: {"Weak accept": 5}.', later=True
    )
    decisions: Mapping[str, bool | None] | None = option(
        None,
        help='Meaning of decisions: {"Invite to Archive": false}; null: neither accept nor reject.',
        later=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scale[0] >= self.scale[1]:
            raise OptionError(self.name, [("scale", "the lowest score must come first")])

    def files(self) -> Sequence[CorpusFile]:
        if not self.root.is_file():
            raise RunError(f"score-table: {self.root} is not a file; correct path")
        return [CorpusFile(self.root, self.root.name)]

    def count(self) -> int:
        return len(self._rows())

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        for id_, row in self._rows().items():
            yield self._load(id_, row, files[0].name)

    def _rows(self) -> Mapping[str, Mapping[str, str]]:
        columns = [*self.ratings, self.severity, self.decision, self.topic]
        mark = "\t" if self.root.suffix.lower() in (".tsv", ".tab") else ","
        return read_table(self.root, self.id, [name for name in columns if name], mark)

    def _load(self, id_: str, row: Mapping[str, str], source: str) -> Paper | Skipped:
        draft = Draft(id_, source)
        scale = declared_scale(*self.scale)
        scores = Scores(scale, self.rating_words)
        for column in self.ratings:
            if row[column].strip():
                scores.add(row[column], None, f"rating {column}: ")
        wording = row[self.decision] if self.decision else ""
        labels = draft.labels(
            read_decision(wording, self.decisions) if wording.strip() else Decision(),
            scores,
            FoundForm(scale),
            topic=draft.line(row[self.topic], "topic") if self.topic else "",
        )
        if self.severity:
            read = read_rating(row[self.severity], _SEVERITY)
            if read.problem:
                draft.note(LeftOut(f"severity {read.note}: left out"))
            labels = replace(labels, severity=read.value)
        return draft.paper(draft.id, draft.id, labels)
