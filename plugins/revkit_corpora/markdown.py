"""Markdown: the user's own papers, one file for each, with an optional table of labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.errors import PaperError, RunError
from revkit.files import CorpusFile, Unreadable, files_under, find_files, links_out, read_bytes
from revkit.model.intake import decode
from revkit.model.paper import Labels, LeftOut, Paper, Skipped
from revkit.model.paper_file import PaperFile
from revkit.options import option
from revkit.papers import (
    STRAY_PIECE,
    find_title,
    is_stray_piece,
    parts_of_trees,
    read_latex_tree,
)
from revkit.scan import ScanResult, scan_text
from revkit.venues import (
    Decision,
    Declared,
    Draft,
    FoundForm,
    Scores,
    read_decision,
    scale_from_text,
)
from revkit_corpora.file_corpus import ReviewedCorpus, read_text
from revkit_corpora.scans import ScanMode, judge_scan
from revkit_corpora.tables import read_table

FileOf = Callable[[Path], PaperFile | None]
ReadText = Callable[[Path], tuple[str, tuple[str, ...]]]
_COLUMNS = ("id", "accept", "decision", "ratings", "confidences", "rating_scale", "topic")


@dataclass(frozen=True)
class Markdown(ReviewedCorpus):
    """A folder of ``.md``, ``.markdown``, ``.txt`` and ``.tex`` files, or one file; each is one
    paper.

    Folders within are read too. The id is the name within ``path`` without its suffix
    ("2604.01960", "2024/paper3"); names that begin with a dot are not papers. The title is the
    first heading, the ``title:`` of YAML or ``\\title{...}``. A ``.tex`` file is read with the
    files that it inputs, which then are not papers, and with its ``.bbl`` or ``.bib`` file.
    ``labels`` is a CSV file with the column ``id`` and any of ``accept`` (true or false),
    ``decision`` (the venue's wording), ``ratings`` and ``confidences`` (numbers between
    semicolons), ``rating_scale`` (a name) and ``topic``; another column is an error, since it may
    be one of these misspelt.

    Rules. Where accept and decision contradict each other accept is None, with a note. Confidences
    of another number than the ratings are left out, with a note. A row of labels without a file is
    skipped, after all files; a file without a row has no labels. In a folder, a LaTeX file without
    ``\\documentclass``, title, abstract and introduction is skipped beside a document that does not
    include it. Two files that differ in suffix
    alone have one id: the second is skipped.

    ``scan`` looks in each file for text that a program reads and a reader does not see, as
    `revkit scan` does (in LaTeX, also in the files that it inputs). "report" notes each finding of
    a paper; "strip" also gives agents only the text that a reader sees; "refuse" skips a paper with
    a finding, so that a person decides. A finding does not accuse anybody: venues and programs hide
    text too.
    """

    name: ClassVar[str] = "markdown"
    version: ClassVar[str] = "7"
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)
    paths: ClassVar[tuple[str, ...]] = ("path", "labels")
    endings: ClassVar[tuple[str, ...]] = (".md", ".markdown", ".txt", ".tex")
    labels: str = option("", help="CSV file with columns id, accept, decision, ratings, ...")
    scan: ScanMode = option(
        "none", help="What to do about text that a reader does not see.", later=True
    )

    def files(self) -> Sequence[CorpusFile]:
        table = self._table()
        labels = [CorpusFile(table, table.name)] if table else []
        return [*self._texts(), *labels, *self._sources()]

    def count(self) -> int:
        texts = self._texts()
        others = len(self.passed_over()) + len(links_out(self.root))
        return others + len(texts) + len(set(self._rows()) - {self.id_of(found) for found in texts})

    def most_papers(self) -> int:
        return len(self._texts())

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        yield from self.read_with(self.read_file)

    def read_with(self, read: ReadText, file_of: FileOf | None = None) -> Iterator[Paper | Skipped]:
        """Yield the papers, each with the text and the notes that ``read`` returns for its file,
        or raises `Unreadable`. ``file_of``, asked after it, returns the file if agents may get it
        unchanged."""
        rows = self._rows()
        texts = self._texts()
        for found in texts:
            item = self._load(found, rows, read)
            if isinstance(item, Paper) and file_of is not None:
                item = replace(item, file=file_of(found.path))
            yield item
        for id_ in sorted(set(rows) - {self.id_of(found) for found in texts}):
            yield Skipped(id_, "no file for this row of labels", Path(self.labels).name)

    def id_of(self, found: CorpusFile) -> str:
        """The id of the paper in a file: its name within ``path`` without its suffix."""
        folder, _, _ = found.name.rpartition("/")
        return f"{folder}/{found.stem}" if folder else found.stem

    def _texts(self) -> list[CorpusFile]:
        found = find_files(self.root, self.endings)
        parts = parts_of_trees(each.path for each in found if each.path.suffix == ".tex")
        return [each for each in found if each.path.resolve() not in parts] if parts else found

    def _sources(self) -> list[CorpusFile]:
        """Return the sources that the LaTeX files among the papers include."""
        if not self.root.is_dir():
            return []
        found = files_under(self.root, (".tex", ".bib", ".bbl"), outside=False)
        texts = {each.path for each in self._texts()}
        if not any(path.suffix == ".tex" for path in texts):
            return []
        return [each for each in found if each.path not in texts]

    def _read(self, path: Path) -> tuple[str, tuple[str, ...]]:
        if path.suffix != ".tex":
            return read_text(path, self.max_bytes)
        root = self.root if self.root.is_dir() else self.root.parent
        try:
            if self.root.is_dir() and is_stray_piece(path, root):
                raise Unreadable(STRAY_PIECE)
            return read_latex_tree(path, root, self.max_bytes)
        except PaperError as error:
            raise Unreadable(str(error)) from None

    def read_file(self, path: Path) -> tuple[str, tuple[str, ...]]:
        """The text of a Markdown, text or LaTeX file and its notes, after the scan. Raises
        `Unreadable`."""
        text, notes = self._read(path)
        if self.scan == "none":
            return text, notes
        found = judge_scan(_scan_file(path, text, self.max_bytes), self.scan)
        # In LaTeX the files that this one inputs are part of the text.
        return self.scanned(path.name, text, notes, found)

    def scanned(
        self, name: str, text: str, notes: Sequence[str], found: Sequence[str] = ()
    ) -> tuple[str, tuple[str, ...]]:
        """The text of the file ``name`` that agents get and its notes, after a scan of ``text``;
        ``found`` are notes on the file itself. Raises `Unreadable`."""
        if self.scan == "none":
            return text, (*found, *notes)
        scan = scan_text(name, text)
        said = dict.fromkeys((*found, *judge_scan(scan, self.scan), *notes))
        return (scan.text if self.scan == "strip" else text), tuple(said)

    def _table(self) -> Path | None:
        if not self.labels:
            return None
        table = Path(self.labels).expanduser()
        if not table.is_file():
            raise RunError(f"{self.name}: {table} is not a file; correct the option labels")
        return table

    def _rows(self) -> Mapping[str, Mapping[str, str]]:
        table = self._table()
        return read_table(table, "id", known=_COLUMNS) if table else {}

    def _load(
        self, found: CorpusFile, rows: Mapping[str, Mapping[str, str]], read: ReadText
    ) -> Paper | Skipped:
        draft = Draft(self.id_of(found), found.name)
        try:
            text, repairs = read(found.path)
        except Unreadable as error:
            return draft.skipped(str(error))
        draft.note(*repairs)
        title = find_title(text)
        if not title:
            draft.note("no heading to use as title")
        row = rows.get(self.id_of(found))
        if row is None and rows:
            draft.note("no row in the table of labels: no labels")
        return draft.paper(text, title, _labels(draft, row, self.declared) if row else Labels())


def _scan_file(path: Path, text: str, most_bytes: int) -> ScanResult:
    """The scan of what the file at ``path`` holds, before it is repaired; ``text`` is what was read
    from it."""
    try:
        return scan_text(path.name, decode(read_bytes(path, most_bytes))[0])
    except PaperError:
        return scan_text(path.name, text)


def _labels(draft: Draft, row: Mapping[str, str], declared: Declared) -> Labels:
    named = draft.line(row.get("rating_scale"), "rating_scale")
    scale = declared.scale or scale_from_text(named)
    scores = Scores(scale, declared.ratings)
    ratings = _cells(row.get("ratings", ""))
    confidences = _cells(row.get("confidences", ""))
    if len(confidences) != len(ratings):
        if confidences:
            given = f"{len(confidences)} confidences for {len(ratings)} ratings"
            draft.note(LeftOut(f"{given}: left out"))
        confidences = [""] * len(ratings)
    for rating, confidence in zip(ratings, confidences, strict=True):
        scores.add(rating, confidence)
    return draft.labels(
        _decision(draft, row.get("accept", ""), row.get("decision", ""), declared),
        scores,
        FoundForm(scale, (named,) if named else ()),
        venue=named,
        topic=draft.line(row.get("topic"), "topic"),
    )


def _cells(cell: str) -> list[str]:
    return [part.strip() for part in re.split(r"[;|]", cell)] if cell.strip() else []


def _decision(draft: Draft, accept: str, wording: str, declared: Declared) -> Decision:
    """Join the two columns: the accept column states yes or no, the decision column the kind."""
    stated = read_decision(accept, declared.decisions)
    worded = read_decision(wording, declared.decisions)
    draft.note(stated.note)
    if not accept.strip() or stated.accept is None:
        return worded if wording.strip() or not stated.unmapped else stated
    if not wording.strip():
        return Decision(stated.accept)
    if worded.accept is None:
        # The user's own yes or no is next to a wording that says neither.
        return Decision(stated.accept, worded.wording)
    if worded.accept is not stated.accept:
        draft.note(
            f"accept is {accept.strip()!r}, but decision is {worded.wording!r}: neither counts"
        )
        return Decision(None, worded.wording)
    return worded
