"""The default calibrator: a monotone cubic spline with an exact curvature penalty."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from revkit.dataclass import dataclass
from revkit.options import option
from revkit_asc.calibrators.base import AnchorCalibrator
from revkit_asc.calibrators.fits import Fit

if TYPE_CHECKING:
    from revkit_asc.calibrators.anchors import Anchors


@dataclass(frozen=True)
class MonotoneSpline(AnchorCalibrator):
    """A cubic spline that never decreases and stays in [0, 100]; the anchors decide how smooth it
    is.

    phi(raw) = sum_j c_j B_j(u), u = F(raw) in [0, 1], minimises
    (1 / W) sum_a w_a (phi(raw_a) - consensus_a)^2 + lambda x integral of phi''(u)^2 du
    over 0 <= c_1 <= ... <= c_K <= 100 (the paper's section 3). Ordered coefficients of B-splines
    make the map monotone and in range everywhere, also between and beyond anchors; the cone is a
    little smaller than that of all monotone cubics. lambda is chosen by generalised
    cross-validation with n = number of anchors; knots are dropped where there are fewer than
    ``knots`` + 2 distinct raw scores. Every solution is checked against the Karush-Kuhn-Tucker
    conditions. Beyond the anchors the map is flat, and such scores are flagged.

    Where it departs from the paper: the paper's words, five uniform knots on [0, 100], are
    ``domain: unit``. Agents use a part of that scale only, so few knots are left to them, and this
    form loses to plain isotonic regression. The default fits both ``range`` (raw scores brought to
    [0, 1], knots at their quantiles) and ``rank`` (mid-ranks among the anchors, uniform knots) and
    keeps the smaller GCV.

    Below 12 anchors or 4 distinct raw scores it is a line (flag ``fallback=linear``). Other flags:
    ``few_anchors`` (< 40), ``weak`` (Spearman's interval holds 0), ``flat`` (less than 10 points
    over all anchors, or all steps but one held at 0), ``not_monotone`` (a free spline has a GCV
    5 % smaller), ``dropped=N``.
    """

    name: ClassVar[str] = "monotone-spline"
    version: ClassVar[str] = "2"

    domain: Literal["auto", "range", "rank", "unit"] = option(
        "auto",
        help=(
            "domain of the spline: the anchors' raw range, their ranks, the better of both, or "
            "[0, 100] with uniform knots as in the paper"
        ),
    )
    knots: int = option(5, help="inner knots", minimum=0, maximum=50)
    lambda_: float | None = option(
        None,
        help="weight of the curvature; null: chosen by cross-validation",
        minimum=1e-12,
        maximum=1e6,
    )
    robust: bool = option(
        False,
        help="Huber weights in six rounds, for anchors with stray scores such as parse failures "
        "read as 0",
    )

    def _fitted(self, anchors: Anchors) -> Fit:
        from revkit_asc.calibrators.splines import fitted_spline

        return fitted_spline(
            anchors,
            domains=("range", "rank") if self.domain == "auto" else (self.domain,),
            knots=self.knots,
            penalty=self.lambda_,
            robust=self.robust,
        )
