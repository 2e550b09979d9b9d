"""Fitting a map: from two tables, in any order, with what was left out counted."""

from __future__ import annotations

import json
import random
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.calibration import CalibrationMap, fit_map
from revkit.calibration.tables import read_by_id, read_consensus
from revkit.errors import BadAnchors, BadScores, CalibrationError, OutsideScale, TooFewAnchors
from revkit.model.consensus import Consensus
from revkit.model.review import Scale
from revkit_asc.calibrators import MonotoneSpline

SCALE = Scale("1-10", 1.0, 10.0)
DAY = date(2026, 3, 1)


def fitted(scores: Any, consensus: Any, **options: Any) -> CalibrationMap:
    given: dict[str, Any] = {"today": DAY, **options}
    return fit_map("g", SCALE, MonotoneSpline(), scores, consensus, **given)


anchors = st.lists(
    st.tuples(
        st.lists(st.integers(10, 100).map(lambda n: n / 10), min_size=0, max_size=3),
        st.floats(0, 100),
        st.sampled_from([1.0, 2.5, 0.3]),
    ),
    min_size=2,
    max_size=40,
)


@given(anchors, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_order_of_rows_never_changes_a_map(drawn: Any, rng: random.Random) -> None:
    names = [f"a{i}" for i in range(len(drawn))]
    scores = {name: list(row[0]) for name, row in zip(names, drawn, strict=True)}
    consensus = {name: Consensus(row[1], row[2]) for name, row in zip(names, drawn, strict=True)}

    def told() -> Any:
        try:
            return json.dumps(fitted(scores, consensus).to_json())
        except CalibrationError as error:
            return f"{error.code}: {error}"

    first = told()
    order = list(names)
    rng.shuffle(order)
    for values in scores.values():
        rng.shuffle(values)
    scores = {name: scores[name] for name in order}
    consensus = {name: consensus[name] for name in reversed(order)}
    assert told() == first


def test_what_has_no_part_is_counted_and_dates_are_stated() -> None:
    scores = {f"a{i}": [1 + i / 10, 1 + i / 10] for i in range(80)} | {"a80": [], "z": [5.0]}
    consensus = {f"a{i}": Consensus(100 - i, None) for i in range(83)}
    found = fitted(scores, consensus, days=10)
    assert found.anchors == 80 == len(found.scored)
    assert found.about["anchors_without_score"] == 3
    assert found.about["scores_without_consensus"] == 1
    assert (found.about["weights"], found.about["anchors_without_se"]) == ("equal", 80)
    assert (found.fitted, found.expires) == ("2026-03-01", "2026-03-11")
    assert fitted(scores, consensus, days=None).expires == ""
    assert found.scored["a9"] == (found.scale.to_severity(1.9), 91)
    with pytest.raises(CalibrationError, match="after the last possible date"):
        fitted(scores, consensus, days=10**7)


def test_weights_need_every_standard_error() -> None:
    scores = {f"a{i}": [1 + i / 10] for i in range(60)}
    consensus = {f"a{i}": Consensus(100 - i, 1.0 + i % 2) for i in range(60)}
    assert fitted(scores, consensus).about["weights"] == "1/(tau^2 + se^2)"
    consensus["a0"] = Consensus(100, None)
    found = fitted(scores, consensus)
    assert (found.about["weights"], found.about["anchors_without_se"]) == ("equal", 1)


def test_a_line_by_hand(registry: Any) -> None:
    calibrator = registry.get("calibrator", "bending").component()
    # Severities 0, 50, 100, consensus 0, 20, 40: slope 60 / 150.
    scores = {"a": [10.0], "b": [5.5], "c": [1.0]}
    consensus = {"a": Consensus(0), "b": Consensus(20), "c": Consensus(40)}
    found = fit_map("g", SCALE, calibrator, scores, consensus, today=DAY)
    assert [each.common for each in found.apply([10, 5.5, 1])] == [0, 20, 40]


def test_of_repeats_one_counts_and_all_come_up_alike() -> None:
    scores = {f"a{i}": [2.0 + i % 7, 3.0 + i % 7, 4.0 + i % 7] for i in range(300)}
    consensus = {f"a{i}": Consensus(90 - 10 * (i % 7)) for i in range(300)}
    found = fitted(scores, consensus)
    drawn = [
        [SCALE.to_severity(value) for value in values].index(found.scored[name][0])
        for name, values in scores.items()
    ]
    # A draw of 300 among three: 100 of each, standard deviation 8.2.
    assert all(70 <= drawn.count(k) <= 130 for k in range(3))


@pytest.mark.parametrize(
    ("scores", "consensus", "error", "told"),
    [
        ({"a": [11.0]}, {"a": Consensus(5)}, OutsideScale, "anchor 'a': 11.0 is not a score"),
        ({"a": [float("nan")]}, {"a": Consensus(5)}, OutsideScale, "anchor 'a': nan"),
        ({"a": [5.0]}, {"b": Consensus(5)}, TooFewAnchors, "none of their ids is among the 1"),
        ({}, {}, TooFewAnchors, "none of the 0 anchors"),
        ({"a": [5.0]}, {"a": Consensus(float("nan"))}, BadAnchors, "anchor 'a'"),
        ({"a": [5.0]}, {"a": Consensus(5, -1.0)}, BadAnchors, "anchor 'a'"),
        ({"a": [5.0]}, {"a": Consensus(5)}, TooFewAnchors, "at least two anchors, not 1"),
    ],
)
def test_what_gives_no_map(scores: Any, consensus: Any, error: Any, told: str) -> None:
    with pytest.raises(error, match=told):
        fitted(scores, consensus)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_tables(tmp_path: Path) -> None:
    path = write(tmp_path, "s.csv", "\ufeffscore,id\r\n5,a\r\n ,b\r\n6,a\r\n")
    assert read_by_id(path) == {"a": [5.0, 6.0], "b": []}
    path = write(tmp_path, "s.jsonl", '{"id": 7, "score": "5"}\n{"id": " 7 ", "score": null}\n')
    assert read_by_id(path) == {"7": [5.0]}
    path = write(tmp_path, "c.tsv", "id\tconsensus\tse\na\t5\t\nb\t100\t2.5\n")
    assert read_consensus(path) == {"a": Consensus(5.0, None), "b": Consensus(100.0, 2.5)}


@pytest.mark.parametrize(
    ("read", "text", "told"),
    [
        (read_by_id, "id,score\na,5\n,6\n", "t.csv, line 3: no id"),
        (read_by_id, 'id,score\na,"6,5"\n', "t.csv, line 2: '6,5' has a comma"),
        (read_by_id, "id,score\na,timeout\n", "t.csv, line 2: 'timeout' is not a number"),
        (read_by_id, "id,score\na,NaN\n", "t.csv, line 2: 'NaN' is not a number"),
        (read_by_id, "name,score\na,5\n", "t.csv, line 2: no id"),
        (read_by_id, "id,points\na,5\n", "t.csv: no column 'score'"),
        (read_by_id, "id,score\na\n", "t.csv: line 2: 1 cells"),
        (read_consensus, "id,consensus\na,\n", "t.csv, line 2: no consensus"),
        (read_consensus, "id,consensus\na,101\n", "t.csv, line 2: 101 is not a severity"),
        (read_consensus, "id,consensus\na,5\na,5\n", "t.csv, line 3: the id 'a' appears twice"),
        (read_consensus, "id,consensus,se\na,5,x\n", "t.csv, line 2: se: 'x' is not a number"),
        (
            read_consensus,
            "id,consensus,se\na,5,-1\n",
            "t.csv, line 2: se: a standard error must not be below",
        ),
    ],
)
def test_tables_that_are_wrong_are_refused_with_their_line(
    tmp_path: Path, read: Any, text: str, told: str
) -> None:
    with pytest.raises(BadScores) as caught:
        read(write(tmp_path, "t.csv", text))
    assert told in str(caught.value)


def test_tables_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadScores, match="cannot be read: No such file"):
        read_by_id(tmp_path / "s.csv")
    with pytest.raises(BadScores, match="--format"):
        read_by_id(write(tmp_path, "s.txt", "id,score\n"))
