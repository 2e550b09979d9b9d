"""CSV that a spreadsheet opens without running what a paper says, and the text read back."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.files import csv_cell, text_in_cell, write_csv

FORMULAS = ["=cmd|' /C calc'!A0", "+1+1", "@SUM(1)", "-2+3", "\t=1", "\r=1", "'=1", "''@x"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_that_starts_a_formula_gets_an_apostrophe(text: str) -> None:
    assert csv_cell(text) == "'" + text
    assert text_in_cell(csv_cell(text)) == text


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (-2.5, "-2.5"),
        (-3, "-3"),
        (None, ""),
        (True, "true"),
        (["=1"], '["=1"]'),
        ("'tis", "'tis"),
        ("a = b", "a = b"),
        (" =1", " =1"),
        ("\x1b[31mred", "␛[31mred"),
        ("a\0b\x7f\x9b", "a␀b[U+007F][U+009B]"),
        ("line\r\nnext\ttab", "line\r\nnext\ttab"),
    ],
)
def test_all_else_stays_and_controls_are_shown(value: Any, cell: str) -> None:
    assert csv_cell(value) == cell


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")) | st.sampled_from("='+-@\t\r'")))
def test_every_text_without_controls_comes_back(text: str) -> None:
    assert text_in_cell(csv_cell(text)) == text


def test_a_file_read_by_csv_holds_the_cells(tmp_path: Path) -> None:
    rows = [{"id": text, "score": -1.5} for text in FORMULAS]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    write_csv(tmp_path / "a.jsonl", tmp_path / "a.csv", ("id", "score"))
    text = (tmp_path / "a.csv").read_bytes().decode()
    found = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [text_in_cell(row["id"]) for row in found] == FORMULAS
    assert {row["score"] for row in found} == {"-1.5"}
    assert not any(row["id"][0] in "=+-@\t\r" for row in found)
