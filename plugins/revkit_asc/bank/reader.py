"""Read banks from JSON Lines in the bank format or from CSV; invalid lines are listed with a
reason.

Nothing is guessed. A number in quotation marks, a decimal comma, NaN, a severity
outside [0, 100], an unknown key: each costs its line and says so. What makes the whole file
doubtful (no header, another version, fewer or more lines than the header promises) is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from revkit.errors import RunError
from revkit.figures.numbers import MOST_LISTED, list_names
from revkit.files import LineProblems
from revkit.model.strict_json import NotStrictJson, strict_json
from revkit.model.values import is_number
from revkit_asc.bank.anchor import (
    FORMAT,
    GAP,
    TIERS,
    VERSION,
    Anchor,
    Bank,
    consensus_of_scores,
)
from revkit_asc.bank.lines import QUARTER, ReadBank, Seen, disagreement
from revkit_asc.bank.tables import read_table

_MAX_BYTES = 200_000_000
_DATE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})?")  # a table states no date


def read_bank(path: Path) -> ReadBank:
    """Read the bank in ``path``: as CSV if its name ends with .csv, else as JSON Lines.

    Raises `RunError` where the file cannot be read as a whole.
    """
    if path.is_dir():
        raise RunError(
            f"{path} is a folder; name the file of the bank, such as {path / 'bank.jsonl'}"
        )
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise RunError(f"{path}: larger than {_MAX_BYTES} bytes; split the bank")
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RunError(f"{path}: {error.strerror or error}; set another path") from None
    except UnicodeDecodeError as error:
        raise RunError(f"{path}: not UTF-8 at byte {error.start}; convert the file") from None
    if path.name.lower().endswith(".csv"):
        return read_table(text, path)
    return _json_lines(text, path)


def _json_lines(text: str, path: Path) -> ReadBank:
    lines = text.split("\n")
    rows = [(number, line) for number, line in enumerate(lines[1:], 2) if line.strip()]
    header = _header(lines[0], len(rows), path)
    seen = Seen(path.name)
    for number, line in rows:
        try:
            value = strict_json(line)
        except NotStrictJson as error:
            seen.skip(number, "", f"malformed JSON: {str(error)[:80]}")
            continue
        faults = list(_faults(value, header))
        if faults:
            id_ = value.get("id", "") if isinstance(value, dict) else ""
            seen.skip(number, id_, "; ".join(faults))
        else:
            seen.add(number, _anchor(value))
    bank = Bank(
        name=header["name"],
        date=header["date"],
        licence=header["licence"],
        clusters=tuple(header["clusters"]),
        anchors=tuple(seen.anchors),
        gap=float(header["adjudication_gap"]),
        secret_digest=header["watermark"],
        about=header["about"],
    )
    return ReadBank(bank, tuple(seen.skipped), seen.notes)


_HEADER: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "format": (lambda v: v == FORMAT, f"{FORMAT!r}"),
    "version": (lambda v: v == VERSION and not isinstance(v, bool), f"{VERSION}"),
    "name": (lambda v: _text(v), "text"),
    "date": (
        lambda v: isinstance(v, str) and bool(_DATE.fullmatch(v)),
        "a date YYYY-MM-DD, or none",
    ),
    "licence": (lambda v: isinstance(v, str), "text"),
    "about": (lambda v: isinstance(v, str), "text"),
    "clusters": (lambda v: isinstance(v, list) and all(map(_text, v)), "a list of names"),
    "adjudication_gap": (lambda v: _number(v) and 0 <= v <= 100, "a number from 0 to 100"),
    "watermark": (lambda v: isinstance(v, str), "text"),
    "anchors": (lambda v: type(v) is int and v >= 0, "a whole number"),
}


def _header(line: str, rows: int, path: Path) -> dict[str, Any]:
    """Return the header of a bank with this number of ``rows``. Raises `RunError` with all of its
    problems.
    """
    try:
        value = strict_json(line)
    except NotStrictJson:
        value = None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise RunError(
            f"{path}: the first line is not the header of a bank; see schema anchor-bank"
        )
    if value.get("version") != VERSION:
        raise RunError(
            f"{path}: version {value.get('version')!r} of the bank format; this revkit reads "
            f"{VERSION}"
        )
    value = {"about": "", "watermark": "", "adjudication_gap": GAP, **value}
    problems = LineProblems()
    for key, (rule, expected) in _HEADER.items():
        if key not in value or not rule(value[key]):
            problems.add(1, f"header: {key}: expected {expected}")
        elif key == "anchors" and value[key] != rows:
            problems.add(
                1,
                f"the header promises {value[key]} anchors, the file contains {rows}: it is "
                "truncated or was edited; get the whole file, or correct the header",
            )
    for key in sorted(set(value) - set(_HEADER)):
        problems.add(1, f"header: unknown key {key[:40]!r}")
    if problems:
        raise RunError(f"{path}: {problems}")
    return value


def _text(value: object) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _number(value: object) -> bool:
    if not is_number(value):
        return False
    return abs(value) < 1e9  # NaN compares false


def _severity(value: object) -> bool:
    return _number(value) and 0 <= value <= 100  # type: ignore[operator]


_ANCHOR: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "id": (_text, "text that is not empty"),
    "tier": (lambda v: v in TIERS, "one of none, minor, major, reject"),
    "cluster": (_text, "the name of a cluster"),
    "title": (lambda v: isinstance(v, str), "text"),
    "text": (_text, "text that is not empty"),
    "scores": (
        lambda v: isinstance(v, list) and bool(v) and all(map(_severity, v)),
        "a list of numbers from 0 to 100",
    ),
    "adjudicated": (lambda v: v is None or _severity(v), "a number from 0 to 100, or null"),
    "consensus": (_severity, "a number from 0 to 100"),
    "consensus_se": (
        lambda v: v is None or (_number(v) and v >= 0),
        "a number from 0 on, or null",
    ),
    "introduced": (
        lambda v: isinstance(v, str) and (not v or bool(QUARTER.fullmatch(v))),
        "a quarter such as 2026-Q1",
    ),
    "watermark": (lambda v: isinstance(v, str), "text"),
}
_OPTIONAL: Mapping[str, Any] = {
    "title": "",
    "adjudicated": None,
    "consensus_se": None,
    "introduced": "",
    "watermark": "",
}


def _faults(value: object, header: Mapping[str, Any]) -> Iterator[str]:
    """Yield the faults of one anchor in a JSON Lines bank."""
    if not isinstance(value, dict):
        yield "not an object"
        return
    unknown = sorted(str(key) for key in set(value) - set(_ANCHOR))
    if unknown:
        yield "unknown key " + list_names([repr(key[:40]) for key in unknown[:MOST_LISTED]])
    row = {**_OPTIONAL, **value}
    wrong = {
        key: f"{key}: expected {expected}, not {repr(row[key])[:40] if key in row else 'nothing'}"
        for key, (rule, expected) in _ANCHOR.items()
        if key not in row or not rule(row[key])
    }
    yield from wrong.values()
    if "cluster" not in wrong and row["cluster"] not in header["clusters"]:
        yield f"cluster {row['cluster'][:40]!r} is not in the header"
    if not {"scores", "adjudicated", "consensus"} & set(wrong):
        fault = disagreement(row["scores"], row["adjudicated"], float(header["adjudication_gap"]))
        fault = fault or _wrong_consensus(row["scores"], row["adjudicated"], row["consensus"])
        if fault:
            yield fault


def _wrong_consensus(scores: Sequence[float], adjudicated: float | None, consensus: float) -> str:
    expected = consensus_of_scores(scores, adjudicated)
    if abs(expected - consensus) <= 0.01:
        return ""
    source = "mean of the scores" if adjudicated is None else "adjudicated value"
    return f"consensus {consensus:g} is not the {source}, {expected:.6g}"


def _anchor(value: Mapping[str, Any]) -> Anchor:
    row = {**_OPTIONAL, **value}
    return Anchor(
        id=row["id"],
        tier=row["tier"],
        cluster=row["cluster"],
        title=row["title"],
        text=row["text"],
        scores=tuple(float(score) for score in row["scores"]),
        consensus=float(row["consensus"]),
        error=None if row["consensus_se"] is None else float(row["consensus_se"]),
        adjudicated=None if row["adjudicated"] is None else float(row["adjudicated"]),
        introduced=row["introduced"],
        watermark=row["watermark"],
    )
