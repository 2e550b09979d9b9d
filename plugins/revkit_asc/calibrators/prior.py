"""Reweight anchors to the severity mix of the papers to be scored (opt-in).

A map fitted on 60 anchors a tier estimates E[consensus | raw] under that mix. Where the stream has
another one, its scores come out too far apart. The mix is estimated from unlabelled scores by
expectation-maximisation (Saerens, Latinne and Decaestecker 2002, Neural Computation 14) and then
frozen in the map: a prior that moves would make scores of two months incomparable. It must not be
used on an agent that drifts, since EM cannot distinguish another agent from another stream.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from revkit.contracts import Calibrator
from revkit.dataclass import dataclass
from revkit.errors import BadAnchors, CalibrationError, PriorRefused, TooFewAnchors
from revkit.model.values import Json
from revkit_asc.calibrators.anchors import FloatArray, as_numbers
from revkit_asc.calibrators.curves import FittedCurve

BANDWIDTH = 6.0
PSEUDOCOUNT = 1.0
LEAST_EFFECTIVE = 60.0
ROUNDS, TOLERANCE = 1000, 1e-9
BLOCK = 4096


@dataclass(frozen=True)
class StreamPrior:
    """The estimated mix: the share of each tier among the new papers and among the anchors.

    ``effective`` is the effective sample size (sum w)^2 / sum w^2 of the reweighted anchors,
    ``stream`` the number of scores it was learnt from, ``rounds`` those that EM took,
    ``lost`` the scores of the stream that were not numbers.
    """

    shares: Mapping[str, float]
    anchor_shares: Mapping[str, float]
    effective: float
    stream: int
    rounds: int
    lost: int = 0

    def weights(self, tiers: Sequence[str]) -> FloatArray:
        """Return, for each anchor's tier, its share among the new papers divided by its share among
        the anchors. Raises `BadAnchors` for a tier that the prior does not contain.
        """
        unknown = sorted({tier for tier in tiers if tier not in self.shares})
        if unknown:
            raise BadAnchors(f"the prior knows no tier {unknown[0]!r}")
        return np.array([self.shares[tier] / self.anchor_shares[tier] for tier in tiers])

    def to_json(self) -> dict[str, Json]:
        """Return the facts that a map fitted under this prior records."""
        return {
            "kind": "stream",
            "shares": dict(self.shares),
            "anchor_shares": dict(self.anchor_shares),
            "effective": self.effective,
            "stream": self.stream,
            "rounds": self.rounds,
            "lost": self.lost,
        }


def stream_prior(anchor_scores: Any, tiers: Sequence[str], stream_scores: Any) -> StreamPrior:
    """Estimate the mix of new papers from calibrated scores, either of one agent or panel means.

    ``anchor_scores`` and ``stream_scores`` come from the same calibrated agent or panel; a tier's
    density is the Gaussian kernel estimate of its anchors (bandwidth 6 points). Each round,
    share = (sum of responsibilities + 1) / (scores + tiers): one pseudo-count a tier keeps every
    share above 0. Scores that are not finite are left out and counted. Raises `PriorRefused`
    where the reweighted anchors have an effective size below 60, `TooFewAnchors` where a tier has
    no usable anchor or the stream no score.
    """
    anchors, every = as_numbers(anchor_scores), as_numbers(stream_scores)
    if len(anchors) != len(tiers):
        raise BadAnchors(f"anchor scores {len(anchors)} and tiers {len(tiers)} must be as many")
    stream = np.sort(every[np.isfinite(every)])
    if not len(stream):
        raise TooFewAnchors("the stream contains no usable score")
    usable = np.isfinite(anchors)
    names = sorted(set(tiers))
    label = np.array([names.index(tier) for tier in tiers], dtype=np.intp)
    count = np.bincount(label[usable], minlength=len(names))
    if not len(names) or not count.all():
        raise TooFewAnchors("every tier needs an anchor with a usable score")
    values, repeats = np.unique(stream, return_counts=True)
    density = _densities(values, anchors[usable], label[usable], len(names))
    shares, rounds = _mix(density, repeats.astype(np.float64))
    anchor_shares = count / count.sum()
    weight = (shares / anchor_shares)[label[usable]]
    effective = float(weight.sum() ** 2 / (weight @ weight))
    mix = ", ".join(f"{name} {share:.2f}" for name, share in zip(names, shares, strict=True))
    if effective < LEAST_EFFECTIVE:
        raise PriorRefused(
            f"the stream's mix ({mix}) leaves an effective {effective:.0f} of {usable.sum()} "
            f"anchors; {LEAST_EFFECTIVE:.0f} are needed"
        )
    return StreamPrior(
        dict(zip(names, shares.tolist(), strict=True)),
        dict(zip(names, anchor_shares.tolist(), strict=True)),
        effective,
        len(stream),
        rounds,
        len(every) - len(stream),
    )


def _densities(
    values: FloatArray, anchors: FloatArray, label: np.ndarray[Any, Any], tiers: int
) -> FloatArray:
    """Return the kernel density of each tier at each value, shape (values, tiers), up to a common
    factor.
    """
    centres = [np.sort(anchors[label == tier]) for tier in range(tiers)]
    result = np.empty((len(values), tiers))
    for start in range(0, len(values), BLOCK):
        part = values[start : start + BLOCK, None]
        for tier, centre in enumerate(centres):
            z = (part - centre) / BANDWIDTH
            result[start : start + BLOCK, tier] = np.exp(-0.5 * z * z).mean(axis=1)
    return result


def _mix(density: FloatArray, repeats: FloatArray) -> tuple[FloatArray, int]:
    tiers = density.shape[1]
    shares = np.full(tiers, 1 / tiers)
    total = repeats.sum()
    rounds = 0
    for _ in range(ROUNDS):
        rounds += 1
        joint = density * shares
        # A score out of reach of every kernel has no information on the tiers.
        whole = np.maximum(joint.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
        fresh = (repeats @ (joint / whole) + PSEUDOCOUNT) / (total + PSEUDOCOUNT * tiers)
        fresh /= fresh.sum()
        moved = float(np.abs(fresh - shares).max())
        shares = fresh
        if moved < TOLERANCE:
            break
    return shares, rounds


def fit_under(
    calibrator: Calibrator,
    raw: Any,
    target: Any,
    tiers: Sequence[str],
    prior: StreamPrior,
    weights: Any = None,
) -> FittedCurve:
    """Fit with the anchors' weights multiplied by the weights of ``prior``, which the curve
    records. ``raw``, ``target``, ``tiers`` and ``weights`` have one entry for each anchor. Raises
    `BadAnchors` for unequal lengths and unknown tiers, `CalibrationError` where the curve cannot
    record a prior, and the errors of the calibrator.
    """
    factors = prior.weights(tiers)
    if weights is not None:
        given = as_numbers(weights)
        if len(given) != len(factors):
            raise BadAnchors(f"weights {len(given)} and tiers {len(factors)} must be as many")
        factors = factors * given
    curve = calibrator.fit(raw, target, factors)
    if not isinstance(curve, FittedCurve):
        raise CalibrationError(f"{calibrator.name}: its curve cannot record a prior")
    return curve.with_facts({"prior": prior.to_json()}, ["prior=stream"])
