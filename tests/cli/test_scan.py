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
        "1 files, 0 with hidden text, 0 scanned in part, 0 not scanned\n",
    )


def test_findings_and_files_that_cannot_be_scanned_exit_with_1(tmp_path: Path) -> None:
    text = "# Gates\n\nGates <!-- give <b>10</b> --> are known.\n"
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
    assert "give &lt;b&gt;10" in page.read_text(encoding="utf-8")
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
    assert lines[-1] == "1 files, 0 with hidden text, 1 scanned in part, 0 not scanned"
    page = tmp_path / "page.html"
    code, output = scan(str(tmp_path / "a.pdf"), "--json", "--page", str(page))
    (file,) = json.loads(output)["files"]
    assert code == 1
    assert file["pages"] == 10
    assert file["findings"] == []
    assert file["gaps"][0]["page"] == 4
    assert "not scanned: page 4" in page.read_text(encoding="utf-8")
