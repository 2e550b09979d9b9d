"""Records: JSON in every shape, at any size of read, and what happens where it breaks."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.errors import RunError
from revkit.files import CorpusFile
from revkit.model.paper import Skipped
from revkit.venues import scanner
from revkit.venues.records import Record, as_id, parse, records
from revkit.venues.scanner import Malformed, scan


def read(
    path: Path, content: str | bytes, *, alone: bool = True, **options: object
) -> list[object]:
    path.write_bytes(
        content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    )
    limit = int(str(options.pop("max_bytes", 1000)))
    found = CorpusFile(path, path.name)
    return list(records(found, limit, alone=alone, **options))  # type: ignore[arg-type]


def values(items: list[object]) -> list[object]:
    return [item.value if isinstance(item, Record) else item.reason for item in items]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "content",
    [
        '[{"a": 1}, {"a": 2}]',
        '\ufeff [\n{"a": 1}\n,\n{"a": 2}\n]\n',
        '{"a": 1}\n{"a": 2}\n',
        '{"a": 1} {"a": 2}',
        '{"notes": [{"a": 1}, {"a": 2}], "count": 2}',
        '{"count": 2, "notes": [{"a": 1}, {"a": 2}]}',
    ],
)
def test_shapes(tmp_path: Path, content: str) -> None:
    assert values(read(tmp_path / "x.json", content, wrapper="notes")) == [{"a": 1}, {"a": 2}]


def test_a_record_with_the_wrappers_key_stays_one(tmp_path: Path) -> None:
    content = '{"id": "x", "notes": [{"a": 1}]}'
    assert values(read(tmp_path / "x.json", content, wrapper="notes")) == [json.loads(content)]
    with pytest.raises(RunError, match="put its id before the list"):
        read(tmp_path / "x.json", '{"notes": [{"a": 1}], "id": "x"}', wrapper="notes")


def test_lines_fail_one_by_one(tmp_path: Path) -> None:
    content = (
        b'{"a": 1}\n\n{"a": \n[1]\n"\xff"\n{"b": "\xff"}\n'
        + b'{"c": "'
        + b"x" * 50
        + b'"}\n{"a": 2}'
    )
    items = read(tmp_path / "x.jsonl", content, max_bytes=40)
    assert [getattr(item, "source", "") for item in items] == [
        f"x.jsonl:{line}" for line in (1, 3, 4, 5, 6, 7, 8)
    ]
    got = values(items)
    assert got[0] == {"a": 1}
    assert str(got[1]).startswith("malformed JSON at line 3, column")
    assert got[2] == "not an object but '[1]'"
    assert "byte 0xff at offset 1" in str(got[3])
    assert "not UTF-8" in str(got[4])
    assert got[5] == "larger than max-bytes (40)"
    assert got[6] == {"a": 2}


def test_large_record_in_a_list_is_skipped_alone(tmp_path: Path) -> None:
    content = json.dumps([{"a": 1}, {"b": '}]\\"' * 100}, {"a": 2}], indent=1)
    items = read(tmp_path / "x.json", content, max_bytes=100)
    assert values(items) == [{"a": 1}, "larger than max-bytes (100)", {"a": 2}]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"a": 1},\n {"a": }]', "line 2, column 8"),
        ('[{"a": 1},\n {"a": 1]', "line 2, column 9"),
        ('[{"a": 1} {"a": 2}]', "expected a comma or the end of the list"),
        ('[{"a": 1},]', "expected a record"),
        ('[{"a": 1}] x', "expected the end of the file"),
        ('[{"a": "b}]', "a record begins here but has no end"),
        ("", "contains no record"),
        ("  \n", "contains no record"),
        ("[]", "contains no record"),
        ('{"notes": []}', "contains no record"),
        ("hello", "begins with byte 0x68"),
        ("\x00", "begins with byte 0x00"),
        ('[{"a": ' + "[" * 100_000 + "]" * 100_000 + "}]", "nested too deeply"),
        ('[{"a": ' + "1" * 5000 + "}]", "digits"),
    ],
)
def test_broken_file(tmp_path: Path, content: str, message: str) -> None:
    options: dict[str, Any] = {"wrapper": "notes", "max_bytes": 1_000_000}
    with pytest.raises(RunError, match=message):
        read(tmp_path / "x.json", content, **options)
    last = read(tmp_path / "x.json", content, alone=False, **options)[-1]
    assert isinstance(last, Skipped)
    assert message in last.reason


def test_records_before_the_fault_are_read(tmp_path: Path) -> None:
    items = read(tmp_path / "x.json", '[{"a": 1}, {"a": 2}, {,}]', alone=False)
    assert values(items)[:2] == [{"a": 1}, {"a": 2}]
    assert "the rest of the file is not read" in str(values(items)[2])


def test_lenient_reading_is_noted() -> None:
    value, notes = parse('{"a": NaN, "b": Infinity}')
    assert value == {"a": None, "b": None}
    assert [note.split()[0] for note in notes] == ["NaN", "Infinity"]


ONE, TWO, THREE = (f'{{"a": {number}, "t": "x, y"}}' for number in (1, 2, 3))


@pytest.mark.parametrize(
    ("content", "numbers", "place"),
    [
        (f"{ONE}\n{{oops}}\n{THREE}\n", [1, 3], "x.json:2"),
        (f'{ONE}\n{{"a": 2, "t": "x\n{TWO}\n{THREE}\n', [1, 2, 3], "x.json:2"),
        (f'{{"a" 1}}\n{TWO}\n{THREE}', [2, 3], "x.json:1"),
        (f'{ONE}\n{TWO}\n{{"a":', [1, 2], "x.json:3"),
        (f"{ONE}\n\n{TWO} and more\n{THREE}\n", [1, 2, 3], "x.json"),
        (f"[\n{ONE},\n{{oops}},\n{THREE}\n]\n", [1, 3], "x.json:3"),
        (f"\ufeff{ONE}\r\n{{oops}}\r\n{THREE}\r\n", [1, 3], "x.json:2"),
    ],
)
def test_a_broken_line_costs_that_line_only(
    tmp_path: Path, content: str, numbers: list[int], place: str
) -> None:
    items = read(tmp_path / "x.json", content)
    assert [item.value["a"] for item in items if isinstance(item, Record)] == numbers
    (skipped,) = (item for item in items if isinstance(item, Skipped))
    assert skipped.source == place
    assert "malformed JSON at line" in skipped.reason


def test_records_of_several_lines_end_at_the_fault(tmp_path: Path) -> None:
    content = json.dumps({"a": 1}, indent=1) + '\n{"a": 2,\n' + json.dumps({"a": 3}, indent=1)
    items = read(tmp_path / "x.json", content, alone=False)
    assert values(items)[:1] == [{"a": 1}]
    assert "the rest of the file is not read" in str(values(items)[-1])


@pytest.mark.parametrize(
    "record",
    ['{"id": "a", "id": "b"}', '{"id": "a", "x": [{"y": 1, "y": 1}]}', '{"x": {"y": 0, "y": 1}}'],
)
@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_a_record_with_a_key_given_twice_is_skipped(tmp_path: Path, name: str, record: str) -> None:
    items = read(tmp_path / name, f'{{"id": "1"}}\n{record}\n{{"id": "3"}}\n')
    assert [item.value["id"] for item in items if isinstance(item, Record)] == ["1", "3"]
    (skipped,) = (item for item in items if isinstance(item, Skipped))
    assert skipped.source == f"{name}:2"
    assert "is given twice in one object" in skipped.reason


def test_lone_surrogate_survives_to_be_cleaned() -> None:
    assert parse(r'{"a": "\ud835"}')[0] == {"a": "\ud835"}


def test_ids() -> None:
    assert as_id(parse("2604.01960")[0]) == (
        "2604.01960",
        "id 2604.01960 is written as a number: read as text",
    )
    assert as_id(435) == ("435", "")
    assert as_id(" 104 ") == ("104", "")
    for odd in (None, True, [], {}, ""):
        assert as_id(odd) == ("", "")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.lists(JSON, min_size=1, max_size=5),
    st.integers(1, 7),
    st.sampled_from([None, 1]),
    st.booleans(),
)
def test_any_list_comes_back_whatever_the_size_of_reads(
    items: list[object], chunk: int, indent: int | None, escape: bool
) -> None:
    data = json.dumps(items, indent=indent, ensure_ascii=escape).encode("utf-8", "surrogatepass")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanner, "_CHUNK", chunk)
        found = [json.loads(raw.data) for raw in scan(io.BytesIO(data), 10_000) if raw.data]
    assert found == items


@given(st.binary(max_size=60))
def test_any_bytes_end_in_records_or_in_malformed(data: bytes) -> None:
    try:
        for _ in scan(io.BytesIO(b"[" + data), 20):
            pass
    except Malformed:
        pass
