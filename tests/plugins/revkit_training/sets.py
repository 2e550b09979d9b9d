"""Writes training sets as the tests look at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from revkit.api import export_with
from revkit_training.sft import TrainingSet

_OF_SPEC = ("plugins", "overrides", "seed", "limit", "point", "store")


@dataclass(frozen=True)
class Written:
    """A training set: its folder, its manifest, and the main counts."""

    folder: Path
    manifest: Mapping[str, Any]
    train: int
    validation: int
    excluded: int


def export_sft(
    spec: Any, out: Path, *, bench: str | Path | Sequence[str | Path], **options: Any
) -> Written:
    """Export with the options of the exporter ``sft`` and those of a spec."""
    places = [bench] if isinstance(bench, str | Path) else bench
    given = {name: options.pop(name) for name in _OF_SPEC if name in options}
    exporter = TrainingSet(bench=tuple(map(str, places)), **options)
    manifest = export_with(exporter, spec, out, **given).manifest
    counts = manifest["examples"]
    excluded = sum(manifest["papers"]["excluded"].values())
    return Written(out, manifest, counts["train"], counts["validation"], excluded)
