"""Write the papers, reviews and rubrics of the synthetic benchmark from a table of studies."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from revkit.english import capitalise
from revkit.model.paper import Labels, Paper
from revkit.model.rating_scale import RatingScale
from revkit.model.values import Json
from revkit_reviewbench.checklists import Checklist, Point
from revkit_reviewbench.corpora.normalise import NormalReview
from revkit_reviewbench.dimensions import PITFALL, TONE

SCALE = RatingScale("rating-1-10", 1, 10, source="the generator")
_Study = Mapping[str, Any]


@functools.cache
def _studies() -> Sequence[_Study]:
    path = Path(__file__).parent / "studies.json"
    found: Sequence[_Study] = json.loads(path.read_text(encoding="utf-8"))
    return found


@functools.cache
def write_papers() -> tuple[Paper, ...]:
    """Return the papers of ``studies.json``, in its order."""
    return tuple(_paper(study, number) for number, study in enumerate(_studies()))


def raised_by(number: int) -> Mapping[str, tuple[tuple[int, ...], ...]]:
    """Return which of a paper's three reviews raise each key point of its checklists.

    A review does where one of its fields speaks of it: the first of idea, premise and what is
    missing, the second of the core and the limitation, the third of data sets and seeds (a paper
    without an ablation) or baselines (one with it).
    """
    strong = bool(_studies()[number]["ablation"])
    baselines = (2,) if strong else ()
    return {
        "core-contribution-accuracy": ((0,), (1,), (0,)),
        "results-interpretation": ((), () if strong else (2,)),
        "comparative-analysis": (baselines, ()),
        "evidence-based-critique": ((1,), (2,)),
        "critique-clarity": ((0,), (1,)),
        "completeness-coverage": ((1,), (2,), baselines),
    }


def _paper(study: _Study, number: int) -> Paper:
    reviews = _reviews(study, number)
    ratings = tuple(review.rating for review in reviews)
    accept = sum(ratings) / len(ratings) >= 6
    extra: dict[str, Json] = {
        "layout": "synthetic",
        "reviews": [review.to_json() for review in reviews],
        "reference": _reference(study, reviews, accept),
        "rubrics": [checklist.to_json() for checklist in _rubrics(study)],
    }
    labels = Labels(
        accept=accept,
        decision="Accept" if accept else "Reject",
        ratings=ratings,
        scale=SCALE,
        confidences=tuple(review.confidence for review in reviews),
        topic=study["topic"],
        extra=extra,
    )
    text = "\n\n".join(_sections(study)) + "\n"
    return Paper(f"bench-{study['key']}", text, _title(study), labels, "synthetic-bench")


def _title(study: _Study) -> str:
    task = study["task"]
    return f"{study['system']}: {capitalise(task)} revisited"


def _names(study: _Study) -> str:
    return " and ".join(name for name, _ in study["baselines"])


def _data(study: _Study) -> str:
    return " and ".join(study["data"])


def _proposal(study: _Study) -> str:
    return f"We propose {study['system']}, {study['idea']}."


def _result(study: _Study) -> str:
    """Return the sentence on the main result; the table decides whether the baselines are
    beaten.
    """
    best, score = _best(study)
    return (
        f"On {study['data'][0]} {study['system']} reaches {study['own']} {study['metric']}, "
        f"against {score} of {best}, the strongest baseline (Table 1)."
    )


def _best(study: _Study) -> tuple[str, float]:
    lower = "error" in study["metric"] or "time" in study["metric"]
    pick = min if lower else max
    name, score = pick(study["baselines"], key=lambda pair: pair[1])
    return str(name), float(score)


def _sections(study: _Study) -> list[str]:
    system, metric = study["system"], study["metric"]
    rows = "\n".join(f"| {name} | {score} |" for name, score in study["baselines"])
    table = f"| Method | {metric} |\n|---|---|\n{rows}\n| {system} | {study['own']} |"
    ablation = [study["ablation"]] if study["ablation"] else []
    return [
        f"# {_title(study)}",
        "## Abstract",
        f"This paper studies {study['task']}. {_proposal(study)} {_result(study)}",
        "## 1 Introduction",
        f"Our starting point is that {study['claim']}. Earlier methods for {study['task']} do not "
        f"act on this. We show what follows when one does.",
        "## 2 Method",
        f"At the heart of {system} is one decision: {study['core']}. The rest of the model is "
        f"taken over unchanged, so that differences can be traced to this decision.",
        "## 3 Experiments",
        f"We evaluate on {_data(study)} and compare with {_names(study)}, trained with their "
        f"published settings. {_result(study)}",
        "Table 1: Main results.",
        table,
        " ".join([*ablation, study["seeds"]]),
        "## 4 Related work",
        f"Closest to ours are {_names(study)}. Both treat {study['task']} without the decision "
        f"that we study.",
        "## 5 Limitations",
        str(study["limit"]),
        "## 6 Conclusion",
        f"{system} shows that {study['claim']}.",
    ]


def _reviews(study: _Study, number: int) -> tuple[NormalReview, ...]:
    strong = bool(study["ablation"])
    base = (8, 6, 7) if strong else (5, 3, 4)
    ratings = base if number % 2 == 0 else (base[1], base[0], base[0])
    system, missing = study["system"], study["missing"]
    summaries = (
        f"The authors study {study['task']} and put forward {study['idea']}.",
        f"{system} is presented; its key is that {study['core']}.",
        f"A paper on {study['task']}, evaluated on {_data(study)}.",
    )
    strengths = (
        f"The premise, that {study['claim']}, is stated plainly and followed through.",
        "The change is small and can be added to existing systems.",
        "An ablation isolates the effect." if strong else "The writing is easy to follow.",
    )
    weaknesses = (
        f"I would have liked to see {missing}.",
        study["limit"],
        study["seeds"] if not strong else f"Only {_names(study)} are compared with.",
    )
    questions = (
        f"Could the authors report {missing}?",
        f"How sensitive is {system} to its one decision?",
        f"What would happen beyond {_data(study)}?",
    )
    level = 3 if strong else 2
    return tuple(
        NormalReview(
            summary=summaries[i],
            strengths=strengths[i],
            weaknesses=weaknesses[i],
            questions=questions[i],
            rating=float(ratings[i]),
            soundness=float(level),
            presentation=3.0,
            contribution=float(level),
            confidence=float(3 + i % 2),
        )
        for i in range(3)
    )


def _reference(study: _Study, reviews: tuple[NormalReview, ...], accept: bool) -> dict[str, Json]:
    return {
        "summary": f"The paper proposes {study['system']} for {study['task']}.",
        "strengths": [review.strengths for review in reviews],
        "weaknesses": [review.weaknesses for review in reviews],
        "questions": [review.questions for review in reviews],
        "rating": sum(review.rating for review in reviews) / len(reviews),
        "decision": "Accept" if accept else "Reject",
        "from": "synthetic",
    }


def _rubrics(study: _Study) -> tuple[Checklist, ...]:
    system, best = study["system"], _best(study)[0]
    result, core = _result(study), str(study["core"])
    baselines = f"compare with {_names(study)}, trained with their published settings"
    data = f"We evaluate on {_data(study)}"
    checklists = [
        ("core-contribution-accuracy", (
            Point(f"Names {system} and what it is: {study['idea']}", "Abstract", _proposal(study)),
            Point(f"Says where the novelty lies: {core}", "Section 2", core),
            Point(f"Knows the premise: {study['claim']}", "Section 1", study["claim"], minor=True),
        )),
        ("results-interpretation", (
            Point(f"Reads the main result: {system} at {study['own']} {study['metric']} on "
                  f"{study['data'][0]}", "Table 1", result),
            Point(f"Weighs how sure the scores are: {study['seeds']}", "Section 3",
                  study["seeds"]),
        )),
        ("comparative-analysis", (
            Point(f"Discusses the baselines of the paper, {_names(study)}", "Section 3", baselines),
            Point(f"Sets {system} against the strongest baseline, {best}", "Table 1", result),
        )),
        ("evidence-based-critique", (
            Point(f"Rests a weakness on the stated limitation: {study['limit']}", "Section 5",
                  study["limit"]),
            Point(f"Rests a weakness on the experiments on {_data(study)} in Section 3 or Table 1",
                  "Section 3", data),
        )),
        ("critique-clarity", (
            Point(f"Asks for {study['missing']}, or for another named analysis of {system}",
                  "Section 3", data),
            Point(f"Says which part is concerned: the decision of Section 2, that {core}",
                  "Section 2", core),
        )),
        ("completeness-coverage", (
            Point(f"Covers the method of {system}: {core}", "Section 2", core),
            Point(f"Covers the experiments on {_data(study)}", "Section 3", data),
            Point(f"Covers related work: {_names(study)}", "Section 4",
                  f"Closest to ours are {_names(study)}", minor=True),
        )),
        (TONE, (Point("Grants what is good before it turns to faults, in a professional tone"),)),
        (PITFALL, (
            Point("Claims that the paper compares with no baseline", "Section 3", baselines),
            Point("Claims that the paper states no limitation", "Section 5", study["limit"]),
        )),
    ]  # fmt: skip
    return tuple(Checklist(name, points) for name, points in checklists)
