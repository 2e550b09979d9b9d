"""The bank's file format: the embedded bank, the schema, irregular lines, CSV tables."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from revkit.errors import RunError
from revkit.model.paper import Paper, Skipped
from revkit.schemas import read_schema
from revkit.testing import check_component, context
from revkit_asc.bank.anchor import TIERS, standard_errors, write_bank
from revkit_asc.bank.corpus import EMBEDDED, AnchorBank, embedded_bank
from revkit_asc.bank.lines import ReadBank
from revkit_asc.bank.reader import read_bank

HEADER: dict[str, Any] = {
    "format": "revkit-anchor-bank",
    "version": 1,
    "name": "small",
    "date": "2026-02-03",
    "licence": "CC0-1.0",
    "clusters": ["a", "b"],
    "anchors": 1,
}
ROW: dict[str, Any] = {
    "id": "one",
    "tier": "minor",
    "cluster": "a",
    "title": "T",
    "text": "# T\n\nA text.\n",
    "scores": [30, 40, 35],
    "consensus": 35,
}


def write(folder: Path, *rows: Any, header: dict[str, Any] | None = None) -> Path:
    path = folder / "bank.jsonl"
    first = {**HEADER, "anchors": len(rows), **(header or {})}
    lines = [row if isinstance(row, str) else json.dumps(row) for row in (first, *rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def reasons(read: ReadBank) -> list[str]:
    return [skipped.reason for skipped in read.skipped]


def test_the_generator_writes_the_embedded_bank() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "revkit_asc.bank.generate"], capture_output=True, check=True
    )
    assert done.stderr == b""
    assert done.stdout == EMBEDDED.read_bytes()


def test_the_embedded_bank_is_what_it_says() -> None:
    read = embedded_bank()
    assert read.skipped == ()
    assert read.notes == {}
    anchors = read.bank.anchors
    assert Counter(anchor.tier for anchor in anchors) == dict.fromkeys(TIERS, 60)
    assert set(Counter(anchor.cluster for anchor in anchors).values()) == {34, 35}
    cells = Counter((anchor.tier, anchor.cluster) for anchor in anchors)
    assert len(cells) == 28
    assert set(cells.values()) == {8, 9}
    assert len({anchor.text for anchor in anchors}) == 240
    assert all(200 <= len(anchor.text.split()) <= 340 for anchor in anchors)
    settled = [anchor for anchor in anchors if anchor.adjudicated is not None]
    assert 20 <= len(settled) <= 60
    for anchor in anchors:
        assert (anchor.adjudicated is not None) == (max(anchor.scores) - min(anchor.scores) > 20)
        low = 25 * TIERS.index(anchor.tier)
        assert low <= anchor.consensus <= low + 25


def test_every_line_of_the_embedded_bank_fits_the_schema() -> None:
    schema = read_schema("anchor-bank")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for example in schema["examples"]:
        validator.validate(example)
    for line in EMBEDDED.read_text(encoding="utf-8").splitlines():
        validator.validate(json.loads(line))


def test_a_bank_survives_writing_and_reading(tmp_path: Path) -> None:
    bank = embedded_bank().bank
    path = tmp_path / "copy.jsonl"
    path.write_text(write_bank(bank), encoding="utf-8", newline="\n")
    assert read_bank(path).bank == bank


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"consensus": "35"}, "consensus: expected a number from 0 to 100, not '35'"),
        ({"consensus": True}, "consensus: expected a number"),
        ({"consensus": 36}, "consensus 36 is not the mean of the scores, 35"),
        ({"adjudicated": 50}, "consensus 35 is not the adjudicated value, 50"),
        ({"scores": [30, 40, 101]}, "scores: expected a list of numbers from 0 to 100"),
        ({"scores": []}, "scores: expected a list"),
        ({"scores": [10, 60, 35]}, "scores 50 points apart, over the gap of 20, and not adjud"),
        ({"tier": "fatal"}, "tier: expected one of none, minor, major, reject, not 'fatal'"),
        ({"cluster": "c"}, "cluster 'c' is not in the header"),
        ({"introduced": "2026-5"}, "introduced: expected a quarter such as 2026-Q1"),
        ({"id": 7}, "id: expected text that is not empty, not 7"),
        ({"text": " \n"}, "text: expected text that is not empty"),
        ({"text": "\x00\x01"}, "no printable character in its id or text"),
        ({"consensus_se": -1}, "consensus_se: expected a number from 0 on, or null"),
        ({"severity": 35}, "unknown key 'severity'"),
    ],
)
def test_an_irregular_line_is_skipped_with_its_reason(
    change: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    path = write(tmp_path, {**ROW, "id": "good", "text": "Good."}, {**ROW, **change})
    read = read_bank(path)
    assert [anchor.id for anchor in read.bank.anchors] == ["good"]
    [skipped] = read.skipped
    assert skipped.reason.startswith(reason)
    assert skipped.source == "bank.jsonl:3"


def test_lines_that_are_no_anchor_and_doubles_are_skipped(tmp_path: Path) -> None:
    nan = json.dumps(ROW).replace("35}", "NaN}").replace('"one"', '"nan"')
    path = write(
        tmp_path, ROW, "{broken", "[1]", nan, {**ROW, "text": "Another."}, {**ROW, "id": "two"}
    )
    found = reasons(read_bank(path))
    assert found[0].startswith("malformed JSON")
    assert found[1] == "not an object"
    assert found[2].startswith("malformed JSON: consensus: NaN is not a JSON number")
    assert found[3] == "this id occurs earlier: the first anchor is kept"
    assert found[4] == "the text of 'one' once more"


def test_the_order_of_the_rest_does_not_depend_on_what_was_skipped(tmp_path: Path) -> None:
    rows = [{**ROW, "id": f"a{n}", "text": f"Text {n}."} for n in (3, 1, 2)]
    read = read_bank(write(tmp_path, rows[0], {"id": "x"}, rows[1], rows[2]))
    assert [anchor.id for anchor in read.bank.anchors] == ["a3", "a1", "a2"]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({"version": 2}, "version 2 of the bank format; this revkit reads 1"),
        ({"version": "1"}, "version '1' of the bank format"),
        ({"format": "other"}, "the first line is not the header of a bank"),
        ({"anchors": 5}, "the header promises 5 anchors, the file contains 1: it is truncated"),
        ({"clusters": "a"}, "header: clusters: expected a list of names"),
        ({"date": "3.2.2026"}, "header: date: expected a date YYYY-MM-DD"),
        ({"keeper": "x"}, "header: unknown key 'keeper'"),
    ],
)
def test_a_doubtful_file_is_an_error(header: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=message):
        read_bank(write(tmp_path, ROW, header=header))


def test_all_problems_of_a_header_are_stated(tmp_path: Path) -> None:
    header = {"clusters": "a", "date": "3.2.2026", "anchors": 5, "keeper": "x", "about": 3}
    with pytest.raises(RunError) as failed:
        read_bank(write(tmp_path, ROW, header=header))
    text = str(failed.value)
    assert "5 problems:" in text
    for part in ("clusters: expected", "date: expected", "promises 5", "'keeper'", "about: exp"):
        assert part in text
    path = tmp_path / "bank.csv"
    path.write_text("id,score,extra\n", encoding="utf-8")
    with pytest.raises(RunError, match=r"(?s)2 problems:.*column text.*'extra'"):
        read_bank(path)


def test_all_faults_of_an_anchor_are_its_reason(tmp_path: Path) -> None:
    wrong = {"tier": "fatal", "scores": [], "cluster": "c", "severity": 1, "consensus": 36}
    [skipped] = read_bank(write(tmp_path, {**ROW, **wrong})).skipped
    assert skipped.reason.split("; ") == [
        "unknown key 'severity'",
        "tier: expected one of none, minor, major, reject, not 'fatal'",
        "scores: expected a list of numbers from 0 to 100, not []",
        "cluster 'c' is not in the header",
    ]
    path = tmp_path / "bank.csv"
    path.write_text("id,text,score,tier\na,,x,y\n", encoding="utf-8")
    [skipped] = read_bank(path).skipped
    assert [fault.split(":")[0] for fault in skipped.reason.split("; ")] == [
        "score", "no text", "tier",
    ]  # fmt: skip


def test_a_truncated_file_is_an_error(tmp_path: Path) -> None:
    text = EMBEDDED.read_text(encoding="utf-8")
    path = tmp_path / "half.jsonl"
    path.write_text("\n".join(text.splitlines()[:100]), encoding="utf-8")
    with pytest.raises(RunError, match="promises 240 anchors, the file contains 99"):
        read_bank(path)
    for content, message in ((b"", "not the header"), (b"\xff\xfe", "not UTF-8 at byte 0")):
        path.write_bytes(content)
        with pytest.raises(RunError, match=message):
            read_bank(path)
    with pytest.raises(RunError, match="No such file"):
        read_bank(tmp_path / "none.jsonl")


def test_repairs_are_noted_on_the_paper(tmp_path: Path) -> None:
    path = write(tmp_path, {**ROW, "text": "One\r\ntwo.\r\n"})
    [paper] = AnchorBank(path=str(path)).papers(context())
    assert isinstance(paper, Paper)
    assert paper.text == "One\ntwo.\n"
    assert paper.notes == ("changed 2 CRLF line ends",)


CSV = """id,title,text,score_a,score_b,score_c,cluster,adjudicated
p1,T,"A text, with
a line break.",30,40.5,35,a,
p2,,Another text.,"30,5",40,35,a,
p3,,Third text.,10,80,40,b,45
p4,,Fourth text.,10,80,40,b,
p5,,Fifth text.,nan,80,40,b,
p6,,Sixth text.,90,,,b,
p7,,Seventh text.,,,,b,
p8,,Eighth text.,101,90,95,b,
p1,,Ninth text.,1,2,3,b,
p10,,Tenth text.,1,2
"""


def test_a_csv_table_is_read_by_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "bank.csv"
    path.write_bytes(b"\xef\xbb\xbf" + CSV.encode())
    read = read_bank(path)
    assert [(a.id, a.tier, a.consensus, a.adjudicated) for a in read.bank.anchors] == [
        ("p1", "minor", pytest.approx(35.1667, abs=1e-4), None),
        ("p3", "minor", 45.0, 45.0),
        ("p6", "reject", 90.0, None),
    ]
    assert read.bank.anchors[0].text == "A text, with\na line break."
    assert read.bank.anchors[2].error is None  # one score says nothing of its error
    assert [(s.id, s.reason) for s in read.skipped] == [
        ("p2", "score_a: '30,5' is not a severity from 0 to 100 (write a decimal point)"),
        ("p4", "scores 70 points apart, over the gap of 20, and not adjudicated"),
        ("p5", "score_a: 'nan' is not a severity from 0 to 100"),
        ("p7", "no score"),
        ("p8", "score_a: '101' is not a severity from 0 to 100"),
        ("p1", "this id occurs earlier: the first anchor is kept"),
        ("bank.csv:12", "5 cells, but 8 columns"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no column id"),
        ("id,text\na,b\n", "no column score"),
        ("id,text,score,extra\n", "column 'extra' is not known"),
        ("id,text,score,score\n", "two columns have the name 'score'"),
        ('id,text,score\na,"b,3\n', "line 2: unexpected end of data"),
    ],
)
def test_a_table_without_its_columns_is_an_error(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bank.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=message):
        read_bank(path)


def test_standard_errors_draw_towards_the_bank_as_computed_by_hand() -> None:
    # Squares 50 and 200 over 2 + 2 degrees of freedom: pooled variance 62.5.
    # First: (4 * 62.5 + 50) / 6 = 50, and sqrt(50 / 3) = 4.082. Second: 75, sqrt(25) = 5.
    assert standard_errors([(10, 15, 20), (30, 40, 50), (7,)]) == [4.082, 5.0, None]
    # Equal scores do not mean an error of 0: 2 * 0 + 4 * 100 over 6, a third of it, its root.
    assert standard_errors([(5, 5, 5), (30, 50, 50 - 0.0)])[0] is not None
    assert standard_errors([]) == []


def papers(corpus: AnchorBank, seed: int = 0) -> list[Paper]:
    return [paper for paper in corpus.papers(context(seed=seed)) if isinstance(paper, Paper)]


def test_anchors_become_papers_with_their_labels() -> None:
    check_component(AnchorBank)
    loaded = papers(AnchorBank())
    assert len(loaded) == 240
    for paper, anchor in zip(loaded, embedded_bank().bank.anchors, strict=True):
        labels = paper.labels
        assert (labels.severity, labels.tier, labels.topic) == (
            anchor.consensus, anchor.tier, anchor.cluster,
        )  # fmt: skip
        assert labels.severity_se == anchor.error
        assert labels.ratings == tuple(100 - score for score in anchor.scores)


def test_a_sample_is_even_over_tiers_and_clusters() -> None:
    for seed in range(5):
        loaded = papers(AnchorBank(per_tier=15), seed)
        assert Counter(paper.labels.tier for paper in loaded) == dict.fromkeys(TIERS, 15)
        cells = Counter((paper.labels.tier, paper.labels.topic) for paper in loaded)
        assert set(cells.values()) == {2, 3}
    assert papers(AnchorBank(per_tier=15), 1) == papers(AnchorBank(per_tier=15), 1)
    assert papers(AnchorBank(per_tier=15), 1) != papers(AnchorBank(per_tier=15), 2)


def test_tiers_and_clusters_choose() -> None:
    loaded = papers(AnchorBank(tiers=("major",), clusters=("language", "materials")))
    assert {paper.labels.tier for paper in loaded} == {"major"}
    assert {paper.labels.topic for paper in loaded} == {"language", "materials"}
    assert 16 <= len(loaded) <= 18
    with pytest.raises(ValueError, match="did you mean 'language'"):
        papers(AnchorBank(clusters=("languages",)))
    with pytest.raises(RunError, match="tier 'none' contains 60 anchors, fewer than per-tier"):
        papers(AnchorBank(per_tier=61))


def test_skipped_lines_come_after_the_anchors_and_identity_is_content(tmp_path: Path) -> None:
    path = write(tmp_path, {"id": "bad"}, ROW)
    records = list(AnchorBank(path=str(path)).papers(context()))
    assert isinstance(records[0], Paper)
    assert isinstance(records[1], Skipped)
    other = tmp_path / "moved.jsonl"
    other.write_bytes(path.read_bytes())
    assert AnchorBank(path=str(path)).identity() == AnchorBank(path=str(other)).identity()
    other.write_bytes(path.read_bytes().replace(b"small", b"other"))
    assert AnchorBank(path=str(path)).identity() != AnchorBank(path=str(other)).identity()
    with pytest.raises(RunError, match="no anchor remains"):
        list(AnchorBank(path=str(path), tiers=("reject",)).papers(context()))
