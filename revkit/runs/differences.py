"""What differs in how two runs were made: values of the spec, components, packages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.values import Json
from revkit.runs.opened_run import OpenedRun
from revkit.spec.resolved_spec import UNDECIDING

MOST = 200
_NOT_DECIDING = ("name", "reports", *UNDECIDING)


@dataclass(frozen=True)
class Difference:
    """One place at which two runs differ: ``where`` is "spec", "component", "content" (of files,
    programs and prompts that a component uses) or "package"; a value that one of them lacks is
    None."""

    where: str
    path: str
    first: str | None
    second: str | None

    def to_json(self) -> dict[str, Json]:
        return {
            "where": self.where,
            "path": self.path,
            "first": self.first,
            "second": self.second,
        }


def differences_of(first: OpenedRun, second: OpenedRun) -> list[Difference]:
    """Every difference in spec, versions of components, contents of their files, and packages, at
    most `MOST` of each. Contents are compared if both runs state them; if one does not, this is
    the difference."""
    parts = (
        ("spec", _leaves(_deciding(first.spec)), _leaves(_deciding(second.spec))),
        ("component", _components(first), _components(second)),
        ("content", *_contents(first, second)),
        ("package", dict(first.versions), dict(second.versions)),
    )
    found = []
    for where, one, other in parts:
        paths = sorted(
            path for path in {*one, *other} if one.get(path, "") != other.get(path, "")
        )  # fmt: skip
        found += [Difference(where, p, one.get(p), other.get(p)) for p in paths[:MOST]]
    return found


def differing_paths(first: Any, second: Any) -> list[str]:
    """The paths at which two resolved specs differ, without settings that decide no result."""
    one, other = (
        _leaves(_deciding(each)) if isinstance(each, Mapping) else {} for each in (first, second)
    )
    return sorted(path for path in {*one, *other} if one.get(path) != other.get(path))


def _deciding(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in spec.items() if key not in _NOT_DECIDING}


def _leaves(value: Any) -> dict[str, str]:
    return dict(_walk("", value))


def _walk(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _walk(f"{path}.{key}" if path else str(key), inner)
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from _walk(f"{path}[{index}]", inner)
    else:
        yield path, json.dumps(value, ensure_ascii=False, default=str)


def _contents(first: OpenedRun, second: OpenedRun) -> tuple[dict[str, str], dict[str, str]]:
    found = []
    for run in (first, second):
        contents = run.provenance.get("contents", {})
        found.append(
            {
                f"{path}: {key}" if key else path: value
                for path, content in contents.items()
                for key, value in _leaves(_by_name(content)).items()
            }
        )
    # Runs of versions without this record exist; each file would be read as a new one.
    stated = ["contents" in run.provenance for run in (first, second)]
    if stated[0] == stated[1]:
        return found[0], found[1]
    one, other = ({"(digests)": "on record"} if each else {} for each in stated)
    return one, other


def _by_name(value: Any) -> Any:
    """``value`` with each list of pairs (name, digest) as a mapping."""
    if isinstance(value, Mapping):
        return {key: _by_name(inner) for key, inner in value.items()}
    pairs = isinstance(value, list) and all(
        isinstance(each, list) and len(each) == 2 and isinstance(each[0], str) for each in value
    )
    return {str(name): inner for name, inner in value} if pairs else value


def _components(run: OpenedRun) -> dict[str, str]:
    found = run.provenance.get("components", ())
    rows = [each for each in found if isinstance(each, Mapping)]
    return {
        str(row.get("path")): f"{row.get('name')} {str(row.get('version'))[:16]}" for row in rows
    }
