"""Records of a run of evaluators, by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from revkit.model.paper import Labels
from revkit.model.records import AgentRow, Judgement, PaperRow, Records
from revkit_reviewbench.dimensions import NAMES
from revkit_reviewbench.evaluators.control import TOTAL
from revkit_reviewbench.rubrics import RUBRICS

Scores = Mapping[Any, Sequence[float | str]]


def judged(
    scores: Scores,
    tally: Mapping[str, Mapping[str, int]] | None = None,
    repeats: int = 1,
    *,
    venues: Mapping[str, str] | None = None,
    ratings: Mapping[Any, float] | None = None,
    tallies: Mapping[str, Mapping[str, Mapping[str, int]]] | None = None,
) -> Records:
    """Records of one evaluator "e": eight scores (or kinds of failure) for (agent, paper), or for
    (agent, paper, perturbation). ``tally`` is of unchanged papers, ``tallies`` by perturbation."""
    papers, judgements = [], []
    counts = {name: {"": dict(each)} for name, each in (tally or {}).items()}
    for key, row in scores.items():
        agent, paper, kind = (*key, "")[:3]
        id_ = "/".join(key)
        extra = {
            "agent": agent,
            "paper": paper,
            "perturbation": kind,
            "venue": (venues or {}).get(paper, ""),
            "rating": (ratings or {}).get(key),
            "tally": tallies or counts,
        }
        papers.append(PaperRow(id_, Labels(topic=agent, extra=extra)))
        for repeat in range(repeats):
            for name, score in zip(NAMES, row, strict=True):
                failed = isinstance(score, str)
                judgements.append(
                    Judgement(
                        "e", name, id_, "", 0, repeat,
                        None if failed else float(score), str(score) if failed else "",
                    )
                )  # fmt: skip
    return Records(
        seed=7,
        repeats=repeats,
        papers=papers,
        perturbations=(),
        agents=(),
        variants=(),
        verdicts=(),
        rubrics=[rubric().criterion for rubric in RUBRICS],
        judges=[AgentRow("e", "control-evaluator", TOTAL, True)],
        judgements=judgements,
    )
