"""Samples: any corpus, whatever its order, with strata, limits, anchors, bundles and old bytes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import revkit
from revkit.contracts import Calibrator, Curve
from revkit.errors import SpecError
from revkit.execution.sampling import draw, shares
from revkit.model.paper import Labels, Paper, Skipped, Undrawn
from revkit.model.sample import Sample, sampled, sampled_from_json

Run = Callable[..., Any]


@dataclass(frozen=True)
class SameCurve(Curve):
    """Leaves scores as they are."""

    def __call__(self, raw: Any) -> Any:
        return raw

    def to_json(self) -> Any:
        return {}


@dataclass(frozen=True)
class Same(Calibrator):
    """Fits nothing."""

    name: ClassVar[str] = "same"
    version: ClassVar[str] = "1"

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Curve:
        return SameCurve()

    def load(self, value: Any) -> Curve:
        return SameCurve()


def papers_of(decisions: list[bool | None]) -> list[Paper | Skipped]:
    return [
        Paper(f"p{i}", f"Text {i}.", labels=Labels(accept=accept))
        for i, accept in enumerate(decisions)
    ]


def ids(items: list[Paper | Skipped], sample: Sample) -> list[str]:
    return [item.id for item in draw(items, sample) if isinstance(item, Paper)]


@given(st.integers(1, 12), st.integers(0, 5), st.randoms(use_true_random=False))
def test_order_never_matters_and_smaller_samples_are_part_of_larger_ones(
    n: int, seed: int, mix: random.Random
) -> None:
    items = papers_of([None] * 10)
    mixed = list(items)
    mix.shuffle(mixed)
    chosen = set(ids(items, Sample(n, seed)))
    assert chosen == set(ids(mixed, Sample(n, seed)))
    assert len(chosen) == min(n, 10)
    assert chosen <= set(ids(items, Sample(n + 1, seed)))


@given(st.dictionaries(st.sampled_from("abcd"), st.integers(1, 40), min_size=1), st.integers(1, 99))
def test_strata_get_their_share_to_within_one_paper(sizes: dict[str, int], n: int) -> None:
    quotas = shares(sizes, n)
    total = sum(sizes.values())
    assert sum(quotas.values()) == min(n, total)
    for name, size in sizes.items():
        assert quotas[name] <= size
        assert abs(quotas[name] - min(n, total) * size / total) < 1


def test_every_paper_is_about_equally_often_drawn() -> None:
    items = papers_of([None] * 10)
    counts = {item.id: 0 for item in items}
    for seed in range(1000):
        for name in ids(items, Sample(3, seed)):
            counts[name] += 1
    # 300 expected, standard deviation 14.5
    assert all(235 < count < 365 for count in counts.values())


def test_a_stratified_sample_lists_what_it_left_out_by_stratum() -> None:
    items: list[Paper | Skipped] = [
        Skipped("odd", "no text"),
        *papers_of([True] * 6 + [False] * 3 + [None]),
    ]
    found = list(draw(items, Sample(5, by="decision")))
    assert found[0] == Skipped("odd", "no text")
    left = [item for item in found if isinstance(item, Undrawn)]
    drawn = [item for item in found if isinstance(item, Paper)]
    assert [paper.labels.accept for paper in drawn].count(True) == 3
    # 5 x (6, 3, 1) / 10 = 3, 1.5, 0.5: the last paper goes to the first name of equal remainders
    counts: dict[str, int] = {}
    for item in left:
        counts[item.stratum] = counts.get(item.stratum, 0) + 1
    whole = sampled(Sample(5, by="decision"), (paper.labels for paper in drawn), counts)
    assert whole.strata == {"accept": (3, 6), "no decision": (1, 1), "reject": (1, 3)}
    assert (whole.drawn, whole.of) == (5, 10)
    assert sampled_from_json(json.loads(json.dumps(whole.to_json()))) == whole


@pytest.mark.parametrize("value", [None, [], {"n": 1}, {"n": True, "seed": 1, "strata": {}},
                                   {"n": 1, "seed": 1, "by": "x", "strata": {}},
                                   {"n": 1, "seed": 1, "strata": {"a": [1, -1]}}])  # fmt: skip
def test_counts_of_another_form_are_none(value: object) -> None:
    assert sampled_from_json(value) is None


def test_a_run_draws_reports_opens_and_replays_a_sample(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    toy_spec |= {"sample": {"n": 4}, "limit": 3}
    done = run_toy(toy_spec)
    result = json.loads((done.folder / "result.json").read_text())
    assert result["sample"] == {
        "n": 4, "seed": 42, "drawn": 3, "of": 6, "strata": {"": [3, 6]},
    }  # fmt: skip
    assert result["skipped"] == {}
    assert result["papers"] == 3
    assert len((done.folder / "records/undrawn.jsonl").read_text().splitlines()) == 3
    wider = run_toy({**toy_spec, "limit": 4}, out="wider")
    assert {row.id for row in done.records.papers} < {row.id for row in wider.records.papers}
    opened = revkit.open_run(done.folder)
    assert opened.records.sampled == done.records.sampled
    bundle = tmp_path / "run.revkit"
    from revkit.testing import toys

    revkit.export(done.folder, bundle, store=tmp_path / "store.db", plugins=[toys])
    assert revkit.replay(bundle, out=tmp_path / "again", plugins=[toys]).identical


def test_anchors_of_the_own_corpus_count_as_drawn(run_toy: Run, toy_spec: dict[str, Any]) -> None:
    toy_spec["corpus"]["with"]["papers"] = 12
    toy_spec |= {
        "sample": {"n": 8},
        "calibration": {"share": 0.5, "maps": {"line": "same"}},
    }
    done = run_toy(toy_spec, plugins=[Same])
    drawn = done.records.sampled
    assert drawn.drawn == 8
    assert drawn.of == 12
    assert len(done.records.papers) + len(done.records.anchors.papers) == 8


@pytest.mark.parametrize(
    "sample",
    [{"n": 0}, {"seed": 1}, {"n": 1, "by": "venue"}, {"n": 1, "of": 2}, {"n": "5"}, [5]],
)
def test_a_sample_that_cannot_be_drawn_is_a_problem_of_the_spec(
    run_toy: Run, toy_spec: dict[str, Any], sample: Any
) -> None:
    with pytest.raises(SpecError, match="sample"):
        run_toy({**toy_spec, "sample": sample})
