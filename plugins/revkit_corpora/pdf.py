"""PDF: the user's own papers as PDF files, with an optional table of labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.documents import Limits, PdfReader, can_read_pdf
from revkit.errors import RunError
from revkit.files import CorpusFile
from revkit.model.paper import Paper, Skipped
from revkit.model.paper_file import PaperFile
from revkit.options import option
from revkit.scan import Scanner, ScanResult
from revkit.venues import clean
from revkit_corpora.file_corpus import MAX_BYTES
from revkit_corpora.markdown import FileOf, Markdown, ReadText
from revkit_corpora.scans import finding_notes, judge_scan


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

    ``scan`` draws each page, and looks for text that a program reads and a reader of the file does
    not see (`revkit.scan`; needs the extra ``scan``). "report" notes each finding of a paper;
    "strip" also gives agents only the text that a reader sees; "refuse" skips a paper with a
    finding, so that a person decides. A finding does not accuse anybody: venues and programs hide
    text too. A file that cannot be scanned as a whole is skipped in each of the three modes, and a
    file with a finding is not handed to agents that read PDF files.

    A file is skipped, with its reason, if it is encrypted, damaged, scanned without text, empty, no
    PDF, or beyond one of the limits. Files are read in a process apart, so none ends the run.
    """

    name: ClassVar[str] = "pdf"
    version: ClassVar[str] = "7"
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
        with self.readers() as readers:
            yield from self.read_with(*readers)

    @contextmanager
    def readers(self) -> Iterator[tuple[ReadText, FileOf]]:
        """Yield the functions that read a PDF file, and that return it if agents may get it.

        Raises `RunError` without the library.
        """
        if not can_read_pdf():
            raise RunError(
                f'{self.name}: install the library that reads PDF files: pip install "revkit[pdf]"'
            )
        limits = Limits(self.max_bytes, self.max_pages, self.max_seconds, self.max_megabytes)
        with (
            PdfReader(limits, authors=self.authors, hidden=self.hidden) as reader,
            Scanner(limits, authors=self.authors) as scanner,
        ):
            hidden: set[Path] = set()

            def read_text(path: Path) -> tuple[str, tuple[str, ...]]:
                scan = None if self.scan == "none" else self._scanned(scanner, path)
                if scan is not None and scan.findings:
                    hidden.add(path)
                if scan is not None and self.scan == "strip":
                    text, repairs = clean(scan.text)
                    return text, (*finding_notes(scan), *scan.notes, *repairs)
                document = reader.read(path)
                if document.hidden and not self.hidden:
                    hidden.add(path)
                text, repairs = clean(document.text)
                found = () if scan is None else finding_notes(scan)
                return text, (*found, *document.notes, *repairs)

            def file_of(path: Path) -> PaperFile | None:
                return PaperFile.at(path, "pdf") if self.authors and path not in hidden else None

            yield read_text, file_of

    def _scanned(self, scanner: Scanner, path: Path) -> ScanResult:
        """The scan of a file. Raises `Unreadable` where a person must decide."""
        scan = scanner.scan_whole(path)
        judge_scan(scan, self.scan)
        return scan

    def _sources(self) -> list[CorpusFile]:
        return []
