"""Small records and a finished run, for tests of metrics and reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from revkit.contracts import Agent, Context, ExperimentView, RunView
from revkit.model.edits import Edit
from revkit.model.records import (
    AgentRow,
    PaperRow,
    PerturbationRow,
    Records,
    VariantRow,
    Verdict,
)
from revkit.model.review import Scale
from revkit.model.table import Column, Table
from revkit.model.variant import Check
from revkit.testing.papers import tiny_papers

_SCALE = Scale("tiny-1-10", 1, 10, accept_at=5)
# Scores of two agents: the unchanged paper, then after "words" and "length". None is a failure.
_SCORES: dict[tuple[str, str], tuple[int | None, ...]] = {
    ("steady", "tiny-numeric"): (7, 7, 7),
    ("steady", "tiny-author-year"): (4, 4, 4),
    ("steady", "tiny-plain"): (3, 3, None),
    ("shaky", "tiny-numeric"): (6, 4, 6),
    ("shaky", "tiny-author-year"): (4, 5, 3),
    ("shaky", "tiny-plain"): (None, 6, 2),
}


def tiny_records() -> Records:
    """Return the records of a run of three papers, two perturbations and two agents, written by
    hand.

    They hold flips in both directions, two failures (one on an unchanged paper), a rejected
    variant ("length" of the second paper) and a paper without labels.
    """
    papers = tiny_papers()
    names = ("words", "length")
    rejected = ("tiny-author-year", "length")
    verdicts = [
        _verdict(agent, paper, name, score)
        for (agent, paper), scores in _SCORES.items()
        for name, score in zip(("", *names), scores, strict=True)
        if (paper, name) != rejected
    ]
    check = Check("limit", 0.02, 0.05, True)
    return Records(
        seed=1,
        repeats=1,
        papers=[PaperRow(paper.id, paper.labels, words=100) for paper in papers],
        perturbations=[
            PerturbationRow("words", "toy-words", "invariant"),
            PerturbationRow("length", "toy-length", "decrease", target="clarity"),
        ],
        agents=[AgentRow(name, f"toy-{name}", _SCALE, True) for name in ("steady", "shaky")],
        variants=[
            VariantRow(paper.id, name, 0, 0, 1, (), "nothing to edit", "declined")
            if (paper.id, name) == rejected
            else VariantRow(paper.id, name, 0, 1, 0, (check,))
            for paper in papers
            for name in names
        ],
        verdicts=verdicts,
        skipped={"no text": 1},
    )


def _verdict(agent: str, paper: str, name: str, score: int | None) -> Verdict:
    if score is None:
        return Verdict(agent, paper, name, 0, 0, None, None, "timeout")
    return Verdict(agent, paper, name, 0, 0, score >= 5, float(score))


def tiny_run() -> RunView:
    """Return a finished run around `tiny_records`, as a reporter reads it."""
    papers = {paper.id: paper for paper in tiny_papers()}

    def edits_of(paper: str, _perturbation: str, _index: int) -> Sequence[Edit]:
        start = papers[paper].text.index(" is ")
        return (Edit(start + 1, start + 3, "may be", "a hedge"),)

    columns = (Column("agent", "Agent"), Column("rate", "Flip rate", "share"))
    return RunView(
        name="tiny",
        spec={"revkit": 1, "name": "tiny", "seed": 1},
        records=tiny_records(),
        tables=[Table("flips", "Flips", columns, (("steady", 0.0), ("shaky", None)), ("a note",))],
        versions={"revkit": "0"},
        digest="0" * 64,
        text_of=lambda paper: papers[paper].text,
        edits_of=edits_of,
        title_of=lambda paper: papers[paper].title,
    )


def tiny_experiment(agents: Mapping[str, Agent] | None = None) -> ExperimentView:
    """Return an experiment with `tiny_papers` as its corpus, as an exporter reads it."""

    return ExperimentView(
        name="tiny",
        spec={"revkit": 1, "name": "tiny", "seed": 1},
        seed=1,
        corpus="tiny-papers",
        agents=agents or {},
        screened=frozenset(),
        papers=tiny_papers,
        papers_of=lambda _: tiny_papers(),
        context_of=lambda _agent, _paper: Context(seed=1, uses=()),
        fingerprint_of=lambda agent: agent,
    )
