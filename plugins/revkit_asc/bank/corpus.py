"""The corpus `anchor-bank`: the anchors of a bank as papers with a consensus severity."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import ClassVar, Literal

from revkit.contracts import Context, Corpus
from revkit.dataclass import dataclass
from revkit.errors import OptionError, RunError
from revkit.model.paper import Paper, Skipped
from revkit.model.values import Json
from revkit.options import option, options_of, unknown_name
from revkit_asc.bank.anchor import Bank
from revkit_asc.bank.lines import ReadBank
from revkit_asc.bank.reader import read_bank
from revkit_asc.bank.rotation import first_day, plan_rotation, rotate
from revkit_asc.bank.sampling import stratified

EMBEDDED = Path(__file__).parent / "synthetic-anchors.jsonl"
FRESH = Path(__file__).parent / "synthetic-anchors-2026-q2.jsonl"
Tier = Literal["none", "minor", "major", "reject"]


@cache
def embedded_bank() -> ReadBank:
    """Return the bank that is included in revkit: 240 synthetic anchors."""
    return read_bank(EMBEDDED)


@cache
def fresh_bank() -> Bank:
    """Return the included fresh anchors for the second quarter of the embedded bank."""
    return read_bank(FRESH).bank


@cache
def second_quarter() -> ReadBank:
    """Return the embedded bank after its first rotation: 216 old anchors and 24 fresh ones."""
    bank = embedded_bank().bank
    plan = plan_rotation(bank, "2026-Q2")
    return ReadBank(rotate(bank, plan, fresh_bank().anchors, first_day("2026-Q2")), ())


@dataclass(frozen=True)
class AnchorBank(Corpus):
    """Anchors: manuscripts with a consensus of human scores, on which calibration maps are fitted.

    ``path`` names a bank in revkit's format (JSON Lines, schema ``anchor-bank``) or a CSV table
    with the columns id, text and at least one whose name starts with "score" (severities from 0 to
    100), and optionally title, tier, cluster, adjudicated, introduced, watermark. Without a path it
    is the embedded bank: 240 synthetic anchors, 60 in each tier, 34 or 35 in each of seven
    clusters (8 or 9 in each cell, since 240 / 28 is not a whole number).

    ``labels.severity`` is the consensus, ``labels.severity_se`` its standard error, ``tier`` and
    ``topic`` (the cluster) as in the bank; ``ratings`` are the human scores turned over, so that
    higher is better. A line that breaks the format, an id or a text given twice, a consensus that
    is not what the scores say, and a disagreement that nobody settled are skipped with the reason.
    A file that is truncated or of another version raises `RunError`.
    """

    name: ClassVar[str] = "anchor-bank"
    version: ClassVar[str] = "3"
    data: ClassVar[tuple[str, ...]] = (
        "synthetic-anchors.jsonl",
        "synthetic-anchors-2026-q2.jsonl",
    )
    path: str = option("", help="Bank to read; empty for the embedded one.")
    quarter: Literal["2026-Q1", "2026-Q2"] = option(
        "2026-Q1", help="Quarter of the embedded bank: as published, or after one rotation."
    )
    tiers: tuple[Tier, ...] = option((), help="Tiers to keep; empty for all.")
    clusters: tuple[str, ...] = option((), help="Clusters to keep; empty for all.")
    per_tier: int = option(
        0,
        help="Anchors to draw from each tier, spread over its clusters; 0 for all.",
        minimum=0,
    )

    @property
    def synthetic(self) -> bool:
        """Whether it is the embedded bank, whose texts and scores a program made."""
        return not self.path

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        """Yield the anchors in the order of the bank, then a `Skipped` for each invalid line.

        Anchors outside ``tiers``, ``clusters`` and the sample were not asked for and are no
        `Skipped`. Raises `OptionError` for a cluster that the bank does not have, and `RunError`
        where no anchor is left or a tier holds fewer than ``per-tier``.
        """
        read = self.read()
        bank = read.bank
        for name in self.clusters:
            if name not in bank.clusters:
                text = unknown_name("cluster", name, bank.clusters)
                raise OptionError(self.name, [("clusters", text)])
        anchors = tuple(
            anchor
            for anchor in bank.anchors
            if (not self.tiers or anchor.tier in self.tiers)
            and (not self.clusters or anchor.cluster in self.clusters)
        )
        place = Path(self.path).name if self.path else bank.name
        if not anchors:
            raise RunError(f"{place}: no anchor remains; check tiers, clusters and the file")
        if self.per_tier:
            for tier in self.tiers or ("none", "minor", "major", "reject"):
                held = sum(anchor.tier == tier for anchor in anchors)
                if held < self.per_tier:
                    raise RunError(
                        f"{place}: tier {tier!r} contains {held} anchors, fewer than per-tier "
                        f"({self.per_tier})"
                    )
            anchors = stratified(anchors, self.per_tier, random.Random(ctx.seed))
        for anchor in anchors:
            yield anchor.paper(f"{place}:{anchor.id}", read.notes.get(anchor.id, ()))
        yield from read.skipped

    def read(self) -> ReadBank:
        """Read the whole bank. Raises `RunError` if the bank cannot be read."""
        if self.path:
            return read_bank(Path(self.path))
        return embedded_bank() if self.quarter == "2026-Q1" else second_quarter()

    def identity(self) -> Json:
        """Return the options, with a digest of the file's content instead of its path."""
        options = options_of(self)
        path = Path(self.path) if self.path else EMBEDDED
        try:
            options["path"] = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            raise RunError(f"{path}: {error.strerror or error}; set another path") from None
        return options
