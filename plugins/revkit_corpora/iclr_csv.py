"""ICLR tables: submissions and reviews of ICLR 2017 as two CSV files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import CorpusFile, find_files
from revkit.model.paper import LeftOut, Skipped
from revkit_corpora.review_sets import ReviewSet, SetPaper, SetReview
from revkit_corpora.tables import read_lines, read_table

_SUBMISSIONS, _REVIEWS = "_submissions.csv", "_reviews.csv"


@dataclass(frozen=True)
class IclrTables(ReviewSet):
    """Submissions and reviews of ICLR as two CSV files: ``path`` is the folder with
    ``NAME_submissions.csv`` (PID, Decision, Title, Abstract, Keyword) and ``NAME_reviews.csv``
    (PID, Title, Review, Rating, Conf), as in github.com/DylanJoo/OpenReview.

    Decisions are codes: 0 reject, 1 oral, 2 poster, -1 invited to the workshop track. The text is
    title and abstract, unless ``texts`` holds more. Reviews belong to the papers by PID, in the
    order of the file; those of no submission are skipped. The form is that of ICLR 2017.

    The file keeps one digit of each rating, so a rating of 10 reads 1: a rating of 1 may be
    either, and is left out with a note.
    """

    name: ClassVar[str] = "iclr-tables"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)

    def files(self) -> Sequence[CorpusFile]:
        found = [
            file
            for file in find_files(self.root, (".csv",))
            if file.name.casefold().endswith((_SUBMISSIONS, _REVIEWS))
        ]
        if len(found) != 2:
            raise RunError(
                f"{self.name}: {self.root} must contain one file that ends in {_SUBMISSIONS} and "
                f"one in {_REVIEWS}, not {', '.join(file.name for file in found) or 'none'}"
            )
        return found

    def set_papers(self, files: Sequence[CorpusFile]) -> Iterator[SetPaper | Skipped]:
        table = next(file for file in files if file.name.casefold().endswith(_SUBMISSIONS))
        written = next(file for file in files if file.name.casefold().endswith(_REVIEWS))
        needed = ("Decision", "Title", "Abstract")
        rows = read_table(table.path, "PID", needed)
        reviews = _by_paper(read_lines(written.path, ("PID", "Review", "Rating")))
        for id_, row in rows.items():
            read = [_review(number, each) for number, each in enumerate(reviews.pop(id_, ()), 1)]
            yield SetPaper(
                id_,
                table.name,
                row["Title"],
                abstract=row["Abstract"],
                venues=("ICLR 2017",),
                decision=row["Decision"],
                reviews=tuple(review for review, _ in read),
                notes=tuple(note for _, note in read if note),
            )
        for id_, left in reviews.items():
            yield Skipped(id_, f"{len(left)} reviews without their submission", written.name)


def _by_paper(rows: Sequence[Mapping[str, str]]) -> dict[str, list[Mapping[str, str]]]:
    found: dict[str, list[Mapping[str, str]]] = {}
    for row in rows:
        found.setdefault(row["PID"].strip(), []).append(row)
    return found


def _review(number: int, row: Mapping[str, str]) -> tuple[SetReview, str]:
    rating: str | None = row["Rating"].strip()
    note = ""
    if rating == "1":
        note = LeftOut(f"review {number}: rating 1 may be a 10 cut to one digit: left out")
        rating = None
    fields = {"review": row["Review"]}
    return SetReview(str(number), fields, rating, row.get("Conf", "").strip() or None), note
