"""Bad PDF files: each is refused with its reason, and the next file is read all the same."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from revkit.documents import Limits, PdfReader
from revkit.files import Unreadable
from tests.documents.pdf_files import column, show, write_pdf

pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
GOOD = show("A Study of Gates", 72, 700, 18, "B") + column(
    ["Gates were counted in 12 towns."], 72, 600
)


def encrypted(path: Path) -> None:
    from pypdf import PdfWriter

    write_pdf(path, GOOD.encode())
    writer = PdfWriter(clone_from=path)
    writer.encrypt("secret")
    writer.write(path)


def scanned(path: Path) -> None:
    image = (
        b"BI /W 8 /H 8 /CS /G /BPC 8 ID " + bytes(range(64)) + b" EI"
    )  # an image of 64 grey points
    write_pdf(path, b"q 600 0 0 700 0 0 cm " + image + b" Q", pages=2)


def cut(path: Path) -> None:
    write_pdf(path, GOOD.encode())
    path.write_bytes(path.read_bytes()[:120])


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda path: path.write_bytes(b""), "the file is empty"),
    "html": (
        lambda path: path.write_bytes(b"<!DOCTYPE html><html><body>Sign in</body></html>"),
        "not a PDF: it is HTML or XML",
    ),
    "text": (lambda path: path.write_bytes(b"a paper"), "not a PDF: no %PDF- mark"),
    "garbage": (
        lambda path: path.write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 20),
        "damaged: no page of it can be read",
    ),
    "cut": (cut, "damaged: no page of it can be read"),
    "encrypted": (encrypted, "encrypted: it opens with a password only"),
    "scanned": (scanned, "scanned: its pages are pictures without text"),
    "blank": (lambda path: write_pdf(path, b""), "no text"),
    "long": (
        lambda path: write_pdf(path, GOOD.encode(), pages=2_000),
        "2,000 pages, more than max-pages (300)",
    ),
    "folder": (lambda path: path.mkdir(), "cannot be read: Is a directory"),
}


@pytest.fixture(scope="module")
def reader() -> Iterator[PdfReader]:
    with PdfReader() as reader:
        yield reader


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_refused_with_its_reason(
    kind: str, tmp_path: Path, reader: PdfReader
) -> None:
    make, reason = BAD[kind]
    make(tmp_path / "bad.pdf")
    write_pdf(tmp_path / "good.pdf", GOOD.encode())
    with pytest.raises(Unreadable) as error:
        reader.read(tmp_path / "bad.pdf")
    assert str(error.value) == reason
    assert reader.read(tmp_path / "good.pdf").title == "A Study of Gates"


def bomb(path: Path, megabytes: int) -> None:
    """A page whose content is ``megabytes`` large and whose file is a thousandth of it."""
    part = b"BT /F 9 Tf 9 700 Td (more) Tj ET\n" * 30_000
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(part) for _ in range(megabytes)) + packer.flush()
    write_pdf(path, b"", packed=packed)


@pytest.mark.slow
def test_time_and_memory_are_bounded(tmp_path: Path) -> None:
    bomb(tmp_path / "bomb.pdf", 40)
    write_pdf(tmp_path / "good.pdf", GOOD.encode())
    with PdfReader(Limits(max_seconds=1)) as reader:
        with pytest.raises(Unreadable, match=r"takes longer than max-seconds \(1\)"):
            reader.read(tmp_path / "bomb.pdf")
        assert reader.read(tmp_path / "good.pdf").text
    with PdfReader(Limits(max_megabytes=300)) as reader:
        with pytest.raises(Unreadable, match="max-megabytes"):
            reader.read(tmp_path / "bomb.pdf")
        assert reader.read(tmp_path / "good.pdf").text
    with (
        PdfReader(Limits(max_bytes=100)) as reader,
        pytest.raises(Unreadable, match=r"larger than max-bytes \(100\)"),
    ):
        reader.read(tmp_path / "good.pdf")
