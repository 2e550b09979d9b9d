"""Marks and comments that people put on reviewed pairs, in a separate file."""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files.csv_cells import csv_cell

# What a reader can answer about a pair, and with which words.
QUESTIONS: Mapping[str, str] = {
    "meaning-kept": "Do the edits keep what the paper says?",
    "verdict-justified": "Is the verdict on the variant justified by its text?",
}
ANSWERS = ("yes", "no", "unsure")
LONGEST = 4_000
_READER = 80
_COLUMNS = "run, agent, paper, family, variant, reader, question, answer, comment, at"


@dataclass(frozen=True, slots=True)
class Mark:
    """One answer or comment of one reader about one pair.

    ``run`` is the digest of the records, so a mark belongs to the same answers wherever the folder
    is. ``question`` is a key of `QUESTIONS`, or "" for a comment alone; ``answer`` is "yes", "no",
    "unsure", or "" for a comment.
    """

    run: str
    agent: str
    paper: str
    family: str
    variant: int
    reader: str
    question: str
    answer: str
    comment: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class MarkAgreement:
    """Two readers on one question: the share of equal answers and Cohen's kappa over the pairs that
    both answered with yes or no. None where a number is not defined.
    """

    first: str
    second: str
    question: str
    n: int
    equal: float | None
    kappa: float | None
    low: float | None
    high: float | None


class Marks:
    """A file of marks. A second answer of one reader to one question about one pair replaces the
    first; comments are kept.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with self._open() as database:
                database.execute(
                    "CREATE TABLE IF NOT EXISTS mark (run TEXT, agent TEXT, paper TEXT, "
                    "family TEXT, variant INTEGER, reader TEXT, question TEXT, answer TEXT, "
                    "comment TEXT, at TEXT)"
                )
                database.execute(f"SELECT {_COLUMNS} FROM mark LIMIT 1")
        except (OSError, sqlite3.Error) as error:
            raise RunError(f"{path} cannot be used for marks: {error}") from None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        database = sqlite3.connect(self.path)
        try:
            with database:
                yield database
        finally:
            database.close()

    def add(self, mark: Mark) -> None:
        """Store a mark. Raises `RunError` for one without a reader, an unknown question or answer,
        or a comment that is too long."""
        _check(mark)
        at = mark.at or datetime.now(UTC).isoformat(timespec="seconds")
        values = [*(getattr(mark, field.name) for field in fields(Mark) if field.name != "at"), at]
        with self._open() as database:
            if mark.question:
                database.execute(
                    "DELETE FROM mark WHERE run = ? AND agent = ? AND paper = ? AND family = ? AND "
                    "variant = ? AND reader = ? AND question = ?",
                    values[:7],
                )
            marks = ", ".join("?" for _ in values)
            database.execute(f"INSERT INTO mark ({_COLUMNS}) VALUES ({marks})", values)

    def read(self, run: str | None = None) -> list[Mark]:
        """Return all marks, or those of the run with these records, in the order of their times."""
        where, values = ("WHERE run = ?", [run]) if run is not None else ("", [])
        statement = f"SELECT {_COLUMNS} FROM mark {where} ORDER BY at, rowid"
        with self._open() as database:
            return [Mark(*row) for row in database.execute(statement, values)]


def marks_as_csv(marks: Sequence[Mark]) -> str:
    """Return marks as CSV; a cell that a spreadsheet would compute begins with an apostrophe."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    names = [field.name for field in fields(Mark)]
    writer.writerow(names)
    for mark in marks:
        writer.writerow(csv_cell(str(getattr(mark, name))) for name in names)
    return file.getvalue()


def agreement_of(marks: Sequence[Mark]) -> list[MarkAgreement]:
    """Return how well each two readers agree on each question, with a 95 % interval of kappa."""
    answers: dict[str, dict[str, dict[tuple[object, ...], bool]]] = {}
    for mark in marks:
        if mark.question and mark.answer in ("yes", "no"):
            place = mark.run, mark.agent, mark.paper, mark.family, mark.variant
            by_reader = answers.setdefault(mark.question, {}).setdefault(mark.reader, {})
            by_reader[place] = mark.answer == "yes"
    return [
        _agreement(question, one, two, readers[one], readers[two])
        for question, readers in sorted(answers.items())
        for one, two in combinations(sorted(readers), 2)
    ]


def _agreement(
    question: str,
    one: str,
    two: str,
    first: Mapping[tuple[object, ...], bool],
    second: Mapping[tuple[object, ...], bool],
) -> MarkAgreement:
    from revkit import stats

    shared = [place for place in first if place in second]
    found = stats.cohen_kappa(
        [first[place] for place in shared], [second[place] for place in shared], unit="pair"
    )
    ends = found.kappa.interval
    return MarkAgreement(
        one,
        two,
        question,
        len(shared),
        found.observed.value,
        found.kappa.value,
        ends.low,
        ends.high,
    )


def _check(mark: Mark) -> None:
    if not mark.reader.strip() or len(mark.reader) > _READER:
        raise RunError(f"a mark needs the name of its reader, of at most {_READER} characters")
    if mark.question and (mark.question not in QUESTIONS or mark.answer not in ANSWERS):
        raise RunError(f"unknown answer {mark.answer!r} to {mark.question!r}")
    if not mark.question and not mark.comment.strip():
        raise RunError("a mark without a question needs a comment")
    if len(mark.comment) > LONGEST:
        raise RunError(f"a comment has at most {LONGEST:,} characters")
