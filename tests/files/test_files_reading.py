"""One file: what is read of it, and why it is not."""

from __future__ import annotations

import hashlib
import io
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.files import (
    CorpusFile,
    Unreadable,
    digest,
    digest_of_file,
    json_values,
    lines_of,
    parsed,
    read_bytes,
    read_text,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"\xef\xbb\xbfa\n", "a\n"),
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        ("ä\u2028\x0cz".encode(), "ä\u2028\x0cz"),
    ],
)
def test_a_text_is_read(data: bytes, text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(data)
    assert read_text(path) == read_text(str(path)) == text
    (tmp_path / "link").symlink_to(path)
    assert read_text(tmp_path / "link") == text


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"ok \xff", "is not UTF-8: byte 0xff at offset 3"),
        ("ab".encode("utf-16-le"), "is not text: it contains a NUL"),
        (b"x" * 11, "is larger than 10 bytes"),
    ],
)
def test_what_is_no_text_is_told_with_its_path(data: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(data)
    with pytest.raises(Unreadable, match=f"a.md {told}"):
        read_text(path, 10)


def test_a_bound_is_inclusive(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"x" * 10)
    assert read_text(path, 10) == "x" * 10
    assert read_bytes(path, 10) == b"x" * 10
    with pytest.raises(Unreadable, match=r"^larger than max-bytes \(9\)$"):
        read_bytes(path, 9)


def test_five_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"x" * 5_000_000)
    with pytest.raises(Unreadable, match="is larger than 4000000 bytes"):
        read_text(path)
    assert len(read_text(path, 5_000_000)) == 5_000_000


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for name, told in (
        ("gone", "cannot be read: No such file"),
        (".", "cannot be read: Is a directory"),
        ("loop", "cannot be read: Too many levels"),
        ("pipe", "not a regular file"),
        ("x" * 300, "cannot be read: File name too long"),
    ):
        with pytest.raises(Unreadable, match=told):
            read_text(tmp_path / name)
        with pytest.raises(Unreadable, match=f"^{told}"):
            read_bytes(tmp_path / name, 10)
    with pytest.raises(Unreadable, match="is not a regular file"):
        read_text("/dev/zero")
    with pytest.raises(Unreadable, match=r"null (byte|character)"):
        read_text("a\0b")


def test_what_may_not_be_read_is_told(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "a.md").chmod(0)
    with pytest.raises(Unreadable, match="cannot be read: Permission denied"):
        read_text(tmp_path / "a.md")


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("one")
    assert read_text(path) == "one"
    path.write_text("other")
    assert read_text(path) == "other"


def test_digests(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    # The SHA-256 of "abc" is a test vector of FIPS 180-2.
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert digest("abc") == digest_of_file(tmp_path / "a") == known
    assert digest("\ud800") == hashlib.sha256(b"\xed\xa0\x80").hexdigest()
    assert digest_of_file(tmp_path) == "no regular file"
    assert digest_of_file(tmp_path / "gone") == "unreadable"


def values(path: Path, max_bytes: int = 100) -> list[tuple[int, str, Any]]:
    return [
        (number, place, str(value) if isinstance(value, Unreadable) else value)
        for number, place, value in json_values(CorpusFile(path, path.name), max_bytes)
    ]


def test_values_of_a_file_and_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'\xef\xbb\xbf[{"a": 1}, null]')
    assert values(path) == [(1, "a.json[0]", {"a": 1}), (2, "a.json[1]", None)]
    path.write_text('{"a": 1}')
    assert values(path) == [(1, "a.json", {"a": 1})]
    lines = tmp_path / "a.JSONL"
    lines.write_bytes(b'\xef\xbb\xbf1\r\n\n{\n"\xff"\n' + b"9" * 200 + b"\nNaN\n2")
    found = values(lines)
    assert [(number, place) for number, place, _ in found] == [
        (n, f"a.JSONL:{n}") for n in (1, 3, 4, 5, 6, 7)
    ]
    told = [value for *_, value in found]
    assert (told[0], told[-1]) == (1, 2)
    assert told[1].startswith("malformed JSON at line 1, column 2")
    assert told[2].startswith("not UTF-8: byte 0xff at offset 1")
    assert told[3] == "larger than max-bytes (100)"
    assert told[4] == "malformed JSON: NaN is not a JSON number"
    with pytest.raises(Unreadable, match="No such file"):
        values(tmp_path / "gone.jsonl")


@pytest.mark.parametrize("text", ["[" * 100_000, "", "{'a': 1}", "[1,]", "-Infinity", "\ufeff"])
def test_what_is_no_json(text: str) -> None:
    with pytest.raises(Unreadable, match="malformed JSON"):
        parsed(text.encode())


@given(st.binary(max_size=60), st.integers(1, 12))
def test_lines_lose_nothing(data: bytes, most: int) -> None:
    data = data.removeprefix(b"\xef\xbb\xbf")
    lines = data.split(b"\n")
    expected = [(n, line) for n, line in enumerate(lines, 1) if line.strip() or len(line) > most]
    found = list(lines_of(io.BytesIO(data), most))
    assert [number for number, line in found if line is not None] == [
        number for number, line in expected if len(line) <= most and line.strip()
    ]
    for number, line in found:
        whole = lines[number - 1]
        assert line == (whole.rstrip(b"\r") if len(whole) <= most else None)


@pytest.mark.parametrize(
    ("body", "values"),
    [
        (b'{"a": 1}\n\n{"a": 2}\n', [(1, {"a": 1}), (3, {"a": 2})]),
        (b'{"a": 1}\n{"a": 2}', [(1, {"a": 1}), (2, {"a": 2})]),
        (b'[{"a": 1},\n{"a": 2}]', [(1, {"a": 1}), (2, {"a": 2})]),
        (b'{"a":\n1}', [(1, {"a": 1})]),
    ],
)
def test_json_lines_under_any_name(
    tmp_path: Path, body: bytes, values: list[tuple[int, object]]
) -> None:
    (tmp_path / "rows.json").write_bytes(body)
    found = json_values(CorpusFile(tmp_path / "rows.json", "rows.json"), 1000)
    assert [(number, value) for number, _, value in found] == values


def test_malformed_json_stays_malformed(tmp_path: Path) -> None:
    for body in (b'{"a": 1}}', b'{"a":\n1}}\n', b'[{"a": 1}\n{"a": 2}]'):
        (tmp_path / "rows.json").write_bytes(body)
        with pytest.raises(Unreadable, match="malformed"):
            list(json_values(CorpusFile(tmp_path / "rows.json", "rows.json"), 1000))
