"""PDF: the user's own papers as PDF files, with an optional table of labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from revkit.documents import Limits, PdfReader, can_read_pdf
from revkit.errors import RunError
from revkit.files import CorpusFile
from revkit.model.paper import Paper, Skipped
from revkit.model.paper_file import PaperFile
from revkit.options import option
from revkit.venues import clean
from revkit_corpora.markdown import Markdown
from revkit_corpora.reading import MAX_BYTES


@dataclass(frozen=True)
class Pdf(Markdown):
    """A folder of ``.pdf`` files, or one file; each is one paper, converted to Markdown text.

    Columns are read one after the other; headings are found by size, weight and number. Running
    heads, page numbers and line numbers are left out, words in figures too. Footnotes are quotes
    (``> 1 ...``), formulas ``$$``, entries of the reference list a paragraph each. Ids, labels and
    folders are as in `markdown`. Needs the extra ``pdf``.

    What is between title and abstract is left out unless ``authors``, so that a run is blind. Text
    that a reader does not see (transparent, white, tiny, clipped, covered, outside the page) is
    noted, and left out unless ``hidden``.

    With ``authors``, the file itself is handed to agents that read PDF files, in a run without
    variants: see `re-typeset` for the other runs. A file with hidden text is handed over only if
    ``hidden``. All other agents get the text, or a file that our writers made from it.

    A file is skipped, with its reason, if it is encrypted, damaged, scanned without text, empty, no
    PDF, or beyond one of the limits. Files are read in a process apart, so none ends the run.
    """

    name: ClassVar[str] = "pdf"
    version: ClassVar[str] = "2"
    endings: ClassVar[tuple[str, ...]] = (".pdf",)

    max_bytes: int = option(
        MAX_BYTES, minimum=1, help="a file or record of more bytes than this is skipped"
    )
    authors: bool = option(False, help="Keep what is between the title and the abstract.")
    hidden: bool = option(False, help="Keep text that a reader does not see.")
    max_pages: int = option(
        Limits.max_pages, minimum=1, help="A file of more pages than this is skipped."
    )
    max_seconds: int = option(
        Limits.max_seconds, minimum=1, help="A file that takes longer than this is skipped."
    )
    max_megabytes: int = option(
        Limits.max_megabytes,
        minimum=200,
        help="Memory to read one file with, where the system has such a limit.",
    )

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        if not can_read_pdf():
            raise RunError(
                'pdf: install the library that reads PDF files: pip install "revkit[pdf]"'
            )
        limits = Limits(self.max_bytes, self.max_pages, self.max_seconds, self.max_megabytes)
        with PdfReader(limits, authors=self.authors, hidden=self.hidden) as reader:
            hidden: set[Path] = set()

            def read_text(path: Path) -> tuple[str, tuple[str, ...]]:
                document = reader.read(path)
                if document.hidden and not self.hidden:
                    hidden.add(path)
                text, repairs = clean(document.text)
                return text, (*document.notes, *repairs)

            def file_of(path: Path) -> PaperFile | None:
                return PaperFile.at(path, "pdf") if self.authors and path not in hidden else None

            yield from self.read_with(read_text, file_of)

    def _sources(self) -> list[CorpusFile]:
        return []
