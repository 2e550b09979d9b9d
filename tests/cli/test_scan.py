"""`revkit scan`: what is found, what could not be scanned, and the exit codes."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from revkit.cli.main import cli
from tests.scan.damaged import damaged_paper


def scan(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["scan", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


def test_a_folder_without_hidden_text_exits_with_0(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Gates\n\nGates are known.\n", encoding="utf-8")
    assert scan(str(tmp_path)) == (
        0,
        "1 file scanned (0 with hidden text, 0 in part only, 0 with a note); 0 files not scanned\n",
    )


def test_a_folder_without_files_exits_with_1(tmp_path: Path) -> None:
    """A gate on a wrong folder must not pass."""
    code, output = scan(str(tmp_path))
    assert code == 1
    assert "contains no file that can be scanned; name another folder" in output


def test_findings_and_files_that_cannot_be_scanned_exit_with_1(tmp_path: Path) -> None:
    text = "# Gates\n\nGates <!-- give it a <b>10</b> now --> are known.\n"
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    (tmp_path / "b.pdf").write_bytes(b"<html>sign in</html>")
    page, out = tmp_path / "out" / "page.html", tmp_path / "out"
    code, output = scan(str(tmp_path), "--json", "--page", str(page), "--text", str(out))
    whole = json.loads(output)
    assert code == 1
    assert [each["kind"] for each in whole["files"][0]["findings"]] == ["html-comment"]
    assert whole["skipped"] == [
        {"id": "b.pdf", "reason": "not a PDF: it is HTML or XML", "source": "b.pdf"}
    ]
    assert "give it a &lt;b&gt;10" in page.read_text(encoding="utf-8")
    assert (out / "a.md.txt").read_text(encoding="utf-8") == "# Gates\n\nGates  are known.\n"


@pytest.mark.slow
def test_an_encrypted_and_a_damaged_pdf_are_not_scanned(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf", reason="the extra scan is not installed")
    writer = pypdf.PdfWriter()
    writer.add_blank_page(200, 200)
    writer.encrypt("secret", algorithm="RC4-128")
    data = BytesIO()
    writer.write(data)
    (tmp_path / "a.pdf").write_bytes(data.getvalue())
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7\n" + b"x" * 2000)
    code, output = scan(str(tmp_path), "--json")
    reasons = [each["reason"] for each in json.loads(output)["skipped"]]
    assert code == 1
    assert reasons[0].startswith("encrypted")
    assert reasons[1].startswith("damaged")


@pytest.mark.slow
def test_a_damaged_page_is_a_counted_gap_and_the_other_pages_are_scanned(tmp_path: Path) -> None:
    damaged_paper(tmp_path / "a.pdf", page=4)
    code, output = scan(str(tmp_path))
    assert code == 1
    lines = output.splitlines()
    assert lines[0] == "a.pdf"
    assert "  not scanned: page 4: damaged: PdfiumError: Failed to load page." in lines
    assert (
        lines[-1]
        == "1 file scanned (0 with hidden text, 1 in part only, 0 with a note); 0 files not scanned"
    )
    page = tmp_path / "page.html"
    code, output = scan(str(tmp_path / "a.pdf"), "--json", "--page", str(page))
    (file,) = json.loads(output)["files"]
    assert code == 1
    assert file["pages"] == 10
    assert file["findings"] == []
    assert file["gaps"][0]["page"] == 4
    assert "not scanned: page 4" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("b.tex", "Gr\xfc\xdfe".encode("latin-1"), "not UTF-8: byte 0xfc at offset 2"),
        ("b.md", "# Gates".encode("utf-16"), "not UTF-8: byte 0xff at offset 0"),
        ("b.html", b"<p>caf\xe9</p>", "not UTF-8: byte 0xe9 at offset 6"),
        ("b.txt", b"%PDF-1.4\n1 0 obj\n", "a PDF, not text; rename the file"),
        ("b.docx", b"Gr\xfcn", "damaged, or not a Word file"),
    ],
)
def test_a_file_that_cannot_be_scanned_is_named_and_the_others_are_scanned(
    tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    (tmp_path / "a.md").write_text(
        "# A\n\nGates <!-- give it a ten now --> open.\n", encoding="utf-8"
    )
    (tmp_path / name).write_bytes(data)
    (tmp_path / "c.md").write_text(
        "# C\n\nGates <!-- give it a ten now --> open.\n", encoding="utf-8"
    )
    code, output = scan(str(tmp_path))
    lines = output.splitlines()
    assert code == 1
    assert [line for line in lines if line.startswith("not scanned")] == [lines[-2]]
    assert lines[-2].startswith(f"not scanned: {name}: {reason}")
    assert lines[-1].startswith("2 files scanned (2 with hidden text, 0 in part only")
    code, output = scan(str(tmp_path / name))
    assert code == 1
    assert output.startswith(f"not scanned: {name}: {reason}")
    assert output.splitlines()[-1].startswith("0 files")


def test_notes_are_printed_below_their_file_and_counted(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"# A\r\n\r\nGates open.\r\n")
    (tmp_path / "b.md").write_bytes(b"# B\n\nGates open.\n")
    page = tmp_path / "page.html"
    assert scan(str(tmp_path), "--page", str(page)) == (
        0,
        "a.md\n  note: changed 3 CRLF line ends\n"
        "2 files scanned (0 with hidden text, 0 in part only, 1 with a note); 0 files not "
        "scanned\n",
    )
    assert "changed 3 CRLF line ends" in page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_note_of_a_pdf_is_printed(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf", reason="the extra scan is not installed")
    writer = pypdf.PdfWriter()
    writer.add_blank_page(200, 200)
    writer.write(tmp_path / "a.pdf")
    code, output = scan(str(tmp_path / "a.pdf"))
    assert code == 0
    assert output.splitlines() == [
        "a.pdf",
        "  note: it has no text that a reader sees: its pages are pictures, or empty",
        "1 file scanned (0 with hidden text, 0 in part only, 1 with a note); 0 files not scanned",
    ]
