"""What a sweep is foretold to ask: what its points set up alike is counted once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.testing import toys
from tests.llm_server.server import LlmServer


def model(**options: Any) -> dict[str, Any]:
    given = {"model": "openai/mock", "form": "accept-score", "max-tokens": 50, **options}
    return {"use": "llm", "with": given}


SPEC: dict[str, Any] = {
    "revkit": 1,
    "corpus": {"use": "toy-papers", "with": {"papers": 4}},
    "perturbations": {"words": "toy-words"},
    "agents": {"same": model(temperature=0.25), "swept": model()},
    "sweep": {"agents.swept.with.temperature": [0, 0.5, 1]},
}


def forecast_of(spec: dict[str, Any], **options: Any) -> revkit.api.Forecast:  # type: ignore[name-defined]
    found = revkit.sweep_forecast(spec, plugins=[toys], **options)
    assert found is not None
    return found


def test_what_points_set_up_alike_is_counted_once() -> None:
    # Four papers and a variant of each: 8 calls by the agent that is the same, 8 by each other.
    assert forecast_of(SPEC).calls == 8 + 3 * 8
    alone = revkit.forecast(SPEC, plugins=[toys], point="temperature=0.5")
    assert alone is not None
    assert alone.calls == 16


@pytest.mark.parametrize(
    "sweep",
    [
        {"corpus.with.start": [0, 100]},
        {"repeats": [1, 2]},
        {"perturbations.words.with.share": [0.1, 0.9]},
    ],
)
def test_other_papers_variants_or_repeats_are_counted_anew(sweep: dict[str, Any]) -> None:
    labels = [
        point.label for point in revkit.points({**SPEC, "sweep": sweep}, plugins=[toys]).points
    ]
    alone = [
        revkit.forecast({**SPEC, "sweep": sweep}, plugins=[toys], point=label) for label in labels
    ]
    assert forecast_of({**SPEC, "sweep": sweep}).calls == sum(each.calls for each in alone)  # type: ignore[misc,union-attr]


def test_metrics_and_names_change_nothing_that_is_asked() -> None:
    swept = {"metrics": {"few": ["toy-flips"], "none": []}}
    assert forecast_of({**SPEC, "sweep": swept}).calls == 16


def test_no_model_is_no_forecast_and_an_unknown_size_is_told() -> None:
    plain = {**SPEC, "agents": {"coin": "toy-coin"}, "sweep": {"seed": [1, 2]}}
    assert revkit.sweep_forecast(plain, plugins=[toys]) is None


def test_a_run_asks_no_more_than_was_foretold(tmp_path: Path) -> None:
    with LlmServer(reply=lambda body: '{"reasons": "Good.", "accept": true, "score": 7}') as server:
        spec = {**SPEC, "services": {"llm": {"default": {"base-url": server.url}}}}
        told = forecast_of(spec)
        revkit.sweep(spec, out=tmp_path / "o", store=tmp_path / "s", plugins=[toys])
        assert server.requests == told.calls
        assert forecast_of(spec, store=tmp_path / "s").calls == 0
