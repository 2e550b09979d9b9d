"""Isotonic regression, the method in the paper's own listing, for comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit_asc.calibrators.base import AnchorCalibrator
from revkit_asc.calibrators.fits import Fit

if TYPE_CHECKING:
    from revkit_asc.calibrators.anchors import Anchors


@dataclass(frozen=True)
class Isotonic(AnchorCalibrator):
    """The increasing least-squares step function, linear between steps, flat beyond the anchors.

    Equal raw scores are pooled first: weighted mean, summed weight (the "secondary" treatment of
    ties; de Leeuw 1977, Psychometrika 42), then the pool-adjacent-violators algorithm of
    ``scipy.optimize.isotonic_regression``. Three departures from the paper's listing, which is
    scikit-learn's class with its defaults: a score outside the anchors gets the value at the end
    and a flag where the listing gives NaN; weights of tied rows are summed; and an agent that runs
    against the consensus is refused where the listing answers with a constant. The values stay
    within the targets' range, so in [0, 100].
    """

    name: ClassVar[str] = "isotonic"
    version: ClassVar[str] = "2"

    def _fitted(self, anchors: Anchors) -> Fit:
        from revkit_asc.calibrators.lines import fitted_isotonic

        return fitted_isotonic(anchors)
