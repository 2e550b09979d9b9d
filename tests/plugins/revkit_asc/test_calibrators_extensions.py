"""Weights, repeated calls, the stream's mix, topic offsets, reversals."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from revkit.calibration import AnchorScores, fit_curve
from revkit.errors import BadAnchors, BadScores, PriorRefused, TooFewAnchors, UnreadableMap
from revkit_asc.calibrators import Isotonic, MonotoneSpline
from revkit_asc.calibrators.map_loader import load_curve
from revkit_asc.calibrators.prior import fit_under, stream_prior
from revkit_asc.calibrators.topics import TopicCurve, fit_topics
from revkit_asc.calibrators.weights import anchor_weights

TIERS = ("none", "minor", "major", "reject")


def tiered(seed: int, counts: tuple[int, ...], noise: float) -> tuple[Any, Any, list[str]]:
    """Items of four tiers around 12, 37, 62, 87; raw scores on a narrow scale."""
    rng = np.random.default_rng(seed)
    tiers = [tier for tier, count in zip(TIERS, counts, strict=True) for _ in range(count)]
    centre = np.repeat([12.0, 37.0, 62.0, 87.0], counts)
    target = np.clip(centre + rng.normal(0, 7, len(centre)), 0, 100)
    return 20 + 0.4 * (target + rng.normal(0, noise, len(target))), target, tiers


def test_weights_by_hand() -> None:
    # Residuals 3, -3: variance 9; se 1 and 2: mean square 2.5; tau^2 6.5.
    assert anchor_weights([3.0, -3.0], [1.0, 2.0]) == pytest.approx([1 / 7.5, 1 / 10.5])
    # Clean agent: tau^2 floored at a twentieth of the variance.
    assert anchor_weights([2.0, -2.0], [2.0, 4.0]) == pytest.approx([1 / 4.2, 1 / 16.2])
    assert anchor_weights([0.0, 0.0], [0.0, 1.0]) == pytest.approx([100, 1 / 1.01])
    assert anchor_weights([3.0, -3.0, 1.0], None).tolist() == [1.0, 1.0, 1.0]
    weights = anchor_weights([3.0, math.nan, -3.0], [1.0, 1.0, 2.0])
    assert weights == pytest.approx([1 / 7.5, 0, 1 / 10.5])
    for bad in ([1.0, math.nan], [1.0, -1.0], [1.0, None], [1.0]):
        with pytest.raises(BadAnchors):
            anchor_weights([3.0, -3.0], bad)


def test_certain_anchors_count_more_with_a_clean_agent() -> None:
    rng = np.random.default_rng(3)
    errors, plain_miss, weighted_miss = np.tile([1.0, 12.0], 60), [], []
    for _ in range(10):
        truth = rng.uniform(10, 90, 120)
        raw = 20 + 0.4 * truth
        target = np.clip(truth + errors * rng.normal(size=120), 0, 100)
        plain, weighted = (
            MonotoneSpline().fit(raw, target),
            fit_curve(
                MonotoneSpline(), AnchorScores(raw.tolist(), target.tolist(), errors.tolist())
            ),
        )
        plain_miss.append(np.abs(plain(raw) - truth).mean())
        weighted_miss.append(np.abs(weighted(raw) - truth).mean())
    assert np.mean(weighted_miss) < 0.7 * np.mean(plain_miss)
    assert fit_curve(MonotoneSpline(), AnchorScores(raw.tolist(), target.tolist())) == plain


def test_the_mix_of_a_stream_is_found() -> None:
    raw, target, tiers = tiered(1, (60, 60, 60, 60), 3.0)
    stream, _, _ = tiered(2, (100, 300, 500, 100), 3.0)
    curve = MonotoneSpline().fit(raw, target)
    prior = stream_prior(curve(raw), tiers, curve(stream))
    found = [prior.shares[tier] for tier in TIERS]
    assert found == pytest.approx([0.1, 0.3, 0.5, 0.1], abs=0.05)
    assert sum(found) == pytest.approx(1)
    assert prior.anchor_shares == dict.fromkeys(TIERS, 0.25)
    weights = prior.weights(tiers)
    assert weights[0] == pytest.approx(prior.shares["none"] / 0.25)
    assert prior.effective == pytest.approx(weights.sum() ** 2 / (weights**2).sum())
    with pytest.raises(BadAnchors, match="no tier 'other'"):
        prior.weights(["other"])


def test_em_by_hand() -> None:
    """Two tiers so far apart that responsibilities are 0 or 1: share = (count + 1) / (n + 2)."""
    anchors = np.concatenate((np.zeros(50), np.full(50, 100.0)))
    tiers = ["low"] * 50 + ["high"] * 50
    prior = stream_prior(anchors, tiers, [0.0] * 30 + [100.0] * 68 + [math.nan])
    assert prior.shares == pytest.approx({"low": 31 / 100, "high": 69 / 100})
    assert prior.lost == 1
    assert prior.stream == 98


def fit_with_prior(raw: Any, target: Any, tiers: list[str], stream: Any) -> Any:
    """Fit, estimate the stream's mix with that map, and fit again under it."""
    plain = MonotoneSpline().fit(raw, target)
    prior = stream_prior(plain(raw), tiers, plain(stream))
    return fit_under(MonotoneSpline(), raw, target, tiers, prior, np.ones(len(raw)))


def test_a_concentrated_stream_gets_a_better_map() -> None:
    """Under another mix the plain map spreads too far; under the estimated one it does not."""
    counts = (20, 700, 250, 30)
    figures: dict[str, list[float]] = {"plain": [], "prior": [], "slope plain": [], "slope": []}
    for seed in range(4):
        raw, target, tiers = tiered(seed, (60, 60, 60, 60), 25.0)
        stream, truth, _ = tiered(100 + seed, counts, 25.0)
        plain = MonotoneSpline().fit(raw, target)
        curve = fit_with_prior(raw, target, tiers, stream)
        assert "prior=stream" in curve.flags
        for name, one in (("plain", plain), ("prior", curve)):
            figures[name].append(np.abs(one(stream) - truth).mean())
        figures["slope plain"].append(np.polyfit(plain(stream), truth, 1)[0])
        figures["slope"].append(np.polyfit(curve(stream), truth, 1)[0])
    mean = {name: float(np.mean(values)) for name, values in figures.items()}
    assert mean["prior"] < mean["plain"] - 1
    assert abs(mean["slope"] - 1) < abs(mean["slope plain"] - 1)


def test_the_prior_is_frozen_in_the_map() -> None:
    raw, target, tiers = tiered(1, (60, 60, 60, 60), 5.0)
    stream, _, _ = tiered(2, (100, 300, 300, 100), 5.0)
    curve = fit_with_prior(raw, target, tiers, stream)
    stored = MonotoneSpline().load(json.loads(json.dumps(curve.to_json())))
    assert stored == curve
    recorded: Any = stored.diagnostics["prior"]
    assert set(recorded["shares"]) == set(TIERS)
    assert recorded["effective"] >= 60
    assert recorded["stream"] == 800
    plain = MonotoneSpline().fit(raw, target)
    prior = stream_prior(plain(raw), tiers, plain(stream))
    assert fit_under(MonotoneSpline(), raw, target, tiers, prior) == curve


def test_a_mix_that_leaves_too_few_anchors_is_refused() -> None:
    raw, target, tiers = tiered(1, (60, 60, 60, 20), 1.0)
    stream, _, _ = tiered(2, (0, 0, 0, 2000), 1.0)
    with pytest.raises(PriorRefused, match="effective"):
        fit_with_prior(raw, target, tiers, stream)
    with pytest.raises(TooFewAnchors, match="no usable score"):
        stream_prior(raw, tiers, [math.nan])
    with pytest.raises(TooFewAnchors, match="every tier"):
        stream_prior([1.0, math.nan], ["a", "b"], [1.0])
    with pytest.raises(BadAnchors):
        stream_prior([1.0], ["a", "b"], [1.0])


def clustered(seed: int, bias: float) -> tuple[Any, Any, list[str]]:
    rng = np.random.default_rng(seed)
    names = [f"topic {i % 7}" for i in range(240)]
    offset = rng.normal(0, bias, 7)[np.arange(240) % 7]
    target = rng.uniform(10, 90, 240)
    return 20 + 0.4 * (target - offset + rng.normal(0, 6, 240)), target, names


def test_offsets_by_hand() -> None:
    """A map that is exact apart from clusters: residuals of a +4, +6, of b -4, -6."""
    base = Isotonic().fit([0.0, 100.0], [0.0, 100.0])
    curve = fit_topics(base, [20.0, 40.0, 60.0, 80.0], [24.0, 46.0, 56.0, 74.0], list("aabb"))
    # s^2 = (1 + 1 + 1 + 1) / 2 = 2; between: 2 x 25 x 2 = 100 over 1; t^2 = (100 - 2) / 2 = 49.
    shrinkage = 2 * 49 / (2 * 49 + 2)
    assert curve.offsets == pytest.approx({"a": 5 * shrinkage, "b": -5 * shrinkage})
    assert curve.facts["s"] == pytest.approx(2**0.5)
    assert curve.facts["t"] == pytest.approx(7.0)
    assert curve([50.0, 50.0, 50.0, 99.0], ["a", "b", "new", "a"]) == pytest.approx(
        [50 + 5 * shrinkage, 50 - 5 * shrinkage, 50, 100]
    )
    assert curve.unknown(["a", "new", "new"]) == 2
    assert curve([50.0]) == pytest.approx([50.0])
    assert "topic_offsets" in curve.flags
    assert curve.extrapolated([101.0]).tolist() == [True]
    with pytest.raises(BadScores, match="as many"):
        curve([50.0], ["a", "b"])


def test_offsets_help_where_topics_differ_and_vanish_where_they_do_not() -> None:
    gain, none = [], []
    for seed in range(6):
        for bias, into in ((12.0, gain), (0.0, none)):
            raw, target, names = clustered(seed, bias)
            half = np.arange(240) % 2 == 0
            even = [name for name, kept in zip(names, half, strict=True) if kept]
            odd = [name for name, kept in zip(names, half, strict=True) if not kept]
            base = MonotoneSpline().fit(raw[half], target[half])
            curve = fit_topics(base, raw[half], target[half], even)
            plain = np.abs(base(raw[~half]) - target[~half]).mean()
            into.append(plain - np.abs(curve(raw[~half], odd) - target[~half]).mean())
    assert np.mean(gain) > 2
    assert abs(np.mean(none)) < 0.2


def test_a_topic_curve_is_the_same_after_json() -> None:
    raw, target, names = clustered(1, 12.0)
    curve = fit_topics(MonotoneSpline().fit(raw, target), raw, target, names, np.ones(240))
    stored = load_curve(json.loads(json.dumps(curve.to_json())))
    assert isinstance(stored, TopicCurve)
    assert stored == curve
    assert (stored(raw, names) == curve(raw, names)).all()
    low, high, known = stored.interval(raw, 0.9, names)
    assert ((low <= stored(raw, names)) & (stored(raw, names) <= high)).all()
    assert known["note"] == "width of the map without offsets"
    value = curve.to_json()
    for change in ({"schema": "x/2"}, {"offsets": None}, {"offsets": {"a": "1"}}, {"curve": value}):
        with pytest.raises(UnreadableMap):
            load_curve({**value, **change})


def test_offsets_need_clusters() -> None:
    base = Isotonic().fit([0.0, 100.0], [0.0, 100.0])
    for clusters in ("aaaa", "abcd"):
        with pytest.raises(TooFewAnchors):
            fit_topics(base, [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], list(clusters))
    with pytest.raises(BadAnchors):
        fit_topics(base, [1.0], [1.0], ["a", "b"])


def test_rank_correlation_is_that_of_scipy() -> None:
    from scipy.stats import spearmanr

    from revkit_asc.calibrators.correlation import rank_correlation

    rng = np.random.default_rng(3)
    for n in (4, 10, 200):
        raw, target = np.round(rng.normal(size=n), 1), np.round(rng.normal(size=n), 1)
        found = rank_correlation(raw, target)
        rho = float(spearmanr(raw, target).statistic)
        assert found.rho == pytest.approx(rho)
        half = 1.959963984540054 * (1.06 / (n - 3)) ** 0.5
        assert found.low == pytest.approx(math.tanh(math.atanh(rho) - half))
        assert found.high == pytest.approx(math.tanh(math.atanh(rho) + half))
