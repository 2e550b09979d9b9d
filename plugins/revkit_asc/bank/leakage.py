"""Leakage: estimate whether an agent already knows the anchors that have been in use for long.

Two signs. An agent that was trained on old anchors is closer to their consensus than to that of
fresh ones (`old_against_fresh`); and it may repeat their texts, which the watermark shows
(`probe_replies`). Neither proves a leak by itself: fresh anchors may simply be harder, and a
paraphrase takes the mark away. So errors are compared within tiers, and what is suspect is rotated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from revkit.dataclass import dataclass
from revkit.errors import StatisticsError
from revkit_asc.bank.watermark import Detection, agreements, sites, tail, words


@dataclass(frozen=True, slots=True)
class AnchorError:
    """The error of one agent on one anchor: the tier, whether the anchor is fresh, and the absolute
    error of the agent's score on the common scale, in points.
    """

    tier: str
    fresh: bool
    error: float


@dataclass(frozen=True, slots=True)
class Leakage:
    """The difference between an agent's absolute error on fresh anchors and on old anchors, in
    points.

    ``low`` and ``high`` bound ``excess`` at ``confidence``, two-sided; ``p`` is one-sided, against
    "not larger", and ``p_holm`` corrected for the number of agents. ``old`` and ``fresh`` count the
    anchors that were compared. What cannot be computed is None, and ``note`` says why.
    """

    agent: str
    old: int
    fresh: int
    confidence: float
    excess: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_holm: float | None = None
    note: str = ""


def old_against_fresh(
    errors: Mapping[str, Sequence[AnchorError]], *, confidence: float = 0.95
) -> list[Leakage]:
    """Test for each agent whether its error is smaller on old anchors than on fresh ones.

    Welch's test within tiers: the excess is the mean over tiers of (mean error on fresh anchors -
    mean error on old ones), each tier weighted by its fresh anchors; its variance adds those of all
    these means, and its degrees of freedom follow Satterthwaite. A tier with fewer than two old or
    two fresh anchors says nothing and is left out, with a note. Holm's correction runs over the
    agents. Under no leak at most about 1 - ``confidence`` of the families flag anybody.
    """
    if not 0.0 < confidence < 1.0:
        raise StatisticsError(
            f"a confidence must lie strictly between 0 and 1, but is {confidence!r}"
        )
    from revkit.stats import holm

    found = [_welch(agent, rows, confidence) for agent, rows in errors.items()]
    corrected = holm([result.p for result in found])
    return [replace(result, p_holm=p) for result, p in zip(found, corrected, strict=True)]


def _welch(agent: str, rows: Sequence[AnchorError], confidence: float) -> Leakage:
    from scipy.stats import t

    tiers = {row.tier for row in rows}
    strata = {
        tier: tuple(
            [row.error for row in rows if row.tier == tier and row.fresh is fresh]
            for fresh in (True, False)
        )
        for tier in sorted(tiers)
    }
    usable = [pair for pair in strata.values() if min(map(len, pair)) > 1]
    left_out = [tier for tier, pair in strata.items() if min(map(len, pair)) < 2]
    note = f"fewer than two old or fresh anchors in: {', '.join(left_out)}" if left_out else ""
    fresh_count = sum(len(fresh) for fresh, _ in usable)
    result = Leakage(agent, sum(len(old) for _, old in usable), fresh_count, confidence, note=note)
    if not usable:
        return replace(result, note=note or "no anchors")
    excess = variance = rest = 0.0
    for fresh, old in usable:
        weight = len(fresh) / fresh_count
        excess += weight * (math.fsum(fresh) / len(fresh) - math.fsum(old) / len(old))
        for group in (fresh, old):
            part = weight**2 * _variance(group) / len(group)
            variance += part
            rest += part**2 / (len(group) - 1)
    if variance == 0.0:
        return replace(result, excess=excess, note="all errors of a tier are equal: no test")
    spread, freedom = math.sqrt(variance), variance**2 / rest
    reach = float(t.ppf(0.5 + confidence / 2.0, freedom)) * spread
    return replace(
        result,
        excess=excess,
        low=excess - reach,
        high=excess + reach,
        p=float(t.sf(excess / spread, freedom)),
    )


def _variance(group: Sequence[float]) -> float:
    mean = math.fsum(group) / len(group)
    return math.fsum((value - mean) ** 2 for value in group) / (len(group) - 1)


@dataclass(frozen=True, slots=True)
class ProbeReply:
    """The reply of an agent that was asked to continue an anchor, or to state what it knows about
    it: the anchor's ``watermark``, the ``text`` of the reply, and the part of the anchor that was
    ``given`` in the question.
    """

    watermark: str
    text: str
    given: str = ""


def probe_replies(replies: Sequence[ProbeReply], secret: str) -> Detection:
    """Count how many words of all ``replies`` agree with the watermarks of their anchors.

    Words of a pair that was already ``given`` are not counted: repeating them needs no memory. The
    choices for different anchors are independent, so the sum over replies is binomial(n, 1/2) for
    an agent that knows none of the texts, and p is exact. Ask with a title or a first sentence; a
    review of the whole text quotes it and says nothing.
    """
    count = hits = 0
    for reply in replies:
        known = words(reply.given)
        found = {pair: side for pair, side in sites(reply.text).items() if pair not in known}
        count += len(found)
        hits += agreements(found, secret, reply.watermark)
    return Detection("", count, hits, tail(hits, count))
