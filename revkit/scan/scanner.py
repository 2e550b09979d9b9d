"""Scanner: PDF files and texts scanned one after the other, each within limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from time import monotonic

from revkit.documents import Limits
from revkit.documents.process import Ended, FileProcess
from revkit.errors import PaperError, RunError
from revkit.files import CorpusFile, Unreadable, files_under, read_bytes
from revkit.files.closeable import Closeable
from revkit.model.intake import decode
from revkit.model.paper import Skipped
from revkit.model.values import Json
from revkit.scan.results import (
    ScanResult,
    finding_from_json,
    gap_from_json,
    with_canaries,
)
from revkit.scan.texts import scan_text
from revkit.scan.word import scan_word

TEXT_ENDINGS = (".md", ".markdown", ".txt", ".tex", ".html", ".htm")
_MOST_ENDS = 10
_NO_LIBRARIES = "PDF files need libraries: pip install 'revkit[scan]'"
_MOST_BYTES = 20_000_000
_PDF_MARK = b"%PDF-"


def can_scan_pdf() -> bool:
    """Whether the libraries that scan PDF files are installed (extra ``scan``)."""
    return all(find_spec(name) is not None for name in ("pypdf", "pypdfium2"))


class Scanner(Closeable):
    """Scans files; use it in a ``with`` statement.

    PDF files are drawn in a process apart, within ``limits`` for each file. ``canaries`` are
    phrases that a venue is known to hide in its own files; a finding that holds one says so.
    ``pictures`` adds the drawn part of the page to each finding, ``authors`` keeps what is between
    title and abstract in the visible text.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        canaries: Sequence[str] = (),
        pictures: bool = False,
        authors: bool = False,
    ) -> None:
        self._limits = limits or Limits()
        self._process = FileProcess("revkit.scan.worker", self._limits)
        self._canaries = tuple(canaries)
        self._options: dict[str, Json] = {"pictures": pictures, "authors": authors}

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def scan(self, path: Path, name: str = "") -> ScanResult:
        """Scan the file at ``path``, by its ending: a PDF, a Word file or a text.

        Pages and parts of a PDF that cannot be scanned, such as one at which the process ends, are
        the ``gaps`` of the result: such a file is not safe, and a caller that needs all of it uses
        `scan_whole`. Raises `Unreadable` with
        the reason where nothing of the file can be scanned, `RunError` where a library is missing.
        """
        ending, name = path.suffix.lower(), name or path.name
        if ending == ".pdf":
            return self._scan_pdf(path, name)
        if ending == ".docx":
            return scan_word(name, path, self._limits, self._canaries)
        data = read_bytes(path, _MOST_BYTES)
        if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_PDF_MARK):
            raise Unreadable("a PDF, not text; rename the file so that its name ends in .pdf")
        try:
            text, notes = decode(data)
        except PaperError as error:
            raise Unreadable(str(error)) from None
        result = scan_text(name, text, self._canaries)
        return replace(result, notes=(*notes, *result.notes))

    def scan_whole(self, path: Path, name: str = "") -> ScanResult:
        """Scan the file at ``path`` as `scan`; raises `Unreadable` where the result has gaps.

        Anything may be hidden in a part that cannot be scanned, so nothing of such a file may be
        given to a reviewer.
        """
        result = self.scan(path, name)
        if result.gaps:
            first = result.gaps[0]
            raise Unreadable(
                f"{len(result.gaps)} parts of it cannot be scanned, first {first.place}: "
                f"{first.reason}"
            )
        return result

    def _answer(self, path: Path) -> Mapping[str, Json]:
        """The answer of the process, without the places at which it ended before."""
        without: dict[int, str] = {}
        end = monotonic() + self._limits.max_seconds
        while True:
            places: Json = [[place, reason] for place, reason in without.items()]
            try:
                left = max(1.0, end - monotonic())
                return self._process.ask(path, {**self._options, "without": places}, left)
            except Ended as error:
                if error.place is None or error.place in without or len(without) >= _MOST_ENDS:
                    raise
                without[error.place] = str(error)

    def _scan_pdf(self, path: Path, name: str) -> ScanResult:
        if not can_scan_pdf():
            raise RunError(_NO_LIBRARIES)
        answer = self._answer(path)
        rows, notes, pictures = answer["findings"], answer["notes"], answer["pictures"]
        assert isinstance(rows, list)
        assert isinstance(notes, list)
        gaps = answer["gaps"]
        assert isinstance(pictures, list)
        assert isinstance(gaps, list)
        found = [finding_from_json(row) for row in rows if isinstance(row, dict)]
        count = answer["count"]
        return ScanResult(
            name,
            count if isinstance(count, int) else None,
            with_canaries(found, self._canaries),
            str(answer["text"]),
            str(answer["title"]),
            tuple(map(str, notes)),
            tuple(map(str, pictures)),
            tuple(gap_from_json(row) for row in gaps if isinstance(row, dict)),
        )


def scan_files(root: Path, scanner: Scanner) -> Iterator[ScanResult | Skipped]:
    """Scan the files below ``root``, or ``root`` itself, ordered by name.

    A file that cannot be scanned is a `Skipped` with the reason. Raises `RunError` where there is
    no such file or folder.
    """
    if not root.exists():
        raise RunError(f"{root} does not exist; name a file or a folder of submissions")
    single = not root.is_dir()
    files = [CorpusFile(root, root.name)] if single else files_under(root, ("",))
    for file in files:
        ending = file.path.suffix.lower()
        if not single and ending not in (".pdf", ".docx", *TEXT_ENDINGS):
            reason = f"files that end in {ending} are not scanned" if ending else "no file ending"
            yield Skipped(file.name, reason, file.name)
            continue
        if not single and ending == ".pdf" and not can_scan_pdf():
            yield Skipped(file.name, _NO_LIBRARIES, file.name)
            continue
        try:
            yield scanner.scan(file.path, file.name)
        except (Unreadable, OSError) as error:
            yield Skipped(file.name, str(error), file.name)
