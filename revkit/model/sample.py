"""Samples: how many papers of a corpus an experiment draws, and how many it drew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, cast

from revkit.dataclass import dataclass
from revkit.model.paper import Labels
from revkit.model.values import Json

SampleBy: TypeAlias = Literal["", "decision", "topic", "tier"]


@dataclass(frozen=True)
class Sample:
    """A request for ``n`` papers of a corpus, drawn at random by ``seed``.

    Only the seed and the id of a paper decide its place in the draw, so the order of the corpus
    changes nothing, and a smaller sample with the same seed is part of a larger one. With ``by``,
    each stratum (the papers with equal decision, topic or tier) gets its share of ``n`` by largest
    remainder; such samples are parts of one another within each stratum up to rounding.
    """

    n: int
    seed: int = 42
    by: SampleBy = ""

    def stratum(self, labels: Labels) -> str:
        """Return the stratum of a paper with ``labels``; "" without strata."""
        if self.by == "decision":
            return {True: "accept", False: "reject", None: "no decision"}[labels.accept]
        if self.by:
            return getattr(labels, self.by) or f"no {self.by}"
        return ""

    def to_json(self) -> dict[str, Json]:
        """Return the section ``sample`` of a spec."""
        options: dict[str, Json] = {"n": self.n, "seed": self.seed}
        return {**options, "by": self.by} if self.by else options


@dataclass(frozen=True)
class Sampled:
    """What became of a `Sample`: by stratum, how many papers were drawn, and of how many."""

    sample: Sample
    strata: Mapping[str, tuple[int, int]]

    @property
    def drawn(self) -> int:
        """The number of papers drawn."""
        return sum(drawn for drawn, _ in self.strata.values())

    @property
    def of(self) -> int:
        """The number of papers that the corpus has."""
        return sum(of for _, of in self.strata.values())

    def to_json(self) -> dict[str, Json]:
        """Return the value as ``result.json`` of a run holds it."""
        strata: dict[str, Json] = {
            name: [drawn, of] for name, (drawn, of) in sorted(self.strata.items())
        }
        counts: dict[str, Json] = {"drawn": self.drawn, "of": self.of, "strata": strata}
        return {**self.sample.to_json(), **counts}


def sampled(sample: Sample, drawn: Iterable[Labels], undrawn: Mapping[str, int]) -> Sampled:
    """Return the counts of ``sample``: ``drawn`` gives the labels of the papers drawn, ``undrawn``
    counts the others by stratum.
    """
    counts: dict[str, int] = {}
    for labels in drawn:
        stratum = sample.stratum(labels)
        counts[stratum] = counts.get(stratum, 0) + 1
    names = sorted({*counts, *undrawn})
    return Sampled(
        sample,
        {name: (counts.get(name, 0), counts.get(name, 0) + undrawn.get(name, 0)) for name in names},
    )


def sampled_from_json(value: object) -> Sampled | None:
    """Read what `Sampled.to_json` wrote; None for anything else, since it comes from a file."""
    if not isinstance(value, Mapping):
        return None
    n, seed, by, strata = (value.get(name) for name in ("n", "seed", "by", "strata"))
    if not _is_count(n) or not _is_count(seed) or not isinstance(strata, Mapping):
        return None
    if by not in (None, "decision", "topic", "tier"):
        return None
    pairs = {name: pair for name, pair in strata.items() if isinstance(name, str)}
    if len(pairs) != len(strata) or not all(map(_is_pair, pairs.values())):
        return None
    sample = Sample(cast(int, n), cast(int, seed), cast(SampleBy, by or ""))
    return Sampled(sample, {name: (pair[0], pair[1]) for name, pair in pairs.items()})


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_count, value))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
