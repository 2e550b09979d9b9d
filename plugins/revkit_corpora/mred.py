"""MReD: meta-reviews of ICLR 2018 to 2021 with sentences labelled by annotators."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import CorpusFile, Unreadable, find_files
from revkit.model.paper import Skipped
from revkit_corpora.file_corpus import read_text
from revkit_corpora.review_sets import ReviewSet, SetPaper, SetReview

INFO, SENTENCES = "full_data_info.txt", "classification_data.txt"
_LARGEST = 200_000_000
_COLUMNS = 12
_SCORE = re.compile(r"R([0-9]{1,3}): ?([^,]{1,20})")


@dataclass(frozen=True)
class InfoRow:
    """One row of MReD's table: ids, year, decision, title, and the ratings by reviewer."""

    id: str
    forum: str
    split: str
    year: str
    decision: str
    title: str
    ratings: tuple[tuple[str, str], ...]
    line: int


@dataclass(frozen=True)
class Mred(ReviewSet):
    """MReD (Shen et al., Findings of ACL 2022): ``path`` is the folder with ``full_data_info.txt``
    and ``classification_data.txt``.

    The id of a paper is that of its forum. Ratings are those in the table, one review each without
    a text, on the form of ICLR in that year; the meta-review is the sentences of its paper. The
    data set holds no texts of papers: ``texts`` gives them.

    Measures of a meta-review: ``sentences``, and for each label the share of sentences that have
    it, such as ``weakness``. Rows that cannot be read are skipped with their line.
    """

    name: ClassVar[str] = "mred"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)

    def files(self) -> Sequence[CorpusFile]:
        found = [
            file for file in find_files(self.root, (".txt",)) if file.path.name in (INFO, SENTENCES)
        ]
        if not any(file.path.name == INFO for file in found):
            raise RunError(f"{self.name}: {self.root} contains no {INFO}; set path to its folder")
        return found

    def set_papers(self, files: Sequence[CorpusFile]) -> Iterator[SetPaper | Skipped]:
        info = next(file for file in files if file.path.name == INFO)
        sentences: Mapping[str, _MetaReview] = {}
        for file in files:
            if file.path.name == SENTENCES:
                sentences = _meta_reviews(file.path)
        skipped: list[Skipped] = []
        for row in read_info(info.path, info.name, skipped).values():
            meta = sentences.get(row.id)
            reviews = [SetReview(name, {}, rating) for name, rating in row.ratings]
            if meta is not None:
                fields = {"metareview": meta.text}
                reviews.append(SetReview("meta", fields, meta=True, measures=meta.measures))
            yield SetPaper(
                row.forum,
                f"{info.name}:{row.line}",
                row.title,
                venues=(f"ICLR {row.year}",),
                decision=row.decision,
                reviews=tuple(reviews),
                extra={"mred-id": row.id, "split": row.split},
                notes=() if meta else ("no meta-review",),
            )
        yield from skipped


def read_info(
    path: Path, name: str = "", skipped: list[Skipped] | None = None
) -> dict[str, InfoRow]:
    """Return the rows of ``full_data_info.txt`` by forum, in the order of the file; rows that do
    not have 12 columns with a link to a forum are added to ``skipped``. Raises `RunError` if the
    file cannot be read.
    """
    rows: dict[str, InfoRow] = {}
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        cells = line.split("\t")
        forum = cells[8].rpartition("id=")[2].strip() if len(cells) == _COLUMNS else ""
        place = f"{name or path.name}:{number}"
        if not forum or forum in rows:
            reason = "the forum occurs twice" if forum else "not a row of 12 columns with a forum"
            if skipped is not None:
                skipped.append(Skipped(forum or place, reason, place))
            continue
        ratings = tuple((f"R{who}", score.strip(" .")) for who, score in _SCORE.findall(cells[4]))
        split, id_, year, _, _, _, decision, title = (cell.strip() for cell in cells[:8])
        rows[forum] = InfoRow(id_, forum, split, year, decision, title, ratings, number)
    return rows


@dataclass
class _MetaReview:
    sentences: list[str] = field(default_factory=list)
    labels: Counter[str] = field(default_factory=Counter)

    @property
    def text(self) -> str:
        return " ".join(self.sentences)

    @property
    def measures(self) -> dict[str, float]:
        count = len(self.sentences)
        shares = {label: number / count for label, number in sorted(self.labels.items())}
        return {"sentences": float(count), **shares}


def _meta_reviews(path: Path) -> dict[str, _MetaReview]:
    found: dict[str, _MetaReview] = {}
    for line in _text(path).split("\n"):
        cells = line.split("\t")
        if len(cells) == 3 and cells[0].strip():
            meta = found.setdefault(cells[0].strip(), _MetaReview())
            meta.sentences.append(cells[1].strip())
            meta.labels[cells[2].strip()] += 1
    return found


def _text(path: Path) -> str:
    try:
        return read_text(path, _LARGEST)[0]
    except Unreadable as error:
        raise RunError(f"{path}: {error}; correct the file") from None
