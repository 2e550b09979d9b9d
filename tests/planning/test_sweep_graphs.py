"""The graphs of a sweep: equal ones once, with the points whose they are."""

from __future__ import annotations

import revkit
from revkit.testing import toys


def test_equal_graphs_stand_once_and_name_a_few_of_many_points(no_plugins: None) -> None:
    spec = {
        "revkit": 1,
        "corpus": "toy-papers",
        "agents": {"a": "toy-coin"},
        "sweep": {"agents.a.use": ["toy-coin", "toy-length"], "seed": list(range(9))},
    }
    text = revkit.sweep_plan(spec, plugins=[toys]).graphs()
    heads = [line for line in text.splitlines() if "use=" in line]
    assert heads == [
        f"9 points: a.use={name},seed=0; a.use={name},seed=1; a.use={name},seed=2; ..."
        for name in ("toy-coin", "toy-length")
    ]
