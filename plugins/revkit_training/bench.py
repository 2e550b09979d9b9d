"""The benchmark: papers that must not be used for training, and the comparison of a paper with
them.

A bench is named as the spec of an experiment (its corpus), as the folder of a finished run, or as
a file of records (JSON, JSON Lines). Only identifier, title and text of its papers are read; their
reviews are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Literal

from revkit.contracts import ExperimentView
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files.run_files import records_file
from revkit.model.paper import Paper, Skipped
from revkit.model.strict_json import strict_json
from revkit.model.values import Json, digest_of
from revkit_training.near_duplicates import KnownTexts, RunsOf, words_of

Reason = Literal["same id", "same text", "same title", "near duplicate"]
_TEXTS = ("text", "paper_context", "full_text")


@dataclass(frozen=True, slots=True)
class BenchPaper:
    """The fields of a benchmark paper that are compared."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class BenchMatch:
    """The reason why a paper must not be used for training, and the matching paper of the
    benchmark.
    """

    reason: Reason
    bench: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of one paper with the benchmark: the match that excludes it, if any, the most
    similar paper of the benchmark ("" if it shares nothing with any), and the similarity.
    """

    match: BenchMatch | None
    nearest: str
    similarity: float


def title_key(title: str, text: str) -> str:
    """Return a title for comparison: its folded words; for a paper without one, its first
    heading.
    """
    if not title.strip():
        first = next((line for line in text.splitlines() if line.strip()), "")
        title = first if first.startswith("#") else ""
    return " ".join(words_of(title))


def id_key(id_: str) -> str:
    """Return an identifier for comparison: without surrounding blanks, regardless of case."""
    return id_.strip().casefold()


def text_key(words: Sequence[str]) -> str:
    """Return the key of a whole text for comparison: the digest of its words."""
    return digest_of(" ".join(words))


@dataclass
class Bench:
    """All papers of the benchmark, indexed for comparison; ``skipped`` counts what its corpus left
    out, by reason.
    """

    threshold: float
    runs: RunsOf = field(default_factory=RunsOf)
    papers: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    _ids: dict[str, str] = field(default_factory=dict)
    _titles: dict[str, str] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)
    _names: list[str] = field(default_factory=list)
    _known: KnownTexts = field(default_factory=lambda: KnownTexts([]))

    def fill(self, papers: Iterator[BenchPaper | Skipped]) -> None:
        """Add the papers of the benchmark. Raises `RunError` if there is none."""
        rows = []
        for each in papers:
            if isinstance(each, Skipped):
                self.skipped[each.reason] += 1
                continue
            words = words_of(each.text)
            title = title_key(each.title, each.text)
            rows.append((each.id, title, text_key(words), self.runs.of(words)))
        # Sorted by id, so that the order in which the bench is read does not matter.
        rows.sort(key=lambda row: row[:3])
        self.papers = len(rows)
        if not rows:
            raise RunError(
                "the benchmark has no paper to compare with; name another one with --bench"
            )
        for id_, title, text, _ in rows:
            self._ids.setdefault(id_key(id_), id_)
            self._texts.setdefault(text, id_)
            if title:
                self._titles.setdefault(title, id_)
        self._names = [row[0] for row in rows]
        self._known = KnownTexts(row[3] for row in rows)

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the identifiers, titles and texts that are compared, independent of
        order.
        """
        keys: list[Json] = [sorted(self._ids), sorted(self._titles), sorted(self._texts)]
        return digest_of(keys)

    def compare(self, paper: Paper, words: list[str]) -> Comparison:
        """Compare ``paper``, whose text has ``words``, with every paper of the benchmark."""
        found = self._known.nearest(self.runs.of(words))
        alike = found is not None and found.similarity > 0
        nearest = self._names[found.place] if found and alike else ""
        similarity = found.similarity if found else 0.0
        match = self._same(paper, words)
        if match is None and similarity >= self.threshold:
            match = BenchMatch("near duplicate", nearest)
        return Comparison(match, nearest, similarity)

    def _same(self, paper: Paper, words: list[str]) -> BenchMatch | None:
        name = self._ids.get(id_key(paper.id))
        if name is not None:
            return BenchMatch("same id", name)
        name = self._texts.get(text_key(words))
        if name is not None:
            return BenchMatch("same text", name)
        name = self._titles.get(title_key(paper.title, paper.text))
        return None if name is None else BenchMatch("same title", name)


def read_bench(places: Sequence[Path], experiment: ExperimentView, threshold: float) -> Bench:
    """Return the benchmark from all ``places``. Raises `RunError` or `SpecError`."""
    bench = Bench(threshold)
    bench.fill(item for place in places for item in _papers(place, experiment))
    return bench


def _papers(place: Path, experiment: ExperimentView) -> Iterator[BenchPaper | Skipped]:
    if place.is_dir():
        records = records_file(place, "papers")
        if not records.is_file():
            raise RunError(
                f"{place} is not a folder of a finished run: it has no records/papers.jsonl"
            )
        return _records(records)
    if place.suffix.casefold() in (".yaml", ".yml"):
        return _of_spec(place, experiment)
    return _records(place)


def _of_spec(place: Path, experiment: ExperimentView) -> Iterator[BenchPaper | Skipped]:
    for item in experiment.papers_of(place):
        if isinstance(item, Skipped):
            yield item
        else:
            yield BenchPaper(item.id, item.title, item.text)


def _records(place: Path) -> Iterator[BenchPaper]:
    try:
        if place.suffix.casefold() in (".jsonl", ".ndjson"):
            with place.open(encoding="utf-8-sig") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        yield _record(strict_json(line), f"{place}:{number}")
        else:
            value = strict_json(place.read_text(encoding="utf-8"))
            for number, each in enumerate(value if isinstance(value, list) else [value]):
                yield _record(each, f"{place}[{number}]")
    except OSError as error:
        raise RunError(f"{place} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise RunError(f"{place} is not valid JSON: {error}") from None


def _record(value: Any, place: str) -> BenchPaper:
    """Read one record. A record that cannot be compared ends the export, because its paper could
    then be used for training unnoticed.
    """
    if not isinstance(value, Mapping):
        raise RunError(f"{place} is not a record of a paper but a {type(value).__name__}")
    text = next((value[key] for key in _TEXTS if isinstance(value.get(key), str)), "")
    if not words_of(text):
        raise RunError(f"{place} has no text to compare ({', '.join(_TEXTS)})")
    title, id_ = value.get("title"), value.get("id")
    named = isinstance(id_, str | int) and not isinstance(id_, bool) and str(id_).strip()
    return BenchPaper(str(id_) if named else place, title if isinstance(title, str) else "", text)
