"""Base class of the calibrators in this plugin: options, steps of a fit, and loading."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from revkit.contracts import Calibrator
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.values import Json
from revkit.options import option, options_of

if TYPE_CHECKING:
    import numpy

    from revkit_asc.calibrators.anchors import Anchors
    from revkit_asc.calibrators.curves import FittedCurve
    from revkit_asc.calibrators.fits import Fit


@lru_cache(maxsize=64)
def _options(calibrator: Calibrator) -> dict[str, Json]:
    """Return the cached options: reading annotations takes a tenth of the time of a fit, and the
    options never change.
    """
    return options_of(calibrator)


@dataclass(frozen=True)
class AnchorCalibrator(Calibrator):
    """A calibrator that is fitted on anchors, with the options that all of them have."""

    scale: tuple[float, float] | None = option(
        None,
        help="the agent's own scale, lowest and highest score; an anchor outside it is refused",
    )
    strict: bool = option(
        False, help="refuse anchors with an unusable row instead of leaving the row out"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scale is not None and not self.scale[0] < self.scale[1]:
            raise OptionError(self.name, [("scale", "the first number must be the smaller one")])

    def fit(
        self,
        raw: Sequence[float] | numpy.ndarray[Any, Any],
        target: Sequence[float] | numpy.ndarray[Any, Any],
        weights: Sequence[float] | numpy.ndarray[Any, Any] | None = None,
    ) -> FittedCurve:
        """Fit the map; each row is one anchor, whose calls have been averaged.

        ``target`` lies in [0, 100]. Rows that hold no usable number are left out and counted
        (``diagnostics["dropped"]``), or refused with ``strict``. Raises the subclasses of
        `revkit.errors.CalibrationError`.
        """
        from revkit_asc.calibrators.anchors import flags_of, read_anchors
        from revkit_asc.calibrators.curves import FittedCurve
        from revkit_asc.calibrators.facts import common_facts

        anchors = read_anchors(raw, target, weights, scale=self.scale, strict=self.strict)
        done = self._fitted(anchors)
        return FittedCurve(
            calibrator=self.name,
            options=_options(self),
            shape=done.shape,
            range=(float(anchors.raw[0]), float(anchors.raw[-1])) if anchors.n else None,
            facts=common_facts(anchors, done),
            marks=tuple(dict.fromkeys([*flags_of(anchors), *done.flags])),
            held_out=done.held_out,
        )

    @abstractmethod
    def _fitted(self, anchors: Anchors) -> Fit:
        """Fit on anchors that are checked and sorted."""

    def load(self, value: Json) -> FittedCurve:
        """Rebuild a stored map of this calibrator, equal to the last bit.

        Raises `revkit.errors.UnreadableMap` for another schema version, another calibrator or a
        damaged map. The options of the map are those it was fitted with, not those of ``self``.
        """
        from revkit_asc.calibrators.curves import curve_from_json

        return curve_from_json(value, self.name)
