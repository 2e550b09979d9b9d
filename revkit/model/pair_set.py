"""Pair sets: published, versioned sets of papers and variants, as records and results name them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from revkit.dataclass import dataclass
from revkit.model.values import Json


@dataclass(frozen=True)
class PairSet:
    """A set of pairs that several studies report against.

    ``digest`` is the SHA-256 over all its rows and its header, ``pairs`` the number of its
    variants that can be reviewed. ``perturbations`` are the names, in an experiment, of those that
    read it.
    """

    name: str
    version: str
    digest: str
    licence: str
    papers: int
    pairs: int
    perturbations: tuple[str, ...] = ()

    def read_by(self, *perturbations: str) -> PairSet:
        """Return the set with the ``perturbations`` that read it."""
        return replace(self, perturbations=perturbations)

    def to_json(self) -> dict[str, Json]:
        """Return the value as ``result.json`` of a run holds it."""
        return {
            "name": self.name,
            "version": self.version,
            "digest": self.digest,
            "licence": self.licence,
            "papers": self.papers,
            "pairs": self.pairs,
            "perturbations": list(self.perturbations),
        }


def pair_sets_from_json(value: object) -> tuple[PairSet, ...]:
    """Read a list of what `PairSet.to_json` wrote, without entries of another form, since it comes
    from a file."""
    if not isinstance(value, list):
        return ()
    found = [_from_json(each) for each in value if isinstance(each, Mapping)]
    return tuple(each for each in found if each is not None)


def _from_json(value: Mapping[str, object]) -> PairSet | None:
    texts = [value.get(name) for name in ("name", "version", "digest", "licence")]
    papers, pairs, readers = (value.get(name) for name in ("papers", "pairs", "perturbations"))
    words = [each for each in texts if isinstance(each, str)]
    if len(words) != len(texts) or not isinstance(readers, list):
        return None
    if not isinstance(papers, int) or not isinstance(pairs, int):
        return None
    name, version, digest, licence = words
    return PairSet(name, version, digest, licence, papers, pairs, tuple(map(str, readers)))
