"""Maps with at most two parameters (identity, least squares, mean-sigma), and equipercentile
linking.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit_asc.calibrators.base import AnchorCalibrator
from revkit_asc.calibrators.fits import Fit

if TYPE_CHECKING:
    from revkit_asc.calibrators.anchors import Anchors


@dataclass(frozen=True)
class Identity(AnchorCalibrator):
    """Leaves raw scores unchanged, also outside [0, 100], as a reference for comparison.

    Takes any anchors, even none, and refuses none of them; what they are good for is the interval
    and the residuals. Without anchors every score counts as extrapolated.
    """

    name: ClassVar[str] = "identity"
    version: ClassVar[str] = "2"

    def _fitted(self, anchors: Anchors) -> Fit:
        from revkit_asc.calibrators.intervals import held_out
        from revkit_asc.calibrators.shapes import SameShape

        shape = SameShape()
        return Fit(shape, {"df": 0.0}, (), held_out(anchors, lambda _: shape), "unchanged")


@dataclass(frozen=True)
class Linear(AnchorCalibrator):
    """The weighted least-squares line with a slope of 0 or more, clipped to [0, 100].

    It goes on beyond the anchors. The regression shrinks: the mapped scores of a noisy agent spread
    less than the consensus, as they should when the aim is the consensus of one item.
    """

    name: ClassVar[str] = "linear"
    version: ClassVar[str] = "2"

    def _fitted(self, anchors: Anchors) -> Fit:
        from revkit_asc.calibrators.lines import fitted_line, least_squares

        return fitted_line(anchors, least_squares)


@dataclass(frozen=True)
class MeanSigma(AnchorCalibrator):
    """The line that gives the anchors' scores the mean and the spread of their consensus.

    slope = sd(consensus) / sd(raw), clipped to [0, 100], goes on beyond the anchors (mean-sigma
    linking; Kolen and Brennan 2014, Test Equating, Scaling, and Linking, ch. 4). It does not
    shrink, which the "linear rescaling" of the paper's table must not have done either: its mean
    disagreement of 14.0 is out of reach of least squares.
    """

    name: ClassVar[str] = "mean-sigma"
    version: ClassVar[str] = "2"

    def _fitted(self, anchors: Anchors) -> Fit:
        from revkit_asc.calibrators.lines import fitted_line, mean_sigma

        return fitted_line(anchors, mean_sigma)


@dataclass(frozen=True)
class Quantile(AnchorCalibrator):
    """Equipercentile linking: maps a raw score to the consensus with the same mid-rank.

    Weighted, linear between the mid-ranks, flat beyond the anchors (equipercentile linking without
    presmoothing; Kolen and Brennan 2014, ch. 2). It matches the distributions and does not shrink;
    which consensus belongs to which raw score plays no part beyond the check of direction.
    """

    name: ClassVar[str] = "quantile"
    version: ClassVar[str] = "2"

    def _fitted(self, anchors: Anchors) -> Fit:
        from revkit_asc.calibrators.lines import fitted_quantiles

        return fitted_quantiles(anchors)
