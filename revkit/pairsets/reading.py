"""Read a pair set: the header, the papers, the variants of a family, with every digest checked."""

from __future__ import annotations

import functools
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from revkit.errors import PaperError, RunError
from revkit.files import Unreadable, located, opened
from revkit.model.edits import Edit, ordered_edits
from revkit.model.pair_set import PairSet
from revkit.model.paper import Material, Paper
from revkit.model.records import Expectation
from revkit.model.strict_json import strict_json
from revkit.model.values import Json, digest_of
from revkit.venues import labels_of_row

FORMAT = 1
LONGEST_LINE = 64_000_000
MOST_BYTES = 1_000_000_000
_SHA256 = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


@dataclass(frozen=True)
class Family:
    """One family of a pair set: its name, the component that made it with its version, and the
    effect that its edits are expected to have (with the review aspect, if one is named).
    """

    name: str
    component: str
    version: str
    expect: Expectation
    target: str = ""

    def to_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "component": self.component,
            "version": self.version,
            "expect": self.expect,
            "target": self.target,
        }


@dataclass(frozen=True)
class Header:
    """The first line of a pair set. ``experiment`` is the digest of the spec that made it, ``rows``
    the SHA-256 of each line that follows.
    """

    about: PairSet
    experiment: str
    families: tuple[Family, ...]
    rows: tuple[str, ...]

    def content(self) -> dict[str, Json]:
        """Return the header without its digest, which is computed over this."""
        return {
            "pairs": FORMAT,
            "name": self.about.name,
            "version": self.about.version,
            "licence": self.about.licence,
            "papers": self.about.papers,
            "variants": self.about.pairs,
            "experiment": self.experiment,
            "families": [family.to_json() for family in self.families],
            "rows": list(self.rows),
        }


@dataclass(frozen=True)
class Frozen:
    """One variant of a family: its edits and direction, or the reason why there is none."""

    edits: tuple[Edit, ...] = ()
    direction: str = ""
    rejected: str = ""


@dataclass(frozen=True)
class FrozenFamily:
    """The variants of one family, by the digest of the paper and the index of the variant."""

    about: PairSet
    family: Family
    variants: Mapping[tuple[str, int], Frozen]


def read_header(path: str | Path) -> Header:
    """Return the header of the pair set ``path``. Raises `RunError` for any other file."""
    return _header(path, next(_lines(path), b""))


def read_papers(path: str | Path) -> Iterator[Paper]:
    """Yield the papers of a pair set in the order of the file. Raises `RunError` with the row that
    was changed or is not of the expected form."""
    for number, row in _rows(path):
        if row.get("row") == "paper":
            yield _paper(path, number, row)


def read_family(path: str | Path, name: str) -> FrozenFamily:
    """Return the variants of the family ``name``, each applied to its paper and compared with the
    digest of the text that was reviewed.

    Raises `RunError` for a changed row, and for a family that the set does not have. The file is
    read again only after a change.
    """
    try:
        place = located(str(path))
        found = os.stat(place)
    except (OSError, ValueError) as error:
        raise RunError(f"pair set {path} cannot be read: {error}") from None
    header, families = _families(str(place), found.st_mtime_ns, found.st_size)
    if name not in families:
        known = ", ".join(family.name for family in header.families)
        raise RunError(f"pair set {path} has no family {name!r}; its families: {known}")
    family = next(each for each in header.families if each.name == name)
    return FrozenFamily(header.about, family, families[name])


_Variants = dict[tuple[str, int], Frozen]


@functools.lru_cache(maxsize=4)
def _families(path: str, _changed: int, _size: int) -> tuple[Header, dict[str, _Variants]]:
    header = read_header(path)
    families: dict[str, _Variants] = {family.name: {} for family in header.families}
    paper: Paper | None = None
    for number, row in _rows(path):
        if row.get("row") == "paper":
            paper = _paper(path, number, row)
            continue
        try:
            if paper is None or row["paper"] != paper.id:
                raise ValueError("it does not follow its paper")
            variants = families[row["family"]]
            key = (paper.digest, _natural(row["index"]))
            variants[key] = _variant(paper, row)
        except (KeyError, TypeError, ValueError, AttributeError, PaperError) as error:
            raise _fault(path, number, f"is not a valid variant: {error}") from None
    return header, families


def _variant(paper: Paper, row: Mapping[str, Any]) -> Frozen:
    if row["rejected"]:
        return Frozen(rejected=str(row["rejected"]))
    edits = ordered_edits(paper.text, [Edit.from_json(edit) for edit in row["edits"]])
    if paper.edited(edits).digest != row["digest"]:
        raise ValueError("its edits do not give the text with its digest")
    return Frozen(edits, str(row["direction"]))


def _paper(path: str | Path, number: int, row: Mapping[str, Any]) -> Paper:
    try:
        materials = tuple(Material(**each) for each in row["materials"])
        labels = labels_of_row(row["labels"])
        labels.to_json()
        paper = Paper(
            row["id"], row["text"], row["title"], labels, row["source"], materials=materials
        )
        if paper.digest != row["digest"]:
            raise ValueError("its text does not have its digest")
    except (KeyError, TypeError, ValueError, AttributeError, PaperError) as error:
        raise _fault(path, number, f"is not a valid paper: {error}") from None
    return paper


def _rows(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each row with its number, from 1, after its digest has been compared."""
    lines = _lines(path)
    header = _header(path, next(lines, b""))
    number = 0
    for number, line in enumerate(lines, 1):
        expected = header.rows[number - 1] if number <= len(header.rows) else ""
        if hashlib.sha256(line).hexdigest() != expected:
            raise _fault(path, number, "was changed or added: its SHA-256 is not that of the set")
        yield number, _object(path, number, line)
    if number < len(header.rows):
        raise _fault(path, number + 1, "is missing")


def _lines(path: str | Path) -> Iterator[bytes]:
    try:
        place = located(str(path))
        with opened(place) as file:
            if os.fstat(file.fileno()).st_size > MOST_BYTES:
                raise Unreadable(f"larger than {MOST_BYTES:,} bytes")
            number = 0
            while line := file.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise _fault(path, number, f"is longer than {LONGEST_LINE:,} bytes")
                yield line.removesuffix(b"\n")
                number += 1
    except (OSError, ValueError) as error:
        if isinstance(error, RunError):
            raise
        raise RunError(f"pair set {path}: {error}") from None


def _header(path: str | Path, line: bytes) -> Header:
    value = _object(path, 0, line)
    try:
        if value["pairs"] != FORMAT:
            raise ValueError(f"format {value['pairs']!r:.40}, expected {FORMAT}")
        families = tuple(_family(each) for each in value["families"])
        rows = tuple(value["rows"])
        if not all(isinstance(each, str) and _SHA256.fullmatch(each) for each in rows):
            raise ValueError("rows must be SHA-256 digests")
        about = PairSet(
            checked_name(value["name"], "name"),
            checked_name(value["version"], "version"),
            str(value["digest"]),
            checked_licence(value["licence"]),
            _natural(value["papers"]),
            _natural(value["variants"]),
        )
        header = Header(about, str(value["experiment"]), families, rows)
        if set(value) != {*header.content(), "digest"}:
            raise ValueError("unexpected keys")
        if digest_of(header.content()) != about.digest:
            raise ValueError("it was changed: its digest is not that of its content")
    except (KeyError, TypeError, ValueError) as error:
        raise _fault(path, 0, f"is not a valid header: {error}") from None
    return header


def _family(value: Mapping[str, Any]) -> Family:
    texts = {name: value[name] for name in ("name", "component", "version", "expect", "target")}
    if not all(isinstance(text, str) and len(text) <= 200 for text in texts.values()):
        raise ValueError("a family must consist of short texts")
    if texts["expect"] not in get_args(Expectation):
        raise ValueError(f"expect must be one of {', '.join(get_args(Expectation))}")
    return Family(**texts)


def checked_name(text: object, what: str) -> str:
    """Return ``text`` if it can be the name or version of a set; else raise `ValueError`."""
    if not isinstance(text, str) or not _NAME.fullmatch(text):
        raise ValueError(
            f"{what} must consist of at most 80 letters, digits, dots, hyphens and underscores, "
            f"not {text!r:.100}"
        )
    return text


def checked_licence(text: object) -> str:
    """Return ``text`` if it can be the licence note of a set; else raise `ValueError`."""
    if not isinstance(text, str) or len(text) > 2000 or not text.isprintable():
        raise ValueError("licence must be one printable line of at most 2,000 characters")
    return text


def _object(path: str | Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        value = strict_json(line.decode("utf-8"))
    except ValueError as error:
        raise _fault(path, number, f"is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise _fault(path, number, "is not a JSON object")
    return value


def _natural(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"expected a whole number, not {value!r:.40}")
    return value


def _fault(path: str | Path, number: int, problem: str) -> RunError:
    row = f"row {number} (line {number + 1})" if number else "the header (line 1)"
    return RunError(f"pair set {path}: {row} {problem}; get the file again from its publisher")
