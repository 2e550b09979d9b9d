"""What holds for every metric, whatever the records: no NaN, counts that add up, same again."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.contracts import Metric
from revkit.model.paper import Labels
from revkit.model.records import AgentRow, PaperRow, PerturbationRow, Records, VariantRow, Verdict
from revkit.model.review import Scale
from revkit.model.table import Table
from revkit.model.values import canonical_json
from revkit.options import options_of, schema_of
from revkit_robustrev.metrics import METRICS, FlipRate, Outcomes

SCALES = (Scale("ten", 1, 10, accept_at=6), Scale("harsh", 0, 5, False, 2))
OUTCOMES = st.one_of(
    st.sampled_from(["timeout", "refusal"]),
    st.tuples(st.sampled_from([True, False, None]), st.sampled_from([None, 1.0, 3.0, 5.0])),
)


def drawn_row(draw: st.DrawFn, paper: str, family: str) -> VariantRow:
    if draw(st.sampled_from([True, True, False])):
        return VariantRow(paper, family, 0, 1, 0, ())
    return VariantRow(paper, family, 0, 1, 0, (), "too long", "gate", "length")


@st.composite
def some_records(draw: st.DrawFn) -> Records:
    labels = st.sampled_from([None, True, False])
    qualities = st.sampled_from([None, 0.1, 1.0])
    expects: Any = st.sampled_from(["invariant", "decrease", "increase"])
    papers = [
        PaperRow(f"p{i}", Labels(accept=draw(labels), quality=draw(qualities)))
        for i in range(draw(st.integers(0, 4)))
    ]
    families = [
        PerturbationRow(f"f{i}", "f", expect)
        for i, expect in enumerate(draw(st.lists(expects, max_size=3)))
    ]
    agents = [AgentRow(f"a{i}", "a", SCALES[i % 2], False) for i in range(draw(st.integers(0, 3)))]
    repeats = draw(st.integers(1, 2))
    variants = [drawn_row(draw, p.id, f.name) for p in papers for f in families]
    places = [(p.id, "") for p in papers]
    places += [(v.paper, v.perturbation) for v in variants if not v.rejected]
    verdicts = []
    for agent in agents:
        for repeat in range(repeats):
            for paper, family in places:
                outcome = draw(OUTCOMES)
                if isinstance(outcome, str):
                    verdicts.append(
                        Verdict(agent.name, paper, family, 0, repeat, None, None, outcome)
                    )
                else:
                    verdicts.append(Verdict(agent.name, paper, family, 0, repeat, *outcome))
    return Records(3, repeats, papers, families, agents, variants, verdicts)


def quick(metric: Any) -> Metric:
    known = "resamples" in schema_of(metric)["properties"]  # type: ignore[operator]
    return metric(resamples=100) if known else metric()


@settings(max_examples=40, deadline=None)
@given(some_records())
def test_every_table_is_sound(records: Records) -> None:
    for metric in METRICS:
        table = quick(metric).measure(records)
        # Table refuses NaN; JSON refuses numpy's types.
        assert Table.from_json(table.to_json()) == table
        canonical_json(table.to_json())
        assert table.name == metric.name
        for column in table.columns:
            assert column.help


@settings(max_examples=40, deadline=None)
@given(some_records())
def test_counts_add_up(records: Records) -> None:
    for row in quick(FlipRate).measure(records).records():
        pairs, valid, failed, silent, flips = (
            int(row[name] or 0) for name in ("pairs", "valid", "failed", "without_verdict", "flips")
        )
        assert pairs == valid + failed + silent
        assert flips <= valid
        if row["rate"] is None:
            assert valid == 0
            assert row["note"]
        elif row["statistic"] == "rate":
            assert (
                float(row["best_case"] or 0) <= float(row["rate"]) <= float(row["worst_case"] or 0)
            )
    for row in Outcomes().measure(records).records():
        assert row["planned"] == sum(int(row[k] or 0) for k in ("missing", "reviews", "failed"))
        kinds = sum(int(row[k] or 0) for k in row if k.startswith("failed_"))
        assert kinds == row["failed"]


@pytest.mark.parametrize("metric", METRICS)
def test_nothing_at_all(metric: type[Metric], empty: Records) -> None:
    assert metric().measure(empty).rows == ()


@pytest.mark.parametrize("metric", METRICS)
def test_same_records_same_table(metric: type[Metric], small: Records) -> None:
    assert metric().measure(small) == metric().measure(replace(small))


@pytest.mark.parametrize("metric", METRICS)
def test_all_failed(metric: type[Metric], small: Records) -> None:
    lost = [replace(v, accept=None, score=None, failure="provider") for v in small.verdicts]
    table = metric().measure(replace(small, verdicts=lost))
    figures = ("rate", "mean_abs", "mean", "accuracy", "share", "ratio", "chi2", "p_exact")
    for row in table.records():
        assert all(row[name] is None for name in figures if name in row)
        assert row["note"] or metric is Outcomes


def noisy_records(papers: int, agents: int) -> Records:
    """Scores with fractions and two repeats: sums whose last digits depend on their order."""
    rng = random.Random(5)
    rows = [PaperRow(f"p{i}", Labels(i % 3 == 0, quality=rng.random())) for i in range(papers)]
    families = [PerturbationRow(name, name, "invariant") for name in ("f", "g")]
    scales = (Scale("ten", 1, 10, accept_at=6), Scale("harsh", 0, 5, False, 2))
    names = [AgentRow(f"a{i}", "a", scales[i % 2], False) for i in range(agents)]
    verdicts = []
    for agent in names:
        for paper in rows:
            for family in ("", "f", "g"):
                for repeat in range(2):
                    score = rng.uniform(agent.scale.minimum, agent.scale.maximum)
                    accept = rng.random() < 0.1
                    verdicts.append(Verdict(agent.name, paper.id, family, 0, repeat, accept, score))
    variants = [VariantRow(p.id, f.name, 0, 1, 0, ()) for p in rows for f in families]
    return Records(3, 2, rows, families, names, variants, verdicts)


@pytest.mark.parametrize("metric", METRICS)
def test_the_order_of_papers_does_not_matter(metric: type[Metric]) -> None:
    records = noisy_records(37, 3)
    rng = random.Random(1)
    mixed = replace(
        records,
        papers=rng.sample(records.papers, len(records.papers)),
        variants=rng.sample(records.variants, len(records.variants)),
        verdicts=rng.sample(records.verdicts, len(records.verdicts)),
    )
    assert quick(metric).measure(mixed) == quick(metric).measure(records)


def test_names_and_options() -> None:
    names = [metric.name for metric in METRICS]
    assert names == [
        "flip-rate",
        "score-shift",
        "direction",
        "mcnemar",
        "clean-accuracy",
        "expectation",
        "family-contrast",
        "noise-floor",
        "threshold-sweep",
        "dose-response",
        "noticed",
        "outcomes",
    ]
    assert options_of(FlipRate()) == {"resamples": 10_000, "confidence": 0.95, "power": 0.8}
