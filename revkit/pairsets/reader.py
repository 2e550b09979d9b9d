"""Read a pair set: the header, the papers, the variants of a family, with every digest checked."""

from __future__ import annotations

import functools
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from revkit.dataclass import dataclass
from revkit.errors import PaperError, RunError, reason_of
from revkit.files import LineProblems, Unreadable, located, opened
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
    """Yield the papers of a pair set in the order of the file. Raises `RunError` with all rows that
    were changed or are not of the expected form; no paper after the first of them is returned."""
    problems = LineProblems()
    for line, row in _rows(path, problems):
        if row is not None and row.get("row") == "paper":
            paper = _paper(line, row, problems)
            if paper is not None and not problems:
                yield paper
    if problems:
        raise _error(path, problems)


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
    problems = LineProblems()
    paper: Paper | None = None
    lost = False  # the paper of the next variants may be a row with a problem
    for line, row in _rows(path, problems):
        if row is None:
            paper, lost = None, True
        elif row.get("row") == "paper":
            paper = _paper(line, row, problems)
            lost = paper is None
        elif not lost:
            try:
                if paper is None or row["paper"] != paper.id:
                    raise ValueError("it does not follow its paper")
                if row["family"] not in families:
                    raise ValueError(f"the header has no family {row['family']!r:.100}")
                variants = families[row["family"]]
                key = (paper.digest, _natural(row["index"]))
                variants[key] = _variant(paper, row)
            except (KeyError, TypeError, ValueError, AttributeError, PaperError) as error:
                problems.add(line, f"not a valid variant: {reason_of(error)}")
    if problems:
        raise _error(path, problems)
    return header, families


def _variant(paper: Paper, row: Mapping[str, Any]) -> Frozen:
    if row["rejected"]:
        return Frozen(rejected=str(row["rejected"]))
    edits = ordered_edits(paper.text, [Edit.from_json(edit) for edit in row["edits"]])
    if paper.edited(edits).digest != row["digest"]:
        raise ValueError("its edits do not give the text with its digest")
    return Frozen(edits, str(row["direction"]))


def _paper(line: int, row: Mapping[str, Any], problems: LineProblems) -> Paper | None:
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
        problems.add(line, f"not a valid paper: {reason_of(error)}")
        return None
    return paper


def _rows(path: str | Path, problems: LineProblems) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Yield each row with the number of its line, after its digest has been compared; None for a
    row with a problem.
    """
    lines = _lines(path)
    header = _header(path, next(lines, b""))
    number = 0
    for number, text in enumerate(lines, 1):
        row = None
        expected = header.rows[number - 1] if number <= len(header.rows) else ""
        if hashlib.sha256(text).hexdigest() != expected:
            problems.add(number + 1, "it was changed or added: its SHA-256 is not that of the set")
        else:
            try:
                row = _object(text)
            except ValueError as error:
                problems.add(number + 1, error)
        yield number + 1, row
    missing = len(header.rows) - number
    if missing > 0:
        problems.add(number + 2, "it is missing" + f", with {missing - 1:,} more" * (missing > 1))


def _lines(path: str | Path) -> Iterator[bytes]:
    try:
        place = located(str(path))
        with opened(place) as file:
            if os.fstat(file.fileno()).st_size > MOST_BYTES:
                raise Unreadable(f"larger than {MOST_BYTES:,} bytes")
            number = 1
            while line := file.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise Unreadable(f"line {number} is longer than {LONGEST_LINE:,} bytes")
                yield line.removesuffix(b"\n")
                number += 1
    except (OSError, ValueError) as error:
        raise RunError(f"pair set {path}: {error}") from None


def _header(path: str | Path, line: bytes) -> Header:
    problems = LineProblems()
    try:
        value = _object(line)
    except ValueError as error:
        problems.add(1, error)
        raise _error(path, problems) from None
    if value.get("pairs") != FORMAT:
        problems.add(1, f"not a valid header: format {value.get('pairs')!r:.40}, expected {FORMAT}")
        raise _error(path, problems)
    found: dict[str, Any] = {}
    for key, read in _HEADER.items():
        if key not in value:
            problems.add(1, f"not a valid header: {key} is missing")
            continue
        try:
            found[key] = read(value[key])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            problems.add(1, f"not a valid header: {key}: {reason_of(error)}")
    for key in sorted(set(value) - {*_HEADER, "pairs"}):
        problems.add(1, f"not a valid header: unexpected key {key[:40]!r}")
    if problems:
        raise _error(path, problems)
    about = PairSet(
        *(found[key] for key in ("name", "version", "digest", "licence", "papers", "variants"))
    )
    header = Header(about, found["experiment"], found["families"], found["rows"])
    if digest_of(header.content()) != about.digest:
        problems.add(1, "the header was changed: its digest is not that of its content")
        raise _error(path, problems)
    return header


def _digests(value: Any) -> tuple[str, ...]:
    rows = tuple(value)
    if not all(isinstance(each, str) and _SHA256.fullmatch(each) for each in rows):
        raise ValueError("must be SHA-256 digests")
    return rows


def _every_family(value: Any) -> tuple[Family, ...]:
    return tuple(map(_family, value))


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


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = strict_json(line.decode("utf-8"))
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def _natural(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"expected a whole number, not {value!r:.40}")
    return value


def _error(path: str | Path, problems: LineProblems) -> RunError:
    return RunError(
        f"pair set {path} is not as it was published; get the file again from its publisher. "
        f"{problems}"
    )


# The keys of a header, except that of the format, each with what reads its value.
_HEADER: Mapping[str, Callable[[Any], Any]] = {
    "name": lambda value: checked_name(value, "name"),
    "version": lambda value: checked_name(value, "version"),
    "licence": checked_licence,
    "papers": _natural,
    "variants": _natural,
    "experiment": str,
    "families": _every_family,
    "rows": _digests,
    "digest": str,
}
