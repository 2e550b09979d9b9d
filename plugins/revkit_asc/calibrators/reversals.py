"""Clusters or tiers on which an agent runs against the consensus.

No increasing map of the score can repair that. The global map stays; the clusters are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from revkit.errors import BadAnchors
from revkit.stats import holm
from revkit_asc.calibrators.anchors import as_numbers
from revkit_asc.calibrators.correlation import rank_correlation

# One-sided, as the upper end of a 95 % interval below 0.
ALPHA = 0.025


@dataclass(frozen=True)
class Reversal:
    """One cluster or tier: rows, Spearman's rho, p of rho >= 0 and the same after Holm.

    None where it is undefined: three rows or fewer, or a constant input.
    """

    group: str
    n: int
    rho: float | None
    p: float | None
    adjusted: float | None
    reversed: bool

    @property
    def flag(self) -> str:
        """What a map that serves this cluster should carry."""
        return f"not_monotone:{self.group}"


def reversals(
    raw: Any, target: Any, groups: Sequence[str], alpha: float = ALPHA
) -> tuple[Reversal, ...]:
    """Test each group for anti-correlation, with Holm's correction over the groups.

    Fisher's z of Spearman's rho with se root(1.06 / (n - 3)), against rho >= 0, at ``alpha``
    one-sided. Sorted by group; rows without usable numbers take no part.
    """
    x, y = as_numbers(raw), as_numbers(target)
    if not len(x) == len(y) == len(groups):
        raise BadAnchors("raw, target and groups must have the same length")
    usable = np.isfinite(x) & np.isfinite(y)
    names = sorted(set(groups))
    label = np.array(groups, dtype=object)
    found = []
    for name in names:
        rows = usable & (label == name)
        found.append(rank_correlation(x[rows], y[rows]))
    adjusted = holm([one.p_negative for one in found])
    return tuple(
        Reversal(name, one.n, one.rho, one.p_negative, p, p is not None and p < alpha)
        for name, one, p in zip(names, found, adjusted, strict=True)
    )


def reversal_flags(found: Sequence[Reversal]) -> tuple[str, ...]:
    """``not_monotone:<group>`` for each group that runs against the consensus."""
    return tuple(one.flag for one in found if one.reversed)
