"""Pair sets as a corpus and as perturbations, so that any agent is run on exactly these pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from revkit.contracts import Context, Corpus, Perturbation
from revkit.dataclass import dataclass
from revkit.errors import OptionError, RunError
from revkit.model.edits import Edit
from revkit.model.pair_set import PairSet
from revkit.model.paper import Paper
from revkit.model.values import Json
from revkit.model.variant import Rejection
from revkit.options import option
from revkit.pairsets import FrozenFamily, read_family, read_header, read_papers

_PINNED = "the set's SHA-256, as its publisher states it; another set is refused"


@dataclass(frozen=True)
class Pairs(Corpus):
    """The papers of a pair set, which ``revkit export pairs`` wrote.

    Raises `RunError` where the file was changed, with the row, or has another digest than asked
    for.
    """

    name: ClassVar[str] = "pairs"
    version: ClassVar[str] = "1"

    path: str = option(help="the file of the pair set")
    digest: str = option("", help=_PINNED)

    def papers(self, ctx: Context) -> Iterable[Paper]:
        """Yield the papers in the order of the file."""
        problem = _other(self.digest, read_header(self.path).about)
        if problem:
            raise RunError(f"pair set {self.path}: {problem}")
        yield from read_papers(self.path)

    def count(self) -> int:
        """The number of papers that the header states."""
        return read_header(self.path).about.papers

    def identity(self) -> Json:
        """The digest of the set, wherever the file lies."""
        return {"digest": read_header(self.path).about.digest}


@dataclass(frozen=True)
class FrozenPairs(Perturbation):
    """The variants of one family of a pair set, as ``revkit export pairs`` wrote them.

    Expected effect and review aspect are those of the family. A paper that the set does not
    contain gives no variant. Nothing is drawn: the same set gives the same variants everywhere.
    """

    name: ClassVar[str] = "frozen"
    version: ClassVar[str] = "1"

    path: str = option(help="the file of the pair set")
    family: str = option(help="the family, by its name in the set")
    index: int = option(
        0, minimum=0, help="which variant, for families that have several of each paper"
    )
    digest: str = option("", help=_PINNED)

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            found = self._variants
        except RunError as error:
            raise OptionError(self.name, [("path", str(error))]) from None
        problem = _other(self.digest, found.about)
        if problem:
            raise OptionError(self.name, [("digest", problem)])
        object.__setattr__(self, "expect", found.family.expect)
        object.__setattr__(self, "target", found.family.target)

    @property
    def _variants(self) -> FrozenFamily:
        return read_family(self.path, self.family)

    def identity(self) -> Json:
        """The digest of the set, wherever the file lies."""
        digest = self._variants.about.digest
        return {"path": digest, "family": self.family, "index": self.index}

    def files_needed(self) -> Sequence[str]:
        """The file of the set."""
        return (self.path,)

    def pair_set(self) -> PairSet:
        """The set that the variants come from."""
        return self._variants.about

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the edits of the set for ``paper``."""
        found = self._variants.variants.get((paper.digest, self.index))
        if found is None:
            return Rejection("not in the pair set")
        return Rejection(found.rejected) if found.rejected else found.edits

    def direction(self, paper: Paper, edits: Sequence[Edit]) -> str:
        """Return the direction that the set states."""
        found = self._variants.variants.get((paper.digest, self.index))
        return "" if found is None else found.direction


def _other(wanted: str, about: PairSet) -> str:
    if not wanted or wanted == about.digest:
        return ""
    return f"it is {about.name} {about.version} with the digest {about.digest}, not {wanted:.80}"
