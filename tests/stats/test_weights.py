"""Weights of anchors, by hand."""

from __future__ import annotations

import pytest

from revkit.stats.weights import anchor_weights, between_variance


def test_by_hand() -> None:
    # Residuals 3, -3: mean square 9; errors 1 and 2: mean square 2.5; tau^2 6.5.
    assert between_variance([3.0, -3.0], [1.0, 2.0]) == 6.5
    assert anchor_weights([3.0, -3.0], [1.0, 2.0]) == pytest.approx([1 / 7.5, 1 / 10.5])
    # Errors of more than the residuals hold: a twentieth of the mean square 4.
    assert anchor_weights([2.0, -2.0], [2.0, 4.0]) == pytest.approx([1 / 4.2, 1 / 16.2])
    # No residual at all: 0.01, so that an exact anchor does not weigh without end.
    assert anchor_weights([0.0, 0.0], [0.0, 1.0]) == pytest.approx([100, 1 / 1.01])
    assert (between_variance([], []), anchor_weights([], [])) == (0.01, [])
