"""The seven topic clusters, and the invented names of datasets, methods and people."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from revkit.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PaperTopic:
    """The words of one field. ``hard`` are difficulties and ``parts`` components, both singular;
    ``inputs`` are plural; ``goals`` are verb phrases that follow "to". Measures are in percent, and
    higher is better.
    """

    name: str
    area: str
    tasks: tuple[str, ...]
    inputs: tuple[str, ...]
    hard: tuple[str, ...]
    parts: tuple[str, ...]
    goals: tuple[str, ...]
    baselines: tuple[str, ...]
    suffixes: tuple[str, ...]
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All topics, and the parts of invented names."""

    topics: tuple[PaperTopic, ...]
    dataset_stems: tuple[str, ...]
    surnames: tuple[str, ...]
    method_starts: tuple[str, ...]
    method_ends: tuple[str, ...]


@cache
def vocabulary() -> Vocabulary:
    """Return the words of ``topics.toml``, read once."""
    with open(Path(__file__).parent / "topics.toml", "rb") as file:
        data: dict[str, Any] = tomllib.load(file)
    return Vocabulary(
        tuple(_topic(entry) for entry in data["topics"]),
        tuple(data["dataset-stems"]),
        tuple(data["surnames"]),
        tuple(data["method-starts"]),
        tuple(data["method-ends"]),
    )


def _topic(entry: dict[str, Any]) -> PaperTopic:
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in entry.items()}
    return PaperTopic(**values)
