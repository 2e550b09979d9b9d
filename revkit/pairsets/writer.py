"""Write the pairs of a finished run as a pair set."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from revkit.dataclass import dataclass
from revkit.errors import RunError, reason_of
from revkit.files.run_files import read_object, records_file
from revkit.model.pair_set import PairSet
from revkit.model.paper import Labels
from revkit.model.strict_json import strict_json
from revkit.model.values import Json, canonical_bytes, digest_of
from revkit.pairsets.reader import (
    LONGEST_LINE,
    Family,
    Header,
    checked_licence,
    checked_name,
    read_family,
)

_VARIANT = ("paper", "index", "direction", "dose", "digest", "edits", "rejected")


@dataclass(frozen=True)
class Written:
    """A written pair set; ``families`` lists each family with its number of variants per paper."""

    path: Path
    about: PairSet
    families: tuple[tuple[str, int], ...]


def write_pair_set(
    run: str | Path, path: str | Path, *, name: str, version: str, licence: str = ""
) -> Written:
    """Write the papers and variants of the finished run in the folder ``run`` to ``path``.

    ``name``, ``version`` and the note ``licence`` are those of the publisher. Human reviews and
    files of papers are left out. The same run gives the same bytes. Raises `RunError` where
    ``run`` is not a finished run with perturbations, a variant crashed or changes a file only, or
    ``path`` exists.
    """
    run, path = Path(run), Path(path)
    try:
        about = PairSet(
            checked_name(name, "name"),
            checked_name(version, "version"),
            "",
            checked_licence(licence),
            0,
            0,
        )
    except ValueError as error:
        raise RunError(f"no pair set written: {error}") from None
    if path.exists():
        raise RunError(f"{path} exists; a published set never changes: choose another file")
    try:
        result, provenance = (
            read_object(run / name) for name in ("result.json", "provenance.json")
        )
    except RunError as error:
        raise RunError(f"{run} is not the folder of a finished run: {error}") from None
    try:
        experiment = str(result["experiment"])
        families = _families(provenance)
        return _write(run, path, Header(about, experiment, families, ()))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise RunError(f"{run} is not the folder of a finished run: {reason_of(error)}") from None


def _write(run: Path, path: Path, header: Header) -> Written:
    rows: list[str] = []
    papers = pairs = 0
    with tempfile.TemporaryDirectory(prefix=".revkit-pairs-", dir=path.absolute().parent) as place:
        body, whole = Path(place) / "rows", Path(place) / "set"
        with body.open("wb") as file:
            for row in _rows(run):
                papers += row["row"] == "paper"
                pairs += row["row"] == "variant" and not row["rejected"]
                line = canonical_bytes(row)
                rows.append(hashlib.sha256(line).hexdigest())
                file.write(line + b"\n")
        about = replace(header.about, papers=papers, pairs=pairs)
        header = replace(header, about=about, rows=tuple(rows))
        digest = digest_of(header.content())
        with whole.open("wb") as file, body.open("rb") as lines:
            file.write(canonical_bytes({**header.content(), "digest": digest}) + b"\n")
            while part := lines.read(1 << 20):
                file.write(part)
        found = [(each.name, read_family(whole, each.name)) for each in header.families]
        whole.replace(path)
    return Written(
        path,
        replace(about, digest=digest),
        tuple(
            (each, 1 + max((index for _, index in family.variants), default=0))
            for each, family in found
        ),
    )


def _rows(run: Path) -> Iterator[dict[str, Any]]:
    """Yield each paper, followed by its variants; both are in the order of the papers."""
    variants = _lines(records_file(run, "variants"))
    held = next(variants, None)
    for paper in _lines(records_file(run, "papers")):
        yield _paper(paper)
        while held is not None and held["paper"] == paper["id"]:
            yield _variant(held)
            held = next(variants, None)
    if held is not None:
        raise ValueError("its variants are not in the order of its papers")


def _paper(row: Mapping[str, Any]) -> dict[str, Json]:
    texts = {name: row[name] for name in ("id", "title", "text", "source", "digest")}
    labels = {name: row[name] for name in Labels().to_json()}
    return {"row": "paper", **texts, "materials": row.get("materials", []), "labels": labels}


def _variant(row: Mapping[str, Any]) -> dict[str, Json]:
    where = f"variant {row['index']} of {row['perturbation']!r} for paper {row['paper']!r}"
    if row["outcome"] == "crashed":
        raise RunError(f"{where} crashed; run the experiment again before its pairs are frozen")
    if row.get("layout"):
        raise RunError(f"{where} changes the layout of a file, which a pair set cannot contain")
    kept = {name: row[name] for name in _VARIANT}
    if row["rejected"]:
        kept["edits"] = []
    return {"row": "variant", "family": row["perturbation"], **kept}


def _families(about: Mapping[str, Any]) -> tuple[Family, ...]:
    versions = {row["path"]: str(row["version"]) for row in about["components"]}
    families = tuple(
        Family(
            row["name"],
            row["component"],
            versions[f"perturbations.{row['name']}"],
            row["expect"],
            row["target"],
        )
        for row in about["subjects"]["perturbations"]
    )
    if not families:
        raise RunError("no pair set written: the run has no perturbations")
    return families


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE + 1):
            row = strict_json(line.decode("utf-8"))
            if len(line) > LONGEST_LINE or not isinstance(row, dict):
                raise ValueError(f"{path.name} contains a line that is not a record")
            yield row
