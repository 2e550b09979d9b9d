"""The edited texts that YESciEval published, instead of edits by rules."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from revkit.contracts import Context, Perturbation
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import CorpusFile, Unreadable, digest_of_file, root_of
from revkit.files.spreadsheets import rows_of
from revkit.model import Edit, Paper, Rejection
from revkit.model.records import Expectation
from revkit.model.values import Json
from revkit.options import option
from revkit_yescieval.corpora.answers import repaired
from revkit_yescieval.perturbations.passage import Level

_LARGEST = 100_000_000
_SYNTHESIS = "_synthesis"
_QUESTION = "research_question"


@dataclass(frozen=True)
class PublishedEdit(Perturbation):
    """Replace a synthesis by its edited text in the sheets of YESciEval's authors.

    A sheet has the columns ``research_question``, ``<model>_synthesis`` and
    ``<model>_<level>_<rubric>``. A synthesis is found by its question and its own text. Rejected:
    a synthesis that the sheet does not contain, and an edited text that equals it (the authors
    shuffle or shorten texts of one sentence in vain). With the agent `recorded`, the published
    replies of a judge can be scored on exactly the texts that it read.
    """

    name: ClassVar[str] = "published-edit"
    version: ClassVar[str] = "1"
    expect: ClassVar[Expectation] = "decrease"

    rubric: str = option(help="the rubric that the edits lower, by its name in the columns")
    subtle: str = option(help="the sheet of the subtle edits (.xlsx or .csv)")
    extreme: str = option(help="the sheet of the extreme edits (.xlsx or .csv)")
    level: Level = option("subtle", help="which of the two sheets")

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "target", self.rubric)

    def identity(self) -> Json:
        """The rubric, the level, and the content of the sheet of that level."""
        path = Path(getattr(self, self.level))
        return {"rubric": self.rubric, "level": self.level, "sheet": digest_of_file(path)}

    def files_needed(self) -> Sequence[str]:
        """Both sheets."""
        return (self.subtle, self.extreme)

    def ready(self) -> Sequence[str]:
        """Return why the sheet of this level cannot be read, or lacks the rubric."""
        try:
            sheet = self._sheet()
        except RunError as error:
            return [str(error)]
        if not any(self.rubric in edits for edits in sheet.values()):
            return [f"{getattr(self, self.level)} has no edited text for {self.rubric!r}"]
        return []

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return one edit: what lies between the common start and the common end of both texts."""
        edited = self._sheet().get((paper.title, paper.text))
        if edited is None:
            return Rejection("the published sheet has another text, or none, for this question")
        text = edited.get(self.rubric, "")
        if not text.strip():
            return Rejection("the published sheet has no edited text")
        if text == paper.text:
            return Rejection("the published text is not changed")
        return [_edit_between(paper.text, text)]

    def _sheet(self) -> Mapping[tuple[str, str], Mapping[str, str]]:
        path = root_of(self.name, getattr(self, self.level))
        return _read(str(path), digest_of_file(path), self.level)


def _edit_between(old: str, new: str) -> Edit:
    start = 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[len(old) - 1 - end] == new[len(new) - 1 - end]:
        end += 1
    return Edit(start, len(old) - end, new[start : len(new) - end], "published edit")


@functools.lru_cache(maxsize=4)
def _read(path: str, _digest: str, level: str) -> Mapping[tuple[str, str], Mapping[str, str]]:
    """Return the edited texts by rubric of each synthesis, by its question and text. Raises
    `RunError`.
    """
    found: dict[tuple[str, str], dict[str, str]] = {}
    try:
        for _, cells in rows_of(CorpusFile(Path(path), Path(path).name), _LARGEST):
            question = " ".join(_text(cells.get(_QUESTION)).split())
            for name in cells:
                model = name.removesuffix(_SYNTHESIS)
                text = _text(cells[name]) if name.endswith(_SYNTHESIS) else ""
                if not text.strip():
                    continue
                prefix = f"{model}_{level}_"
                edits = {
                    column.removeprefix(prefix): _text(cell)
                    for column, cell in cells.items()
                    if column.startswith(prefix)
                }
                found.setdefault((question, text), edits)
    except Unreadable as error:
        raise RunError(f"published-edit: {path}: {error}") from None
    return found


def _text(cell: object) -> str:
    return repaired(cell)[0] if isinstance(cell, str) else ""
