"""Word: the user's own papers as docx files, with an optional table of labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.documents import Limits, read_docx
from revkit.files import CorpusFile
from revkit.model.paper import Paper, Skipped
from revkit.model.paper_file import PaperFile
from revkit.options import option
from revkit.scan.word import scan_word
from revkit.venues import clean
from revkit_corpora.markdown import FileOf, Markdown, ReadText
from revkit_corpora.scans import judge_scan


@dataclass(frozen=True)
class Word(Markdown):
    """A folder of ``.docx`` files, or one file; each is one paper, converted to Markdown text.

    Headings are paragraphs with the style of a heading or an outline level, the title that with
    the style Title. Lists, tables, footnotes (``> 1 ...``) and formulas (as their characters, in
    ``$``) are kept; pictures, text boxes and deleted text of tracked changes are left out. Ids,
    labels and folders are as in `markdown`.

    What is between title and abstract is left out unless ``authors``, so that a run is blind.
    Hidden, white and tiny text is noted, and left out unless ``hidden``. With ``authors``, the
    file itself is handed to agents that read Word files, as for `pdf`.

    ``scan`` is as for `markdown`: properties, comments and pictures are scanned too, and a file
    with a finding is not handed to agents that read Word files. "strip" leaves out hidden text also
    with ``hidden``.

    A file is skipped, with its reason, if it is encrypted, damaged, empty, no Word file, more than
    40 MB when unpacked, or holds a path that leads outside it.
    """

    name: ClassVar[str] = "word"
    version: ClassVar[str] = "7"
    endings: ClassVar[tuple[str, ...]] = (".docx",)

    authors: bool = option(False, help="Keep what is between the title and the abstract.")
    hidden: bool = option(False, help="Keep text that a reader does not see.")

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        yield from self.read_with(*self.readers())

    def readers(self) -> tuple[ReadText, FileOf]:
        """Return the functions that read a Word file, and that return it if agents may get it."""
        hidden: set[Path] = set()

        def read_text(path: Path) -> tuple[str, tuple[str, ...]]:
            limits = Limits(self.max_bytes)
            keeps = self.hidden and self.scan != "strip"
            document = read_docx(path, limits, authors=self.authors, hidden=keeps)
            if document.hidden and not keeps:
                hidden.add(path)
            text, repairs = clean(document.text)
            notes = (*document.notes, *repairs)
            if self.scan == "none":
                return text, notes
            scan = scan_word(path.name, path, limits)
            if scan.findings:
                hidden.add(path)
            return self.scanned("text.md", text, notes, judge_scan(scan, self.scan))

        def file_of(path: Path) -> PaperFile | None:
            return PaperFile.at(path, "docx") if self.authors and path not in hidden else None

        return read_text, file_of

    def _sources(self) -> list[CorpusFile]:
        return []
