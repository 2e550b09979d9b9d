"""The corpus `yescieval`: syntheses in the layouts of YESciEval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from revkit.contracts import Context, Corpus
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import (
    CorpusFile,
    Unreadable,
    digest_of_files,
    files_passed_over,
    find_files,
    root_of,
    skip_files,
    skip_links,
)
from revkit.model.paper import Paper, Skipped
from revkit.model.values import Json
from revkit.options import option, options_of
from revkit_yescieval.corpora.answers import Answer
from revkit_yescieval.corpora.layouts import json_answers, sheet_answers

_SUFFIXES = (".xlsx", ".csv", ".json", ".jsonl")


@dataclass(frozen=True)
class YESciEval(Corpus):
    """Syntheses of sources that answer a question, from YESciEval's sheets or JSON.

    ``path`` is a file or a folder of .xlsx, .csv, .json and .jsonl files. A sheet has one question
    a row, in the columns ``research_question``, ``paper_N_title``, ``paper_N_abstract``,
    ``<model>_synthesis`` and perhaps ``mapped_domain``; each synthesis is one paper with the id
    ``row-0002-<model>`` (the row number of the spreadsheet), after the file's name if there are
    several files. Perturbed versions (``<model>_subtle_<rubric>``) and scores are not loaded. A
    JSON record has ``question``, ``answer``, ``papers`` ({title: abstract}, or a list of objects
    with title and abstract), and perhaps ``id``, ``domain`` and ``model``.

    The question and the sources are the paper's ``materials``, the domain is ``labels.topic``.
    Texts stay as they are, leading blanks included. Skipped, with the reason: empty cells, cells
    without text, files without the columns, and a synthesis that an earlier file contains
    (YESciEval's sheets repeat them). Reading .xlsx needs the extra ``revkit[yescieval]``.
    """

    name: ClassVar[str] = "yescieval"
    version: ClassVar[str] = "2"

    path: str = option(help="file or folder to read")
    models_: tuple[str, ...] = option(
        (), help="models whose syntheses are loaded from a sheet (empty: all)"
    )
    domain: str = option("", help="domain of records without one")
    max_bytes: int = option(100_000_000, minimum=1, help="larger files and records are skipped")

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        """Yield the syntheses, file by file, and before them a `Skipped` for each file that is not
        read. Raises `RunError` if there is no record."""
        files = self._files()
        others = files_passed_over(root_of(self.name, self.path), files)
        yield from skip_files(self.name, others, _SUFFIXES)
        yield from skip_links(root_of(self.name, self.path))
        empty = True
        seen: dict[tuple[str, str, str], str] = {}
        ids: set[str] = set()
        for file in files:
            prefix = "" if len(files) == 1 else f"{file.name.rpartition('.')[0]}/"
            try:
                for answer in self._answers(file, prefix):
                    empty = False
                    yield _load(answer, seen, ids)
            except Unreadable as error:
                if len(files) == 1:
                    raise RunError(f"{file.path}: {error}; correct the file or the path") from None
                yield Skipped(file.name, str(error), file.name)
        if empty:
            raise RunError(f"{self.path} contains no record; set path to a sheet or JSON file")

    def identity(self) -> Json:
        """Return the options, with the content of the files instead of their path."""
        options = {key: value for key, value in options_of(self).items() if key != "path"}
        return {**options, "content": digest_of_files(self._files())}

    def _files(self) -> list[CorpusFile]:
        return find_files(root_of(self.name, self.path), _SUFFIXES)

    def _answers(self, file: CorpusFile, prefix: str) -> Iterator[Answer | Skipped]:
        if file.name.casefold().endswith((".json", ".jsonl")):
            yield from json_answers(file, prefix, self.domain, self.max_bytes)
        else:
            yield from sheet_answers(file, prefix, self.models_, self.domain, self.max_bytes)


def _load(
    answer: Answer | Skipped, seen: dict[tuple[str, str, str], str], ids: set[str]
) -> Paper | Skipped:
    """Return the paper of an answer; it is skipped if its id or the same synthesis was loaded
    before.
    """
    if isinstance(answer, Skipped):
        return answer
    paper = answer.paper()
    if isinstance(paper, Skipped):
        return paper
    if paper.id in ids:
        return answer.skip("duplicate id")
    key = (paper.title, str(answer.extra.get("model", "")), paper.text)
    if key in seen:
        return answer.skip(f"the same synthesis as {seen[key]}")
    seen[key] = paper.id
    ids.add(paper.id)
    return paper
