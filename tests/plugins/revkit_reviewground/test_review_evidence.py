"""The judge of evidence, its verifier, and the rates over reviews, by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from revkit.contracts import Context, Services
from revkit.model.exchange import ModelReply, ModelRequest, Usage
from revkit.model.paper import Labels, Material, Paper
from revkit.model.records import AgentRow, Judgement, PaperRow, Records
from revkit.model.review import Failure, Outcome, Review
from revkit_reviewground.absence_verifier import Passages, denials
from revkit_reviewground.checks import PaperText
from revkit_reviewground.evidence_checker import PASSES, EvidenceChecker
from revkit_reviewground.evidence_marks import BY_RUBRIC, MARKS, NoFalseAbsences, NoFalseQuotes
from revkit_reviewground.review_evidence import ReviewEvidence

TEXT = """# Gears that Learn

## 1 Introduction
The proposed gear learns a mapping from torque to angle without any supervision.

## 4.2 Evaluation Metrics
We count the teeth that are still whole after an hour.

Table 1: Accuracy and search cost in GPU days.

| method | accuracy | search cost |
| --- | --- | --- |
| gear | 74.9 | 1.5 |
"""
FREE = "The search cost of the gear goes unreported."


def reviewed(text: str) -> Paper:
    return Paper("r", text, materials=(Material("source", TEXT, "Gears that Learn"),))


def judge(text: str, rubric: str, checker: EvidenceChecker | None = None) -> Outcome:
    criterion = {each.name: each for each in (NoFalseQuotes, NoFalseAbsences)}[rubric]().criterion
    return (checker or EvidenceChecker()).judge(reviewed(text), criterion, Context())


def marks(review: Review) -> list[Any]:
    found: Any = review.details["marks"]
    return list(found)


class Model:
    """A model that gives one answer, and keeps what it was asked."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.reply = json.dumps({"answers": answers})
        self.asked: list[ModelRequest] = []

    def __call__(self, request: ModelRequest) -> ModelReply | Failure:
        self.asked.append(request)
        return ModelReply(self.reply, json.loads(self.reply), "stop", "m", Usage(9000, 10))


def verified(text: str, *answers: dict[str, Any], rules: bool = False) -> tuple[Outcome, Model]:
    model = Model(*answers)
    checker = EvidenceChecker(verifier="m", rules=rules)
    ctx = Context(services=Services(complete=model))
    return checker.judge(reviewed(text), NoFalseAbsences().criterion, ctx), model


def answer(
    quote: str, *, number: int = 1, absence: bool = True, present: bool = True
) -> dict[str, Any]:
    return {"number": number, "claims_absence": absence, "present": present, "quote": quote}


def test_a_review_with_a_false_quotation_fails_and_the_mark_is_in_the_details() -> None:
    found = judge(
        'The authors claim that "the proposed gear flies to the moon".', "no-false-quotes"
    )
    assert isinstance(found, Review)
    assert found.score == 0
    [mark] = marks(found)
    assert mark["excerpt"] == "the proposed gear flies to the moon"
    clean = judge('They claim that it "learns a mapping from torque to angle".', "no-false-quotes")
    assert isinstance(clean, Review)
    assert (clean.score, marks(clean)) == (1, [])


def test_a_text_without_its_paper_is_rejected() -> None:
    outcome = EvidenceChecker().judge(Paper("r", "Fine."), NoFalseQuotes().criterion, Context())
    assert isinstance(outcome, Failure)
    assert outcome.kind == "rejected"


def test_every_kind_of_mark_has_its_rubric_of_two_levels() -> None:
    assert set(BY_RUBRIC) == {mark.rubric for mark in MARKS}
    assert len(BY_RUBRIC) == len(MARKS) == 7
    assert [level for level, _ in NoFalseQuotes().criterion.levels] == [0, 1]


def test_the_verifier_marks_what_the_rules_miss_with_a_quotation_of_the_paper() -> None:
    outcome, model = verified(FREE, answer("Accuracy and search cost in GPU days"))
    assert isinstance(outcome, Review)
    [mark] = marks(outcome)
    assert (outcome.score, mark["certainty"]) == (0, "suspect")
    assert "search cost" in mark["place"]["words"]
    [request] = model.asked
    assert "search cost in GPU days" in request.messages[-1].content


@pytest.mark.parametrize(
    "row",
    [
        answer("Search cost is listed in Appendix B"),
        answer(""),
        answer("cost"),
        answer("Accuracy and search cost in GPU days", absence=False),
        answer("Accuracy and search cost in GPU days", present=False),
        answer("Accuracy and search cost in GPU days", number=7),
    ],
)
def test_an_answer_without_words_of_the_paper_makes_no_mark(row: dict[str, Any]) -> None:
    outcome, _ = verified(FREE, row)
    assert isinstance(outcome, Review)
    assert outcome.score == 1


def test_a_review_that_denies_nothing_costs_no_call() -> None:
    outcome, model = verified("The gear is strong. It works well.")
    assert isinstance(outcome, Review)
    assert model.asked == []


def test_a_sentence_that_rules_and_verifier_mark_counts_once() -> None:
    text = "The evaluation metrics are not defined anywhere."
    row = answer("Evaluation Metrics")
    both, _ = verified(text, row, rules=True)
    alone, _ = verified(text, row)
    assert isinstance(both, Review)
    assert isinstance(alone, Review)
    assert len(marks(both)) == len(marks(alone)) == 1


def test_retrieval_finds_the_heading_and_the_column() -> None:
    paper = PaperText(Paper("p", TEXT))
    index = Passages(paper)
    for claim, words in (
        ("The evaluation metrics are not defined anywhere.", "Evaluation Metrics"),
        (FREE, "search cost"),
    ):
        [denial] = denials({"weaknesses": claim})
        near = [paper.text[each.start : each.end] for each in index.nearest(denial.text)]
        assert any(words in each for each in near), claim


def records(marks: dict[tuple[str, str, int], tuple[float | None, float | None]]) -> Records:
    """Records of one checker with two rubrics: scores of (agent, paper, repeat)."""
    papers, judgements = [], []
    rubrics = ("no-false-quotes", "no-false-absences")
    for (agent, paper, repeat), scores in marks.items():
        id_ = f"{agent}/{paper}#{repeat}"
        extra: dict[str, Any] = {
            "agent": agent,
            "paper": paper,
            "perturbation": "",
            "repeat": repeat,
        }
        papers.append(PaperRow(id_, Labels(topic=agent, extra=extra)))
        judgements += [
            Judgement("c", rubric, id_, "", 0, 0, score, "" if score is not None else "rejected")
            for rubric, score in zip(rubrics, scores, strict=True)
        ]
    return Records(
        seed=7,
        repeats=1,
        papers=papers,
        perturbations=(),
        agents=(),
        variants=(),
        verdicts=(),
        rubrics=[NoFalseQuotes().criterion, NoFalseAbsences().criterion],
        judges=[AgentRow("c", "evidence-checker", PASSES, True)],
        judgements=judgements,
    )


def test_rates_are_reviews_with_a_mark_over_reviews() -> None:
    table = ReviewEvidence().measure(
        records(
            {
                ("human", "p1", 0): (0, 1),
                ("human", "p1", 1): (1, 1),
                ("human", "p2", 0): (1, 1),
                ("human", "p3", 0): (None, 1),
                ("bot", "p1", 0): (0, 0),
                ("bot", "p2", 0): (0, 1),
            }
        )
    )
    human, bot = table.records()
    assert human["false_quotes"] == pytest.approx(1 / 3)
    assert (human["reviews"], human["papers"], human["unjudged"]) == (4, 3, 1)
    assert human["false_absences"] == 0
    assert 0 < human["false_absences_high"] < 1
    assert (bot["false_quotes"], bot["false_absences"]) == (1, 0.5)
    assert bot["false_absences_low"] < 0.5 < bot["false_absences_high"]


def test_no_fault_is_stated_only_of_reviews_that_were_checked() -> None:
    found = records(
        {
            ("fair", "p1", 0): (1, 1),
            ("fair", "p2", 0): (1, 1),
            ("half", "p1", 0): (1, 1),
            ("half", "p2", 0): (None, 1),
            ("lost", "p1", 0): (None, None),
        }
    )
    texts = [each.text for each in ReviewEvidence().measure(found).findings]
    assert texts[1:] == [
        "half (2 reviews): no fault was found, but 1 check failed.",
        "In 2 reviews by fair, no fault was found.",
    ]
    second = AgentRow("d", "evidence-checker", PASSES, True)
    again = [replace(each, judge="d") for each in found.judgements]
    both = replace(found, judges=[*found.judges, second], judgements=[*found.judgements, *again])
    texts = [each.text for each in ReviewEvidence().measure(both).findings]
    assert "c: In 2 reviews by fair, no fault was found." in texts
    assert "d: In 2 reviews by fair, no fault was found." in texts


def test_a_run_without_reviews_says_what_to_run() -> None:
    table = ReviewEvidence().measure(records({}))
    assert "reviews-of-run" in table.notes[0]
