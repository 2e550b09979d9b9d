"""``revkit agent check --paper`` reads the files that a corpus of files reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.errors import RunError
from tests.documents.word_files import by_hand, paragraph

SPEC: dict[str, Any] = {
    "revkit": 1,
    "name": "n",
    "corpus": "synthetic",
    "agents": {"mine": "length-reader"},
    "metrics": ["outcomes"],
}
SENTENCE = "We measured the height of forty trees and report the mean of all values. "


def test_a_word_file_is_a_paper(tmp_path: Path) -> None:
    path = by_hand(tmp_path / "a.docx", paragraph("Trees", "Heading1") + paragraph(SENTENCE * 20))
    trial = revkit.check_agent(SPEC, "mine", paper=path)
    outcome: Any = trial["outcome"]
    assert "kind" not in outcome


@pytest.mark.parametrize("ending", [".docx", ".pdf"])
def test_a_broken_file_is_reported_with_its_name(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"broken{ending}"
    path.write_bytes(b"\x81\x82")
    with pytest.raises(RunError, match=f"broken{ending} cannot be read") as caught:
        revkit.check_agent(SPEC, "mine", paper=path)
    assert "UTF-8" not in str(caught.value)
