"""The benchmark finds what was planted in each control agent, and nothing in the constant one."""

from __future__ import annotations

from typing import Any, cast

import pytest

import revkit

OWN = {
    "keywords": "paraphrase",
    "citations": "citations",
    "hedges": "hedging",
    "length": "length",
}
SPEC: dict[str, Any] = {
    "revkit": 1,
    "name": "planted",
    "seed": 11,  # not the seed on which the agents were tuned
    "corpus": {"use": "synthetic", "with": {"papers": 100}},
    "perturbations": {
        # The gate on meaning needs a model; rules stand in for it here.
        "paraphrase": {"use": "paraphrase", "keep-if": ["same-numbers", "same-negation"]},
        "citations": "citation-injection",
        "hedging": "hedging",
        "length": "length",
    },
    "agents": {
        "evidence": "evidence-weigher",
        "keywords": "keyword-reader",
        "citations": "citation-counter",
        "hedges": "confidence-reader",
        "length": "length-reader",
        "constant": "constant",
    },
    "metrics": ["flip-rate", "clean-accuracy", "direction", "mcnemar"],
    "reports": ["terminal"],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> revkit.Run:
    folder = tmp_path_factory.mktemp("planted")
    return revkit.run(SPEC, out=folder / "run", store=folder / "store.sqlite3")


@pytest.fixture(scope="module")
def rates(run: revkit.Run) -> dict[tuple[str, str], float]:
    rows = run.table("flip-rate").records()
    return {
        (str(row["agent"]), str(row["family"])): float(row["rate"] or 0.0)
        for row in rows
        if row["statistic"] == "rate"
    }


@pytest.mark.parametrize("agent", OWN)
def test_each_weakness_is_found_in_its_own_family(
    rates: dict[tuple[str, str], float], agent: str
) -> None:
    own = rates[agent, OWN[agent]]
    assert own >= 0.08
    others = [rates[agent, family] for family in OWN.values() if family != OWN[agent]]
    assert max(others) < own


def test_the_weigher_of_evidence_hardly_moves(rates: dict[tuple[str, str], float]) -> None:
    assert rates["evidence", "all families"] <= 0.01


def test_nothing_is_found_in_the_constant_agent_but_its_accuracy(
    run: revkit.Run, rates: dict[tuple[str, str], float]
) -> None:
    assert rates["constant", "all families"] == 0
    accuracy = {row["agent"]: row["accuracy"] for row in run.table("clean-accuracy").records()}
    papers = [paper.labels.accept for paper in run.records.papers]
    share = papers.count(False) / len(papers)
    assert accuracy["constant"] in (pytest.approx(share), pytest.approx(1 - share))
    assert accuracy["constant"] < min(
        cast(float, accuracy[name]) for name in ("evidence", "hedges", "length")
    )
    assert "constant gives one verdict" in " ".join(run.summary.split())


def test_injected_citations_flip_towards_accept(run: revkit.Run) -> None:
    flips = [pair for pair in run.records.pairs("citations", "citations") if pair.flip]
    assert flips
    assert all(pair.variant.accept for pair in flips)


def test_the_weakest_differs_from_the_steady_one(run: revkit.Run) -> None:
    rows = run.table("mcnemar").records()
    [row] = [r for r in rows if {r["first"], r["second"]} == {"evidence", "hedges"}]
    assert row["p_holm"] is not None
    assert float(row["p_holm"]) < 0.05
