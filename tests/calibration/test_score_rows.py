"""Scores in files: numbers, other cells, lines, and bytes that are not text."""

from __future__ import annotations

import io
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.calibration import format_of, number_in, printable, read_scores
from revkit.calibration.lines import Lines
from revkit.errors import BadScores


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("65", 65.0), (" 6.5 ", 6.5), ("+.5", 0.5), ("6.", 6.0), ("1e2", 100.0), ("-0", -0.0),
        ("0065", 65.0), (65, 65.0), (6.5, 6.5), ("6.5E-1", 0.65), ("6.5\u00a0", 6.5),
    ],
)  # fmt: skip
def test_a_plain_number_is_read(cell: object, number: float) -> None:
    assert number_in(cell) == number


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("6,5", "decimal point"), ("1,000", "decimal point"), ("1.000,5", "decimal point"),
        ("1,000,000", "decimal point"), ("", "no score"), ("  ", "no score"), (None, "no score"),
        ("NaN", "not a number"), ("inf", "not a number"), (math.nan, "not a number"),
        (math.inf, "too large"),
        (True, "true is not a number"), ("1_000", "not a number"), ("0x41", "not a number"),
        ("65%", "not a number"),
        ("6 5", "not a number"), ("\u0665", "not a number"), ("1e999", "too large"),
        (10**400, "too large"), (-(10**400), "too large"),
        ([65], "a list"), ({"a": 1}, "an object"),
        ("accept", "not a number"), ("9" * 31, "not a number"), ("\x1b[31m65", r"\\x1b"),
        ("6\n5", "not a number"), ("--5", "not a number"), ("1e", "not a number"),
    ],
)  # fmt: skip
def test_what_is_no_plain_number_is_told(cell: object, told: str) -> None:
    with pytest.raises(BadScores, match=told) as caught:
        number_in(cell)
    assert "\x1b" not in str(caught.value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_comes_back_from_its_text(value: float) -> None:
    assert number_in(repr(value)) == value


@given(st.text())
def test_text_is_a_number_only_where_python_agrees(text: str) -> None:
    try:
        value = number_in(text)
    except BadScores:
        return
    assert value == float(text)


def test_the_format_comes_from_the_ending() -> None:
    names = {"a.csv": "csv", "b.TSV": "tsv", "c.x.jsonl": "jsonl", "d.ndjson": "jsonl"}
    assert {name: format_of(name) for name in names} == names
    with pytest.raises(BadScores, match="--format"):
        format_of("scores.xlsx")
    with pytest.raises(BadScores, match="--format"):
        format_of("csv")


def rows(text: str | bytes, form: Any = "csv", column: str = "score") -> list[Any]:
    source = io.BytesIO(text.encode() if isinstance(text, str) else text)
    return [(row.line, row.score, row.problem) for row in read_scores(source, form, column)]


def test_rows_have_their_lines_and_problems() -> None:
    text = '\ufeffid,score\r\na,5\r\n"b\r\nb",6\r\n\r\nc,\r\nd,"6,5"\r\n'
    told = "'6,5' has a comma; write numbers with a decimal point and without thousands separators"
    assert rows(text) == [(2, 5.0, ""), (4, 6.0, ""), (6, None, "no score"), (7, None, told)]


def test_json_lines() -> None:
    text = (
        '{"score": 5}\n\n {"score": "6"} \r\n{"scor": 1}\n{"score": NaN}\n{"score": 1, "score": 2}'
    )
    assert rows(text, "jsonl") == [
        (1, 5.0, ""), (3, 6.0, ""), (4, None, "no 'score'"), (5, None, "not a number: nan"),
        (6, None, "'score' appears twice"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "form", "told"),
    [
        ("", "csv", "no column 'score'; the first line has nothing"),
        ("\n", "csv", "has nothing"),
        ("id,Score\n", "csv", "the first line has id, Score"),
        ("score,score\n1,2\n", "csv", "two columns 'score'"),
        ("id,score\na,5\nb\n", "csv", "line 3: 1 cells, but the first line has 2"),
        ("id,score\na,5,5\n", "csv", "line 2: 3 cells"),
        ('id,score\n"a"b,5\n', "csv", "line 2: "),
        ('id,score\n"a,5\n', "csv", "line 2: unexpected end"),
        ("id,score\ra,5\r", "csv", "a carriage return only"),
        ("id;score\na;5\n", "csv", "has id;score"),
        ("id,score\na," + "x" * 140_000 + "\n", "csv", "line 2: field larger"),
        ("5\n", "jsonl", "line 1 is not a JSON object"),
        ('{"score": 5}\n{"score": 5', "jsonl", "line 2, column 12, is not JSON"),
        ('{"score": ' + "9" * 5000 + "}", "jsonl", "line 1 is not JSON"),
        ("[" * 100_000, "jsonl", "line 1 is not JSON"),
    ],
)
def test_what_is_no_table_is_refused_with_its_place(text: str, form: str, told: str) -> None:
    with pytest.raises(BadScores) as caught:
        rows(text, form)
    assert told in str(caught.value)


def test_bytes_that_are_no_text_are_refused_with_their_place() -> None:
    with pytest.raises(BadScores, match="byte 9 is not UTF-8"):
        rows(b"id,score\n\xe9,5\n")
    with pytest.raises(BadScores, match="byte 0 is not UTF-8"):
        rows("id,score\n".encode("utf-16"))
    with pytest.raises(BadScores, match="not UTF-8"):
        rows(b"id,score\na,5\xc3")


class Slow(io.RawIOBase):
    """A pipe that gives a few bytes at a time."""

    def __init__(self, body: bytes, step: int) -> None:
        self.body, self.step = body, step

    def read1(self, _: int) -> bytes:
        head, self.body = self.body[: self.step], self.body[self.step :]
        return head


@given(st.lists(st.text(st.characters(exclude_characters="\n", codec="utf-8"))), st.integers(1, 9))
def test_lines_are_the_same_however_the_bytes_arrive(parts: list[str], step: int) -> None:
    text = "\n".join(parts)
    found = list(Lines(Slow(text.encode(), step)))  # type: ignore[arg-type]
    whole = text.removeprefix("\ufeff")
    assert "".join(found) == whole
    assert found == [line for line in whole.split("\n") for line in [line + "\n"]][:-1] + (
        [whole.rpartition("\n")[2]] if whole.rpartition("\n")[2] else []
    )


def test_a_line_without_an_end_is_refused_before_it_fills_the_memory() -> None:
    with pytest.raises(BadScores, match="line 1 has more than 16,777,216"):
        list(Lines(io.StringIO("x" * (1 << 25))))


def test_what_a_terminal_would_act_on_is_spelled_out() -> None:
    assert printable("a\x1b[2J\u202eb\n\u200b\ud800") == r"a\x1b[2J\u202eb\n\u200b\ud800"
    assert printable("caf\u00e9 \u4e2d \U0001f600") == "caf\u00e9 \u4e2d \U0001f600"
    assert printable("x" * 300, 10) == "x" * 10 + "..."
    json.dumps(printable("\udfff"), ensure_ascii=False).encode()
