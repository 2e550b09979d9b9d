"""Several figures from the same resamples."""

from __future__ import annotations

import numpy as np
import pytest

from revkit import stats
from revkit.errors import StatisticsError
from revkit.figures import Resampling
from revkit.stats.joint import cluster_bootstrap_statistics
from revkit.stats.values import FloatArray


def means(sums: FloatArray) -> FloatArray:
    """Of columns n, x, y: mean x, and y / x."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.column_stack([sums[:, 1] / sums[:, 0], sums[:, 2] / sums[:, 1]])


def test_same_as_one_figure_at_a_time() -> None:
    rng = np.random.default_rng(2)
    table = np.column_stack([np.ones(60), rng.normal(5, 1, 60), rng.normal(9, 2, 60)])
    both = cluster_bootstrap_statistics(
        table,
        means,
        observations=[60, 60],
        reasons=["", ""],
        resampling=Resampling(4, resamples=500),
    )
    for j, found in enumerate(both):
        alone = stats.cluster_bootstrap_statistic(
            table,
            lambda s, j=j: means(s)[:, j],
            observations=60,
            resampling=Resampling(4, resamples=500),
        )
        assert found.value == pytest.approx(alone.value)
        assert found.interval.low == pytest.approx(alone.interval.low)
        assert found.interval.high == pytest.approx(alone.interval.high)
    turned = cluster_bootstrap_statistics(
        table[::-1],
        means,
        observations=[60, 60],
        reasons=["", ""],
        resampling=Resampling(4, resamples=500),
    )
    assert turned == both


def test_undefined_figures_say_why() -> None:
    table = np.array([[1.0, 0.0, 1.0], [1.0, 0.0, 2.0]])
    first, second = cluster_bootstrap_statistics(
        table,
        means,
        observations=[2, 2],
        reasons=["", "nothing below the line"],
        resampling=Resampling(1, resamples=100),
    )
    assert first.value == 0.0
    assert first.interval.note == "no variation between papers"
    assert (second.value, second.note) == (None, "nothing below the line")


def test_few_or_no_papers() -> None:
    lone = cluster_bootstrap_statistics(
        [[1.0, 2.0, 3.0]], means, observations=[1, 1], reasons=["", ""], resampling=Resampling(1)
    )
    assert [e.value for e in lone] == [2.0, 1.5]
    assert lone[0].interval.note == "fewer than two papers"
    none = cluster_bootstrap_statistics(
        np.empty((0, 3)), means, observations=[0, 0], reasons=["", ""], resampling=Resampling(1)
    )
    assert [e.value for e in none] == [None, None]
    with pytest.raises(StatisticsError, match="announced"):
        cluster_bootstrap_statistics([[1.0, 2.0, 3.0]], means, observations=[1], reasons=[""],
                                     resampling=Resampling(1))  # fmt: skip
    with pytest.raises(StatisticsError, match="same length"):
        cluster_bootstrap_statistics([[1.0, 2.0, 3.0]], means, observations=[1], reasons=[],
                                     resampling=Resampling(1))  # fmt: skip
