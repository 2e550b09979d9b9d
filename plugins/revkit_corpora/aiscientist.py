"""AI-Scientist: a folder of parsed papers with the table of their human ratings (Lu et al., "The
AI Scientist", 2024: 500 papers of ICLR 2022)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.errors import OptionError, RunError
from revkit.files import CorpusFile, Unreadable, files_under
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.rating_scale import RatingScale
from revkit.options import option, unknown_name
from revkit.papers import find_title
from revkit.venues import Draft, FoundForm, Scores, form_named, form_names, read_decision
from revkit_corpora.file_corpus import FileCorpus, read_text
from revkit_corpora.tables import read_table

_TEXT_FOLDERS = ("iclr_parsed", "parsed_ai_papers")
_RATINGS = "ratings_subset.tsv"


@dataclass(frozen=True)
class AIScientist(FileCorpus):
    """Parsed texts (``ID.txt``) and ``ratings_subset.tsv`` (paper_id, columns 0 to 6, decision).

    ``path`` is the folder of texts or the one above it, which holds ``iclr_parsed`` or
    ``parsed_ai_papers``. The text is the file's, after cleaning (the parser left NUL and other
    control characters, which are removed and counted); headings broken by it ("UNSU## PERVISED")
    stay. The title is the first heading, over adjacent heading lines; without one it is empty,
    for an id as title would tell agents which paper it is. Ratings are on the form ``form``
    names.

    Rules. A text without a row is loaded without labels; a row without a text is skipped, after
    all texts, so that the table's rows are all accounted for. Without a table (the papers that
    AI-Scientist wrote) there are no labels.
    """

    name: ClassVar[str] = "aiscientist"
    version: ClassVar[str] = "3"
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)
    paths: ClassVar[tuple[str, ...]] = ("path", "ratings")
    form: str = option(
        "iclr-2022", help="Review form that defines the scale of the ratings.", later=True
    )
    decisions: Mapping[str, bool | None] | None = option(
        None,
        help='Meaning of decisions: {"Invite to Archive": false}; null: neither accept nor reject.',
        later=True,
    )
    ratings: str = option("", help=f"the table of ratings; empty: {_RATINGS} in path or above it")

    def __post_init__(self) -> None:
        super().__post_init__()
        if form_named(self.form) is None:
            known = unknown_name("form", self.form, form_names())
            raise OptionError(self.name, [("form", known)])

    @property
    def scale(self) -> RatingScale | None:
        """The scale of the ratings."""
        return form_named(self.form)

    def files(self) -> Sequence[CorpusFile]:
        table = self._table()
        return [*self._texts(), *([table] if table else [])]

    def count(self) -> int:
        rows = self._rows()
        return len({found.stem for found in self._texts()} | set(rows))

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        rows = self._rows()
        table = self._table()
        texts = self._texts()
        for found in texts:
            yield self._load(found, rows.get(found.stem), table is not None)
        for id_ in sorted(set(rows) - {found.stem for found in texts}):
            yield Skipped(id_, "no text for this row of ratings", table.name if table else "")

    def _folder(self) -> Path:
        root = self.root
        if not root.is_dir():
            raise RunError(f"aiscientist: {root} is a file; set path to the folder of texts")
        return next((root / name for name in _TEXT_FOLDERS if (root / name).is_dir()), root)

    def _texts(self) -> list[CorpusFile]:
        found = files_under(self._folder(), (".txt",), deep=False, outside=False)
        if not found:
            raise RunError(f"aiscientist: {self._folder()} contains no .txt file; check path")
        return found

    def _table(self) -> CorpusFile | None:
        if self.ratings:
            given = Path(self.ratings).expanduser()
            if not given.is_file():
                raise RunError(f"aiscientist: {given} is not a file; correct the option ratings")
            return CorpusFile(given, given.name)
        folder = self._folder()
        for place in (folder, folder.resolve().parent):
            if (place / _RATINGS).is_file():
                return CorpusFile(place / _RATINGS, _RATINGS)
        return None

    def _rows(self) -> Mapping[str, Mapping[str, str]]:
        table = self._table()
        if table is None:
            return {}
        return read_table(table.path, "paper_id", ("decision",), "\t")

    def _load(
        self, found: CorpusFile, row: Mapping[str, str] | None, table: bool
    ) -> Paper | Skipped:
        draft = Draft(found.stem, found.name)
        try:
            text, repairs = read_text(found.path, self.max_bytes)
        except Unreadable as error:
            return draft.skipped(str(error))
        draft.note(*repairs)
        title = find_title(text)
        if not title:
            draft.note("no heading to use as title")
        labels = Labels()
        if row is not None:
            scale = self.scale
            scores = Scores(scale)
            for column, value in row.items():
                if column.isdecimal() and value.strip():
                    scores.add(value, None, f"rating {column}: ")
            decision = read_decision(row["decision"], self.decisions)
            labels = draft.labels(decision, scores, FoundForm(scale))
        elif table:
            draft.note("no row in the table of ratings: no labels")
        return draft.paper(text, title, labels)
