"""Files: the user's own papers in several formats in one folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.files import CorpusFile, Unreadable
from revkit.model.paper import Paper, Skipped
from revkit.model.paper_file import PaperFile
from revkit_corpora.file_corpus import read_text
from revkit_corpora.markdown import FileOf, Markdown, ReadText
from revkit_corpora.pdf import Pdf
from revkit_corpora.word import Word

_PICTURE = re.compile(
    r"\\includegraphics\*?\s{0,9}(?:\[[^\[\]{}]{0,300}\])?\s{0,9}\{\s{0,9}(?P<name>[^{}\n]{1,300})\}"
)


@dataclass(frozen=True)
class Files(Pdf):
    """A folder of Markdown, text, LaTeX, PDF and Word files, or one file; each is one paper.

    Each file is read as by the corpus of its format: ``.md``, ``.markdown``, ``.txt`` and ``.tex``
    as by `markdown`, ``.pdf`` as by `pdf`, ``.docx`` as by `word`. The options ``authors`` and
    ``hidden`` apply to PDF and Word files, the limits of pages, seconds and memory to PDF files.
    ``scan`` applies to all files: Markdown, text, LaTeX, PDF and Word. Ids, labels and folders are
    as in `markdown`. The record of each paper names its file with the ending (``source``). PDF
    files need the extra ``pdf``.

    Files that differ in the ending alone have one id: the first by name counts, the others are
    skipped. A PDF file that a LaTeX file includes as a picture is skipped. A file of another
    format is skipped too, each with its reason.
    """

    name: ClassVar[str] = "files"
    version: ClassVar[str] = "3"
    endings: ClassVar[tuple[str, ...]] = (*Markdown.endings, *Pdf.endings, *Word.endings)

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        word = Word(
            path=self.path,
            max_bytes=self.max_bytes,
            authors=self.authors,
            hidden=self.hidden,
            scan=self.scan,
        )
        endings = {found.path.suffix.lower() for found in self._texts()}
        pictures = _Pictures.of(
            (each.path for each in files if each.path.suffix == ".tex"), self.max_bytes
        )
        with ExitStack() as stack:
            readers: dict[str, tuple[ReadText, FileOf]] = {".docx": word.readers()}
            if ".pdf" in endings:
                readers[".pdf"] = stack.enter_context(self.readers())

            def text_of(path: Path) -> tuple[str, tuple[str, ...]]:
                if path in pictures:
                    raise Unreadable("a picture of a LaTeX file, not a paper")
                reader = readers.get(path.suffix.lower())
                return self.read_file(path) if reader is None else reader[0](path)

            def file_of(path: Path) -> PaperFile | None:
                reader = readers.get(path.suffix.lower())
                return None if reader is None else reader[1](path)

            yield from self.read_with(text_of, file_of)

    def _sources(self) -> list[CorpusFile]:
        return Markdown._sources(self)


@dataclass(frozen=True)
class _Pictures:
    """The pictures that LaTeX files include: the names, and the folders below which they lie."""

    names: Mapping[str, Sequence[Path]]

    @classmethod
    def of(cls, sources: Iterable[Path], max_bytes: int) -> _Pictures:
        names: dict[str, list[Path]] = {}
        for path in sources:
            try:
                text, _ = read_text(path, max_bytes)
            except Unreadable:
                continue  # reported where it is read as a paper
            for match in _PICTURE.finditer(text):
                name = PurePosixPath(match["name"].strip()).name.removesuffix(".pdf")
                names.setdefault(name, []).append(path.parent)
        return cls(names)

    def __contains__(self, path: Path) -> bool:
        folders = self.names.get(path.stem, ()) if path.suffix.lower() == ".pdf" else ()
        return any(path.is_relative_to(folder) for folder in folders)
