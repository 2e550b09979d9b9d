"""The manifest of a bundle: the code of the run, its counts, and the digest of each member."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

import revkit
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.execution.fault import Fault, fault_from_json
from revkit.execution.provenance import component_versions
from revkit.identity import core_digest, version_of
from revkit.model.values import Json
from revkit.registry import Registry, versions
from revkit.spec import Experiment

FORMAT = 1
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Part:
    """One component of the run: its place in the spec, its name, and the digest of its source."""

    path: str
    kind: str
    name: str
    version: str
    plugin: str = ""
    plugin_version: str = ""


@dataclass(frozen=True)
class Manifest:
    """The description of a bundle.

    ``keys`` holds the digest of each node's part of its keys, ``results`` the SHA-256 of each file
    of the run folder, ``members`` that of each member of the bundle. ``packages`` are the versions
    that the run's reports name, ``faults`` its metrics and reports that crashed. ``texts`` states
    whether the bundle holds the texts of the papers.
    """

    revkit: str
    name: str
    experiment: str
    core: str
    texts: bool
    parts: tuple[Part, ...]
    packages: Mapping[str, str]
    keys: Mapping[str, str]
    faults: tuple[Fault, ...]
    results: Mapping[str, str]
    members: Mapping[str, str]

    def to_json(self) -> dict[str, Json]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            "format": FORMAT,
            **values,
            "parts": [asdict(part) for part in self.parts],
            "faults": [fault.to_json() for fault in self.faults],
        }


def manifest_from(value: Any, bundle: str) -> Manifest:
    """Read a manifest. Raises `RunError` for a newer format or an invalid manifest, since it comes
    from elsewhere.
    """
    found = value.get("format") if isinstance(value, dict) else None
    if not isinstance(found, int) or isinstance(found, bool):
        raise RunError(f"{bundle} is not a bundle: its manifest names no format")
    if found > FORMAT:
        raise RunError(
            f"{bundle} was written by a newer revkit (format {found}, this one reads {FORMAT}); "
            "upgrade revkit"
        )
    problems = list(_problems(value))
    if found < 1 or problems:
        raise RunError(
            f"{bundle} is not a bundle: its manifest has wrong values for {', '.join(problems)}"
        )
    return Manifest(
        **{name: value[name] for name in ("revkit", "name", "experiment", "core", "texts")},
        **{name: value[name] for name in ("packages", "keys", "results", "members")},
        parts=tuple(Part(**part) for part in value["parts"]),
        faults=tuple(map(fault_from_json, value["faults"])),
    )


def _problems(value: Mapping[str, Any]) -> Iterator[str]:
    for name in ("revkit", "name", "experiment", "core"):
        if not isinstance(value.get(name), str):
            yield name
    if not isinstance(value.get("texts"), bool):
        yield "texts"
    for name in ("packages", "keys", "results", "members"):
        texts = value.get(name)
        if not isinstance(texts, dict) or not _all_texts(texts.values()):
            yield name
            continue
        if name != "packages" and not all(map(_SHA256.fullmatch, texts.values())):
            yield name
    if not isinstance(faults := value.get("faults"), list) or not all(map(_is_fault, faults)):
        yield "faults"
    parts = value.get("parts")
    wanted = {field.name for field in fields(Part)}
    if not isinstance(parts, list) or not all(
        isinstance(part, dict) and set(part) == wanted and _all_texts(part.values())
        for part in parts
    ):
        yield "parts"


def _is_fault(value: Any) -> bool:
    try:
        fault_from_json(value)
    except ValueError:
        return False
    return True


def _all_texts(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def parts_of_run(experiment: Experiment, registry: Registry) -> tuple[Part, ...]:
    """Return the components of ``experiment``, each with the plugin that registered it."""
    distributions = versions(registry)
    rows: Sequence[Any] = component_versions(experiment.components())
    found = []
    for row, (_, component) in zip(rows, experiment.components(), strict=True):
        plugin = next(
            (
                entry.plugin
                for entry in registry.entries
                if (entry.kind, entry.name) == (row["kind"], row["name"])
                and entry.component is type(component)
            ),
            "",
        )
        found.append(
            Part(
                row["path"],
                row["kind"],
                row["name"],
                row["version"],
                plugin,
                distributions.get(plugin, ""),
            )
        )
    return tuple(found)


def changes(parts: Sequence[Part], core: str, made_with: str, registry: Registry) -> Iterator[str]:
    """Return the differences between the code here and the code of a run, by component.

    The corpus may be another: its papers are checked by their own digests.
    """
    if core != core_digest():
        yield (
            f"the code of revkit differs: {made_with} ({core}) there, {revkit.__version__} "
            f"({core_digest()}) here"
        )
    changed: dict[tuple[str, str, str], list[str]] = {}
    for part in parts:
        if part.path == "corpus":
            continue
        here = [
            version_of(entry.component)
            for entry in registry.entries
            if (entry.kind, entry.name) == (part.kind, part.name)
        ]
        plugin = f" of plugin {part.plugin} {part.plugin_version}".rstrip() if part.plugin else ""
        what = f"{part.path} ({part.kind} {part.name!r}{plugin})"
        if not here:
            yield f"{what} is not installed here"
        elif part.version not in here:
            key = (part.plugin, part.version, ", ".join(here))
            changed.setdefault(key, []).append(what)
    # The components of one plugin change together: one line reports all of them.
    for (_, there, now), names in changed.items():
        yield f"{', '.join(names)}: other code, {there} there, {now} here"
