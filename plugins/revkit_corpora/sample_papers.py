"""Samples: real papers that may be handed on, each with its licence and the evidence for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import CorpusFile, Unreadable, find_files, objects_in_lines
from revkit.model.paper import Labels, Paper, Skipped
from revkit.options import option
from revkit.venues import Draft
from revkit_corpora.file_corpus import FileCorpus, read_text

INDEX = "samples.jsonl"
FIELDS = ("id", "file", "title", "authors", "licence", "source", "evidence", "changes")


@dataclass(frozen=True)
class Samples(FileCorpus):
    """Real papers that are included in revkit, each under a licence that allows to distribute it.

    ``path`` is a folder with the file ``samples.jsonl``; the default is the included folder.
    Each line is an object with ``id``, ``file`` (a text file in the folder), ``title``,
    ``authors`` (a list), ``licence``, ``source`` (where the paper was published), ``evidence``
    (what proves the licence) and ``changes`` (what was changed in the text). The papers have no
    labels, so accuracy is not measured on them.

    A line without one of these fields is skipped, with the name of the field. Raises `RunError` if
    the folder has no ``samples.jsonl``.
    """

    name: ClassVar[str] = "samples"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("samples/*", "samples/papers/*")

    path: str = option(
        "package:revkit_corpora/samples",
        help="Folder with samples.jsonl and the files that it names.",
    )

    def files(self) -> Sequence[CorpusFile]:
        """Return the index and the files that it names. Raises `RunError` without an index."""
        named = {str(line.get("file")) for line in self._lines()}
        found = find_files(self.root, (".jsonl", ".txt", ".md"))
        return [each for each in found if each.name == INDEX or each.name in named]

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        """Yield one paper for each line of the index, in its order."""
        texts = {each.name: each for each in files}
        for number, line in enumerate(self._lines(), 1):
            yield self._load(number, line, texts)

    def _lines(self) -> list[dict[str, Any]]:
        index = self.root / INDEX
        if not index.is_file():
            raise RunError(
                f"{self.name}: {self.root} contains no file {INDEX}; correct the option path"
            )
        lines, problems = objects_in_lines(index.read_text(encoding="utf-8"))
        if problems:
            raise RunError(f"{self.name}: {INDEX}, {problems}")
        return lines

    def _load(
        self, number: int, line: dict[str, Any], texts: dict[str, CorpusFile]
    ) -> Paper | Skipped:
        file = str(line.get("file"))
        draft = Draft(str(line.get("id") or f"line {number}"), file)
        for field in FIELDS:
            if not line.get(field):
                return draft.skipped(f"{INDEX}, line {number}: no {field}")
        if file not in texts:
            return draft.skipped(f"{INDEX}, line {number}: {file} is not in the folder")
        try:
            text, repairs = read_text(texts[file].path, self.max_bytes)
        except Unreadable as error:
            return draft.skipped(str(error))
        draft.note(*repairs)
        draft.note(f"licence: {line['licence']}")
        return draft.paper(text, str(line["title"]), Labels())
