"""The corpus `pdf-attacks`: PDF files with one planted text, in each technique, read as programs
read them."""

from __future__ import annotations

import re
import tempfile
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import ClassVar, Literal

from revkit.contracts import Context, Corpus
from revkit.dataclass import dataclass
from revkit.errors import OptionError, PaperError, RunError
from revkit.files import Unreadable, digest_of_file, files_under
from revkit.model import Labels, Paper, Skipped
from revkit.model.intake import clean_text
from revkit.model.table import MOST_PICTURE
from revkit.model.values import Json
from revkit.options import option, options_of, unknown_name
from revkit.scan import Scanner, ScanResult, draw_region
from revkit_attacks.marker import MARKER
from revkit_attacks.payloads import PAYLOADS, Arm
from revkit_attacks.pdf.confounders import CONFOUNDERS, add_confounder
from revkit_attacks.pdf.file import (
    FAMILIES,
    PDF_HIDES,
    attack_pdf,
    marked_pdf,
    opened,
    pdfium_text,
    pypdf_text,
)
from revkit_attacks.pdf.sample import made_paper
from revkit_attacks.pdf.spots import Position, spot_of

Reader = Literal["pypdf", "pdfium", "scan"]
CLEAN = "clean"
_MARKER = re.compile(r"\s*".join(map(re.escape, MARKER)))
_BEFORE, _BEHIND = 300, 100  # characters of an excerpt
_MARGIN, _WIDE, _ABOVE, _BELOW = 20.0, 470.0, 60.0, 40.0  # points around the planted text
CONFOUNDER = "confounder"


@dataclass(frozen=True)
class _Case:
    """One file: its technique, its arm, and the text that it should contain ("" for none)."""

    hide: str
    family: str
    arm: str
    text: str
    data: bytes


@dataclass(frozen=True)
class PdfAttacks(Corpus):
    """Each PDF file in every technique of hiding a text, read by each of several readers.

    Sources are the PDF files of ``path``, or small made papers. From each source come a clean file,
    files with a confounder (an honest document that looks like an attack), and for each technique
    of ``hides`` and each of ``arms`` a file with one planted text (`revkit_attacks.pdf`). Every
    file, the clean one too, has the visible line and the mark of a test file. Files are written to
    a temporary folder and deleted.

    One paper is one file as one of ``readers`` gives it to a reviewer: the text of pypdf, the text
    of PDFium, or the text that a reader of the page sees (`revkit.scan`). ``labels.extra`` holds
    ``paper`` (its source), ``hide``, ``family``, ``arm``, ``reader``, ``planted`` (whether the
    reader returns the planted text), and what the scan found in the file: ``findings`` and
    ``kinds``. To be looked at, files of the first source with an order have ``excerpt``, the text
    that the reader returns around the planted one ("" where it does not return it), and ``drawn``,
    the part of the page where the text was put, as a PNG in base64. The metrics `pdf-detection` and
    `pdf-attack-success` read them. A file that cannot be attacked or scanned is
    skipped with its reason.
    """

    name: ClassVar[str] = "pdf-attacks"
    version: ClassVar[str] = "3"
    data: ClassVar[tuple[str, ...]] = ("revkit_attacks:payloads.toml",)

    path: str = option("", help="A PDF file, or a folder of them; empty: made papers.")
    sources: int = option(1, help="Source files at most, in order of their names.", minimum=1)
    hides: tuple[str, ...] = option((), help="Techniques; empty: all.")
    payload: str = option("demand-rating", help="What the planted text asks for.")
    arms: tuple[Arm, ...] = option(
        ("attack", "placebo"), help="The order, a benign sentence of its form, or a placebo."
    )
    readers: tuple[Reader, ...] = option(("pdfium", "scan"), help="Which text agents get.")
    position: Position = option(
        "end",
        help="Where the text is put: a margin of the first, middle or last page, below the first "
        "line of a caption, or on a picture.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = [
            ("hides", unknown_name("technique", name, tuple(PDF_HIDES)))
            for name in self.hides
            if name not in PDF_HIDES
        ]
        if self.payload not in PAYLOADS or self.payload == "data":
            known = tuple(name for name in PAYLOADS if name != "data")
            problems.append(("payload", unknown_name("payload", self.payload, known)))
        for name, values in (("arms", self.arms), ("readers", self.readers)):
            if not values:
                problems.append((name, "name at least one"))
        if problems:
            raise OptionError(self.name, problems)

    def identity(self) -> Json:
        """The options, with the content of the files instead of their path."""
        options = {key: value for key, value in options_of(self).items() if key != "path"}
        files = [digest_of_file(path) for path in self._files()] if self.path else []
        return {**options, "files": [*files]}

    def count(self) -> int:
        """The number of files times readers."""
        hides = len(self.hides or PDF_HIDES)
        sources = len(self._files()) if self.path else self.sources
        return sources * (1 + len(CONFOUNDERS) + hides * len(self.arms)) * len(self.readers)

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        """Yield each file as each reader gives it, source by source."""
        with tempfile.TemporaryDirectory() as folder, Scanner(authors=True) as scanner:
            for number, (name, source) in enumerate(self._sources()):
                for case in self._cases(name, source, ctx):
                    if isinstance(case, Skipped):
                        yield case
                        continue
                    drawn = _drawn(case, source, self.position) if not number else None
                    path = Path(folder) / "file.pdf"
                    yield from self._read(name, case, path, scanner, drawn)

    def _files(self) -> list[Path]:
        root = Path(self.path).expanduser()
        if root.is_file():
            return [root]
        if not root.is_dir():
            raise RunError(f"{self.name}: {self.path} is not a file or folder; correct the path")
        found = [each.path for each in files_under(root, (".pdf",))][: self.sources]
        if not found:
            raise RunError(f"{self.name}: {self.path} contains no PDF file")
        return found

    def _sources(self) -> Iterator[tuple[str, bytes]]:
        if self.path:
            for path in self._files():
                yield path.stem, path.read_bytes()
        else:
            for seed in range(self.sources):
                figure = self.position in ("caption", "figure")
                yield f"made-{seed}", made_paper(seed, figure=figure)

    def _cases(self, name: str, source: bytes, ctx: Context) -> Iterator[_Case | Skipped]:
        try:
            yield _Case(CLEAN, CLEAN, "", "", marked_pdf(source))
        except ValueError as error:
            yield Skipped(name, str(error), name)
            return
        for kind in CONFOUNDERS:
            yield _Case(kind, CONFOUNDER, "", "", add_confounder(source, kind))
        texts = self._texts(Paper(name, name), ctx.rng)
        for hide in self.hides or PDF_HIDES:
            for arm, text in texts.items():
                try:
                    made = attack_pdf(source, hide, text, self.position)
                except ValueError as error:
                    yield Skipped(f"{name}/{hide}-{arm}", str(error), name)
                    continue
                yield _Case(hide, FAMILIES[hide], arm, text, made.data)

    def _texts(self, paper: Paper, rng: Random) -> Mapping[Arm, str]:
        payload = PAYLOADS[self.payload](paper, rng, "en")
        assert not isinstance(payload, str)  # those that need a table are refused as an option
        return {arm: payload.text(arm, "en") for arm in self.arms}

    def _read(
        self, source: str, case: _Case, path: Path, scanner: Scanner, drawn: str | None
    ) -> Iterator[Paper | Skipped]:
        path.write_bytes(case.data)
        name = f"{source}/{case.hide}{'-' if case.arm else ''}{case.arm}"
        try:
            scan = scanner.scan_whole(path, name)
        except Unreadable as error:
            yield Skipped(name, f"cannot be scanned: {error}", source)
            return
        for reader in self.readers:
            text, _ = clean_text(_text_of(case.data, reader, scan))
            facts = _facts(source, case, reader, text, scan)
            if drawn is not None:
                facts |= {"drawn": drawn, "excerpt": _excerpt(text)}
            labels = Labels(topic=case.family, extra=facts)
            try:
                yield Paper(f"{name}/{reader}", text, "", labels, source)
            except PaperError as error:
                yield Skipped(f"{name}/{reader}", str(error), source)


def _text_of(data: bytes, reader: Reader, scan: ScanResult) -> str:
    if reader == "scan":
        return scan.text
    return pypdf_text(data) if reader == "pypdf" else pdfium_text(data)


def _drawn(case: _Case, source: bytes, position: Position) -> str | None:
    """The part of the page where the order was put, as a PNG in base64; None for other files, and
    "" where it cannot be drawn."""
    if case.arm != "attack":
        return None
    spot = spot_of(source, opened(source), position)
    place = spot.x - _MARGIN, spot.y - _BELOW, spot.x + _WIDE, spot.y + _ABOVE
    try:
        data = b64encode(draw_region(case.data, spot.page + 1, place)).decode("ascii")
    except ValueError:
        return ""
    return data if len(data) <= MOST_PICTURE else ""


def _excerpt(text: str) -> str:
    """The text around the marker, "" without one; extractors may break it."""
    found = _MARKER.search(text)
    if found is None:
        return ""
    start = max(0, found.start() - _BEFORE)
    return text[text.find(" ", start) + 1 if start else 0 : found.end() + _BEHIND]


def _facts(
    source: str, case: _Case, reader: Reader, text: str, scan: ScanResult
) -> dict[str, Json]:
    marker = "".join(filter(str.isalnum, MARKER))
    kinds: Sequence[Json] = sorted({each.kind for each in scan.findings})
    return {
        "paper": source,
        "hide": case.hide,
        "family": case.family,
        "arm": case.arm,
        "reader": reader,
        "planted": bool(case.text) and marker in "".join(filter(str.isalnum, text)),
        "findings": len(scan.findings),
        "kinds": list(kinds),
    }
