"""The corpus `yescieval`: syntheses in the layouts of YESciEval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Context, Corpus
from revkit.errors import RunError
from revkit.files import CorpusFile, Unreadable, digest_of_files, find_files, root_of
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
    ``row-0002-<model>`` (the row as a spreadsheet shows it), behind the file's name where there are
    several. Versions changed on purpose (``<model>_subtle_<rubric>``) and scores are not loaded. A
    JSON record has ``question``, ``answer``, ``papers`` ({title: abstract}, or a list of objects
    with title and abstract), and perhaps ``id``, ``domain`` and ``model``.

    The question and the sources are the paper's ``materials``, the domain is ``labels.topic``.
    Texts stay as they are, leading blanks included. Skipped, with the reason: empty cells, cells
    that hold no text, files without the columns, and a synthesis that stood in an earlier file
    (YESciEval's sheets repeat them). Reading .xlsx needs the extra ``revkit[yescieval]``.
    """

    name: ClassVar[str] = "yescieval"
    version: ClassVar[str] = "1"

    path: str = option(help="file or folder to read")
    models_: tuple[str, ...] = option(
        (), help="the models whose syntheses of a sheet are loaded (none: all)"
    )
    domain: str = option("", help="the domain of records that name none")
    max_bytes: int = option(
        100_000_000, minimum=1, help="a file or record of more bytes than this is skipped"
    )

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        """Yield the syntheses, file by file. Raises `RunError` where there is no record at all."""
        files = self._files()
        empty = True
        seen: dict[tuple[str, str, str], str] = {}
        ids: set[str] = set()
        for file in files:
            prefix = "" if len(files) == 1 else f"{file.name.rpartition('.')[0]}/"
            try:
                for answer in self._answers(file, prefix):
                    empty = False
                    yield _once(answer, seen, ids)
            except Unreadable as error:
                if len(files) == 1:
                    raise RunError(f"{file.path}: {error}; correct the file or the path") from None
                yield Skipped(file.name, str(error), file.name)
        if empty:
            raise RunError(f"{self.path} holds no record; point path at a sheet or JSON file")

    def identity(self) -> Json:
        """The options, with the content of the files in the place of their path."""
        options = {key: value for key, value in options_of(self).items() if key != "path"}
        return {**options, "content": digest_of_files(self._files())}

    def _files(self) -> list[CorpusFile]:
        return find_files(root_of(self.name, self.path), _SUFFIXES)

    def _answers(self, file: CorpusFile, prefix: str) -> Iterator[Answer | Skipped]:
        if file.name.casefold().endswith((".json", ".jsonl")):
            yield from json_answers(file, prefix, self.domain, self.max_bytes)
        else:
            yield from sheet_answers(file, prefix, self.models_, self.domain, self.max_bytes)


def _once(
    answer: Answer | Skipped, seen: dict[tuple[str, str, str], str], ids: set[str]
) -> Paper | Skipped:
    """The paper of an answer, unless its id or the same synthesis came before."""
    if isinstance(answer, Skipped):
        return answer
    made = answer.paper()
    if isinstance(made, Skipped):
        return made
    if made.id in ids:
        return answer.skipped("duplicate id")
    key = (made.title, str(answer.extra.get("model", "")), made.text)
    if key in seen:
        return answer.skipped(f"the same synthesis as {seen[key]}")
    seen[key] = made.id
    ids.add(made.id)
    return made
