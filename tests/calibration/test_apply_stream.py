"""A map over a stream: every row there and in order, every cell as it was, every gap explained."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from revkit.calibration import CalibrationMap, apply_to_stream
from revkit.errors import BadScores, CalibrationError, PaperError
from revkit.model.review import Scale

Made = Callable[..., CalibrationMap]


def applied(found: CalibrationMap, text: str, form: Any = "csv", column: str = "score") -> Any:
    target = io.StringIO()
    done = apply_to_stream(found, io.BytesIO(text.encode()), target, form, column)
    return target.getvalue(), done


def test_csv_by_hand(a_map: Made) -> None:
    # On 1-5, 5 is severity 0 and 1 is 100; common is half of it; anchors ended at 75 (score 2).
    text = 'id,score,note\na,5,"x, y"\nb,3,\nc,1,"two\r\nlines"\nd,6,\ne,,\n'
    out, done = applied(a_map(), text)
    assert out == (
        "id,score,note,common,extrapolated,calibration_problem\n"
        'a,5,"x, y",0.0,false,\n'
        "b,3,,25.0,false,\n"
        'c,1,"two\r\nlines",50.0,true,\n'
        "d,6,,,,6.0 is not a score of scale '1-5'\n"
        "e,,,,,no score\n"
    )
    assert (done.rows, done.mapped, done.extrapolated, done.failed) == (5, 3, 1, 2)


def test_json_lines_keep_their_own_text(a_map: Made) -> None:
    rows = [
        '{"id": 1.10, "score": 3, "id": 2, "big": 123456789012345678901234567890}',
        '{"score": "3"}',
        '{"score": 3, "other": NaN, "text": "\\ud800\\u0000}"}',
        "{}",
        ' { "score" : 9 } ',
    ]
    out, done = applied(a_map(), "\n".join(rows) + "\r\n\n", "jsonl")
    good = '"common": 25.0, "extrapolated": false, "calibration_problem": ""}\n'
    none = '"common": null, "extrapolated": null, "calibration_problem": '
    assert out.splitlines(keepends=True) == [
        f"{rows[0][:-1]}, {good}",
        f"{rows[1][:-1]}, {good}",
        f"{rows[2][:-1]}, {good}",
        f"{{{none}\"no 'score'\"}}\n",
        f'{{ "score" : 9, {none}"9.0 is not a score of scale \'1-5\'"}}\n',
    ]
    assert all(isinstance(json.loads(line), dict) for line in out.splitlines())
    assert (done.rows, done.mapped) == (5, 3)


def test_a_header_alone_is_a_table_without_rows(a_map: Made) -> None:
    out, done = applied(a_map(), "id,score")
    assert out == "id,score,common,extrapolated,calibration_problem\n"
    assert done.rows == done.failed == 0
    assert applied(a_map(), "", "jsonl") == ("", done)


@pytest.mark.parametrize(
    ("text", "form", "told"),
    [
        ("id,score,common\n", "csv", "the column 'common' exists already"),
        ("id,score,extrapolated\n", "csv", "the column 'extrapolated' exists already"),
        (
            '{"score": 1}\n{"score": 1, "common": 2}',
            "jsonl",
            "line 2: the column 'common' exists already",
        ),
        ("", "csv", "no column 'score'"),
    ],
)
def test_what_would_be_written_over_is_refused(
    a_map: Made, text: str, form: str, told: str
) -> None:
    with pytest.raises(BadScores, match=told):
        applied(a_map(), text, form)


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)


@given(st.lists(st.tuples(cells, cells), max_size=6), st.sampled_from(["csv", "tsv"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_cells_come_back_as_they_were(a_map: Made, rows: list[Any], form: str) -> None:
    mark = "\t" if form == "tsv" else ","
    source = io.StringIO()
    csv.writer(source, delimiter=mark).writerows([("score", "note"), *rows])
    out, done = applied(a_map(), source.getvalue(), form)
    back = list(csv.reader(io.StringIO(out, newline=""), delimiter=mark))[1:]
    assert [tuple(row[:2]) for row in back] == rows
    assert done.rows == len(rows)
    for row in back:
        assert (row[2] == "") == (row[3] == "") == (row[4] != "")


@given(st.lists(st.floats(0, 6, allow_nan=False), max_size=30))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_many_at_once_are_each_alone_bit_for_bit(a_map: Made, scores: list[float]) -> None:
    found = a_map()
    common, outside = found.common(scores)
    for score, value, flag in zip(scores, common, outside, strict=True):
        if 1 <= score <= 5:
            severity = found.scale.to_severity(score)
            assert (value, flag) == (found.curve([severity])[0], severity > 75)
        else:
            assert math.isnan(value)
            assert not flag


def test_scales_with_steps_and_of_severity(a_map: Made) -> None:
    found = a_map(scale=Scale("steps", 0, 10, higher_is_better=False, values=(0, 5, 10)))
    assert [each.common for each in found.apply([0, 5, 10])] == [0.0, 25.0, 50.0]
    with pytest.raises(PaperError, match=r"7\.0 is not a score"):
        found.apply([7])
    assert np.isnan(found.common([7.0, np.nan, -np.inf])[0]).all()


@pytest.mark.parametrize("scores", [["3"], [None], [True], [[3]], [10**400], ["3", 4]])
def test_from_python_only_numbers_are_scores(a_map: Made, scores: Any) -> None:
    with pytest.raises(BadScores):
        a_map().apply(scores)


def test_no_scores_are_no_scores(a_map: Made) -> None:
    assert a_map().apply([]) == []


def test_a_curve_that_leaves_the_scale_is_told(a_map: Made) -> None:
    found = a_map(curve=type(a_map().curve)(-50.0, 0.5, 75.0))  # type: ignore[call-arg]
    with pytest.raises(CalibrationError, match="fault of calibrator 'bending'"):
        found.apply([5.0])


class Pipe(io.RawIOBase):
    """Gives one line at a time and notes what had been written by then."""

    def __init__(self, lines: list[bytes], target: io.StringIO) -> None:
        self.lines, self.target, self.seen = lines, target, []

    def read1(self, _: int) -> bytes:
        self.seen.append(self.target.getvalue().count("\n"))
        return self.lines.pop(0) if self.lines else b""


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_slow_stream_is_handed_on_as_it_comes(a_map: Made, form: Any) -> None:
    target = io.StringIO()
    lines = [b"score\n", b"3\n", b"4\n"] if form == "csv" else [b'{"score":3}\n', b'{"score":4}\n']
    pipe = Pipe(lines, target)
    apply_to_stream(a_map(), pipe, target, form, "score")  # type: ignore[arg-type]
    # Before each read all rows that came with earlier ones are out (the header with the first row).
    assert pipe.seen == ([0, 0, 2, 3] if form == "csv" else [0, 1, 2])
