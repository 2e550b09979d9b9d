"""Find the possible items of a sheet in the folders of finished runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.execution.bundle.rows import paper_of
from revkit.files import Unreadable
from revkit.files.csv_tables import CsvTable
from revkit.files.run_files import read_object, read_rows, records_file
from revkit.model.edits import Edit
from revkit.model.paper import Paper
from revkit.model.values import digest_of
from revkit.sheets.passages import Passage, passage_of, passage_of_sentence, whole_passage

MOST_BYTES = 100_000_000
"""The largest file that people fill in or write."""

Kind: TypeAlias = Literal["edit", "untouched", "rewrite", "variant", "original"]


@dataclass(frozen=True, slots=True)
class Item:
    """One item to label.

    ``group`` is what its rate is computed for: the name of a perturbation, or the kind where no
    perturbation made it. ``source`` identifies the run or file, ``paper`` the paper within it, and
    ``place`` the item within the paper.
    """

    kind: Kind
    group: str
    source: str
    paper: str
    place: str
    passage: Callable[[], Passage]

    @property
    def identity(self) -> str:
        """Return the SHA-256 of the item's origin."""
        return digest_of([self.kind, self.group, self.source, self.paper, self.place])


@dataclass(frozen=True)
class FinishedRun:
    """The papers and variants in the folder of a finished run; ``name`` is its digest."""

    folder: Path
    name: str

    @classmethod
    def open(cls, folder: Path) -> FinishedRun:
        """Open a folder. Raises `RunError` if ``folder`` is not the folder of a finished run."""
        for needed in ("result.json", "records/papers.jsonl", "records/variants.jsonl"):
            if not (folder / needed).is_file():
                raise RunError(f"{folder}: not the folder of a finished run: {needed} is missing")
        result = read_object(folder / "result.json")
        return cls(folder, str(result["experiment"]))

    def papers(self) -> dict[str, Paper]:
        """Return the papers by their ids. Raises `RunError` for a text that differs from the text
        of the run.
        """
        rows = read_rows(records_file(self.folder, "papers"))
        return {paper.id: paper for row in rows for paper in [_paper(row)]}

    def variants(self) -> Iterator[tuple[str, str, int, str, tuple[Edit, ...]]]:
        """Return paper, perturbation, index, outcome and edits of each variant, made or not."""
        for row in read_rows(records_file(self.folder, "variants")):
            edits = tuple(Edit.from_json(edit) for edit in row["edits"])
            yield row["paper"], row["perturbation"], row["index"], row["outcome"], edits


def _paper(row: dict[str, object]) -> Paper:
    if "text" not in row:
        raise RunError(f"paper {row.get('id')!r}: the run folder does not contain its text")
    return paper_of(row, row["text"], row.get("title"))


def edits_of(run: FinishedRun, perturbations: Sequence[str]) -> Iterator[Item]:
    """Return every edit of every variant that was made, grouped by perturbation and kind of
    edit.
    """
    papers = run.papers()
    for paper, perturbation, index, outcome, edits in run.variants():
        if outcome != "made" or (perturbations and perturbation not in perturbations):
            continue
        for number, edit in enumerate(edits):
            passage = partial(passage_of, papers[paper], edits, edit)
            place = f"{index}:{number}"
            group = f"{perturbation} ({edit.kind})" if edit.kind else perturbation
            yield Item("edit", group, run.name, paper, place, passage)


def untouched_of(run: FinishedRun, perturbations: Sequence[str]) -> Iterator[Item]:
    """Return every sentence of the papers that no edit of these perturbations touches."""
    edits: dict[str, list[Edit]] = {}
    for paper, perturbation, _, outcome, made in run.variants():
        if outcome == "made" and (not perturbations or perturbation in perturbations):
            edits.setdefault(paper, []).extend(made)
    for name, text in run.papers().items():
        touched = [(edit.start, edit.end) for edit in edits.get(name, ())]
        for sentence in text.sentences:
            if not any(a <= sentence.end and b >= sentence.start for a, b in touched):
                passage = partial(passage_of_sentence, text, sentence)
                yield Item("untouched", "untouched", run.name, name, str(sentence.start), passage)


def whole_papers_of(run: FinishedRun, perturbations: Sequence[str]) -> Iterator[Item]:
    """Return every variant that was made, and every original paper, as whole texts."""
    papers = run.papers()
    for name, original in papers.items():
        passage = partial(whole_passage, original, ())
        yield Item("original", "original", run.name, name, "", passage)
    for paper_id, perturbation, index, outcome, edits in run.variants():
        if outcome == "made" and (not perturbations or perturbation in perturbations):
            passage = partial(whole_passage, papers[paper_id], edits)
            yield Item("variant", perturbation, run.name, paper_id, str(index), passage)


def rewrites_in(path: Path) -> Iterator[Item]:
    """Return human rewrites from a CSV file with the columns ``before`` and ``after``.

    Raises `RunError` where a column or a text is missing.
    """
    try:
        table = CsvTable.read(path, MOST_BYTES, pad=True)
    except Unreadable as error:
        raise RunError(f"{path}: {error}") from None
    for number, row in enumerate(table.rows, start=2):
        cells = row.cells
        before, after = cells.get("before"), cells.get("after")
        if row.problem or not before or not after:
            problem = row.problem or "before and after must both contain text"
            raise RunError(f"{path}: line {row.line}: {problem}")
        passage = partial(Passage, before, after)
        name = cells.get("group") or "rewrite"
        yield Item("rewrite", name, path.name, cells.get("paper", ""), str(number), passage)
