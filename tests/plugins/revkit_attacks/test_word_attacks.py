"""Word files with a planted text: read again by our reader, by the scan and by pandoc."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from revkit.documents import read_docx
from revkit.model import Paper
from revkit.scan import Scanner, family_of
from revkit_attacks.marker import MARKER
from revkit_attacks.marks import LINE
from revkit_attacks.payloads import PAYLOADS
from revkit_attacks.word import WORD_HIDES, attack_word

TITLE = "A Study of Gates"
PROSE = ("Gates were counted in twelve towns over ten years.", "The counts are stable.")
PAYLOAD = PAYLOADS["demand-rating"](Paper("a", "a"), Random(1), "en")
assert not isinstance(PAYLOAD, str)
ORDER = PAYLOAD.text("attack", "en")
KINDS = {
    "vanish": "hidden-mark",
    "vanish-by-style": "hidden-mark",
    "white": "background-colour",
    "near-white": "background-colour",
    "tiny": "tiny",
    "comment": "annotation",
    "deletion": "annotation",
    "description": "alternative-text",
    "property": "metadata",
}
CHANNELS = ("comment", "deletion", "description", "property")


def made(path: Path, hide: str, text: str = ORDER) -> Path:
    path.write_bytes(attack_word(TITLE, PROSE, hide, text))
    return path


def test_every_technique_has_an_expected_finding() -> None:
    assert set(KINDS) == set(WORD_HIDES) - {"visible"}


@pytest.mark.parametrize("hide", KINDS)
def test_the_scan_finds_each_technique_and_keeps_the_visible_text(
    hide: str, tmp_path: Path
) -> None:
    with Scanner() as scanner:
        result = scanner.scan(made(tmp_path / "paper.docx", hide))
    (finding,) = result.findings
    assert finding.kind == KINDS[hide]
    assert MARKER in finding.says
    assert family_of(finding) == ("channel" if hide in CHANNELS else "page")
    assert MARKER not in result.text
    assert all(each in result.text for each in (LINE, *PROSE))


def test_visible_text_and_honest_files_are_no_finding(tmp_path: Path) -> None:
    honest = tmp_path / "honest.docx"
    honest.write_bytes(attack_word(TITLE, PROSE, "comment", "Is this right?"))
    with Scanner() as scanner:
        assert scanner.scan(made(tmp_path / "paper.docx", "visible")).findings == ()
        assert scanner.scan(honest).findings == ()


@pytest.mark.parametrize("hide", WORD_HIDES)
def test_the_same_arguments_give_the_same_bytes_with_the_mark(hide: str, tmp_path: Path) -> None:
    path = made(tmp_path / "a.docx", hide)
    assert path.read_bytes() == attack_word(TITLE, PROSE, hide, ORDER)
    assert LINE in read_docx(path, authors=True).text


@pytest.mark.parametrize("hide", WORD_HIDES)
def test_pandoc_opens_the_file(hide: str, tmp_path: Path) -> None:
    """Another program accepts the file, and does not see what is beside its text.

    Whether it returns hidden runs depends on its version; the docs state a measurement.
    """
    pandoc = shutil.which("pandoc")
    if pandoc is None:
        pytest.skip("pandoc is not installed")
    path = made(tmp_path / "a.docx", hide)
    command = [pandoc, "--from", "docx", "--to", "plain", "--wrap", "none", str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert PROSE[0] in said
    assert MARKER in said or hide not in ("visible", "white", "near-white", "tiny")
    assert MARKER not in said or hide not in CHANNELS
