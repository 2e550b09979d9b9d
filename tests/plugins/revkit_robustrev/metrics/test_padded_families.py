"""A family of which most variants are padding: the table of flip rates states it."""

from __future__ import annotations

from pathlib import Path

import pytest

import revkit


@pytest.mark.parametrize(
    ("ratios", "warned"), [([1.3], True), ([0.9], False)], ids=["padded", "shortened"]
)
def test_a_family_that_is_mostly_padding_has_a_warning(
    tmp_path: Path, ratios: list[float], warned: bool
) -> None:
    spec = {
        "revkit": 1,
        "name": "padded",
        "seed": 1,
        "corpus": {"use": "synthetic", "with": {"papers": 4}},
        "perturbations": {"longer": {"use": "length", "with": {"ratios": ratios}}},
        "agents": {"counter": "length-reader"},
        "metrics": ["flip-rate"],
    }
    run = revkit.run(spec, out=tmp_path / "run", store=tmp_path / "store.sqlite")
    made = [row for row in run.records.variants if row.outcome == "made"]
    assert made
    texts = [each.text for each in run.table("flip-rate").warnings]
    said = f"longer: {len(made)} of {len(made)} variants are padded with stock sentences"
    assert any(text.startswith(said) for text in texts) is warned
