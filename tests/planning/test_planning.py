"""Graphs and plans, counted by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import revkit
from revkit.planning import build_graph, build_plan
from revkit.spec import AgentStep, Experiment, PerturbationStep
from revkit.testing.toys import (
    ToyCoin,
    ToyFlips,
    ToyLength,
    ToyLimit,
    ToyPapers,
    ToyReport,
    ToyScreen,
    ToyWords,
)


@pytest.fixture
def experiment() -> Experiment:
    return Experiment(
        corpus=ToyPapers(papers_=7),
        perturbations={
            "words": PerturbationStep(ToyWords(), (ToyLimit(),), variants=3),
            "all": ToyWords(1.0),
        },
        agents={"coin": AgentStep(ToyCoin(), (ToyScreen(),)), "toy-length": ToyLength()},
        metrics=[ToyFlips()],
        reports=[ToyReport()],
        repeats=2,
    )


def test_the_graph_node_by_node(experiment: Experiment) -> None:
    graph = build_graph(experiment)
    reviews = [
        f"review/{agent}/{source}"
        for agent in ("coin", "toy-length")
        for source in ("unchanged", "words", "all")
    ]
    assert [(node.id, node.shape, node.copies) for node in graph.nodes] == [
        ("papers", "source", 1),
        ("perturb/words", "each", 3),
        ("perturb/all", "each", 1),
        *((review, "each", 2) for review in reviews),
        ("metric/toy-flips", "all", 1),
        ("report/toy-report", "all", 1),
    ]
    assert graph.by_id["review/coin/words"].inputs == ("perturb/words",)
    assert graph.by_id["review/coin/unchanged"].inputs == ("papers",)
    assert graph.by_id["metric/toy-flips"].inputs == ("papers", *reviews)
    assert [node.id for node in graph.consumers["perturb/all"]] == [
        "review/coin/all",
        "review/toy-length/all",
    ]
    seen: set[str] = set()
    for node in graph.nodes:
        assert set(node.inputs) <= seen
        seen.add(node.id)


def test_labels_have_no_way_to_a_reviewer(experiment: Experiment) -> None:
    graph = build_graph(experiment)
    for node in graph.nodes:
        if node.shape == "each":
            assert all(graph.by_id[source].shape != "all" for source in node.inputs)


def test_the_plan_counts(experiment: Experiment) -> None:
    plan = build_plan(experiment)
    # 3 + 1 variants of 7 papers; (1 + 4) texts x 2 agents x 2 repeats x 7 papers.
    assert (plan.papers, plan.variants, plan.reviews) == (7, 28, 140)
    text = plan.text()
    assert "variants  at most 28" in text
    assert "11 (1 source, 8 for each paper, 2 over all)" in text


@pytest.mark.parametrize(("limit", "papers"), [(3, 3), (9, 7)])
def test_a_limit_caps_the_plan(experiment: Experiment, limit: int, papers: int) -> None:
    from dataclasses import replace

    assert build_plan(replace(experiment, limit=limit)).papers == papers


class Untold(ToyPapers):
    """Does not know its size."""

    def count(self) -> Any:
        return None


def test_an_unknown_size_is_told_as_such(experiment: Experiment) -> None:
    from dataclasses import replace

    plan = build_plan(replace(experiment, corpus=Untold()))
    assert (plan.papers, plan.variants, plan.reviews) == (None, None, None)
    assert "reviews   unknown before the corpus is read" in plan.text()
    assert build_plan(replace(experiment, corpus=Untold(), limit=2)).papers == 2


def test_text_and_mermaid(experiment: Experiment) -> None:
    graph = build_graph(experiment)
    lines = graph.text().splitlines()
    assert len(lines) == len(graph.nodes)
    assert lines[1].split() == ["each", "perturb/words", "(toy-words)", "x3", "<-", "papers"]
    mermaid = graph.mermaid().splitlines()
    assert mermaid[0] == "flowchart LR"
    assert sum("-->" in line for line in mermaid) == sum(len(n.inputs) for n in graph.nodes)
    assert '    n0["papers (toy-papers)"]' in mermaid


def test_without_perturbations_metrics_or_reports() -> None:
    experiment = Experiment(corpus=ToyPapers(papers_=2), agents={"a": ToyLength()})
    assert [node.id for node in build_graph(experiment).nodes] == ["papers", "review/a/unchanged"]
    assert build_plan(experiment).reviews == 2
    assert revkit.plan(experiment).variants == 0


def test_a_plan_states_what_measuring_noise_would_take(experiment: Experiment) -> None:
    # "coin" is not declared deterministic, "toy-length" is.
    once = build_plan(replace(experiment, repeats=1))
    assert once.noisy == ("coin",)
    assert once.reviews == 7 * 5 * 2
    text = " ".join(once.text().split())
    assert "not measured (repeats: 1), although coin may answer differently each time" in text
    assert "repeats: 2 measures it, with at most 140 reviews" in text
    assert build_plan(experiment).noisy == ()
    assert "not measured" not in build_plan(experiment).text()
    assert build_plan(replace(experiment, repeats=1, perturbations={})).noisy == ()
