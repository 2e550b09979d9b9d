"""What the agent `review-grounder` does when a role fails, says nothing, or says it badly."""

from __future__ import annotations

import json
from typing import Any

import pytest

from revkit.model.review import Failure, Review
from revkit.model.work import Work
from revkit_reviewground.agent import ReviewGrounder
from tests.plugins.revkit_reviewground.scripted import (
    DRAFT,
    EMPTY_INSIGHTS,
    FINAL,
    INSIGHTS,
    PAPER,
    Model,
)

REFUSAL = Failure("refusal", "I cannot", "I cannot help")


def outcome(model: Model, search: Any = None, **options: Any) -> Any:
    agent = ReviewGrounder(model="m", **options)
    return agent.review(PAPER, model.context(search, agent.uses))


def evidence(review: Any) -> Any:
    assert isinstance(review, Review), review
    return review.details["evidence"]


@pytest.mark.parametrize("role", ["drafter", "aggregator"])
def test_without_draft_or_final_review_there_is_none(role: str) -> None:
    found = outcome(Model(**{role: REFUSAL}))
    assert found == Failure("refusal", f"{role}: I cannot", "I cannot help")


@pytest.mark.parametrize(
    ("role", "status", "kept"),
    [("miner", "miner", "analyzer"), ("analyzer", "analyzer", "miner")],
)
def test_an_audit_that_fails_leaves_the_others_work(role: str, status: str, kept: str) -> None:
    model = Model(**{role: REFUSAL})
    found = evidence(outcome(model))
    assert found["roles"][status]["status"] == "failed"
    assert found["roles"][status]["failure"]["kind"] == "refusal"
    assert found[role] is None
    assert found[kept] is not None
    assert len(found["literature"]["works"]) == 2
    assert len(found["not-grounded-in"]) == 1
    assert "(no report: do without it" in model.prompts("aggregator")[0]


def test_a_search_that_fails_leaves_the_others_work() -> None:
    def search(query: str, limit: int) -> Any:
        return Failure("provider", "429 for hours")

    # What may pass is tried again: a kept review would be stored for good.
    result = outcome(Model(), search)
    assert result == Failure("partial", "searcher: no search worked: 429 for hours", "")
    found = evidence(outcome(Model(), search, partial="keep"))
    assert found["roles"]["searcher"]["status"] == "failed"
    assert found["roles"]["searcher"]["failure"]["detail"] == "no search worked: 429 for hours"
    assert found["miner"] == INSIGHTS
    assert "summarizer" not in found["roles"]


def test_one_search_of_three_that_fails_is_recorded() -> None:
    def search(query: str, limit: int) -> Any:
        if query == "sparse attention":
            return Failure("timeout", "slow")
        return [Work("Token Dropping", year=2024, abstract="Dropping.", score=1.0)]

    found = evidence(outcome(Model(), search))
    assert found["roles"]["searcher"]["status"] == "done"
    searches = found["literature"]["searches"]
    assert searches["token pruning"] == 1
    assert searches["sparse attention"]["kind"] == "timeout"


def test_a_searcher_that_breaks_leaves_the_others_work() -> None:
    found = evidence(outcome(Model(), lambda query, limit: [3]))
    assert found["roles"]["searcher"]["failure"]["kind"] == "crashed"
    assert found["miner"] == INSIGHTS


def test_no_hit_is_no_failure() -> None:
    found = evidence(outcome(Model(), lambda query, limit: []))
    assert found["roles"]["searcher"]["status"] == "empty"
    assert found["not-grounded-in"] == ["related work (literature searcher: empty)"]


def test_one_debrief_that_fails_leaves_the_other() -> None:
    def debrief(request: Any) -> Any:
        text = request.messages[1].content
        return (
            REFUSAL
            if "Heads that Matter" in text
            else dict.fromkeys(
                ("summary", "main_methods", "key_findings", "relation"), "It drops tokens."
            )
        )

    model = Model(summarizer=debrief)
    found = evidence(outcome(model))
    assert found["roles"]["searcher"]["status"] == "done"
    assert found["literature"]["works"][1]["failure"]["kind"] == "refusal"
    assert "Heads that Matter" not in model.prompts("aggregator")[0]


def test_all_debriefs_that_fail_are_a_failed_role() -> None:
    found = evidence(outcome(Model(summarizer=REFUSAL)))
    assert found["roles"]["searcher"]["status"] == "failed"
    assert "no debrief worked" in found["roles"]["searcher"]["failure"]["detail"]


def test_empty_lists_are_told_and_kept() -> None:
    found = evidence(outcome(Model(miner=EMPTY_INSIGHTS)))
    assert found["roles"]["miner"]["status"] == "empty"
    assert found["miner"] == EMPTY_INSIGHTS
    assert found["not-grounded-in"] == ["contributions and method (insight miner: empty)"]


def test_a_failing_role_can_fail_the_review() -> None:
    found = outcome(Model(miner=REFUSAL), partial="fail")
    assert found == Failure("partial", "miner: I cannot", "I cannot help")
    assert isinstance(outcome(Model(), partial="fail"), Review)


def test_all_three_grounding_roles_may_fail() -> None:
    model = Model(miner=REFUSAL, analyzer=REFUSAL, searcher=REFUSAL)
    review = outcome(model)
    assert len(evidence(review)["not-grounded-in"]) == 3
    assert review.warnings == (
        "not grounded in related work (literature searcher: failed)",
        "not grounded in contributions and method (insight miner: failed)",
        "not grounded in experiments and results (result analyzer: failed)",
    )
    assert outcome(Model(), without=("miner",)).warnings == ()
    assert review.details["review"] == FINAL


def schema_failure(value: Any) -> Failure:
    return Failure("schema", "does not meet the schema", f"Here:\n{json.dumps(value)}")


def test_a_draft_with_other_layouts_is_read_by_rule() -> None:
    loose = {
        **DRAFT,
        "summary": {"what": "It skips tokens.", "how": "By a gate."},
        "strengths": "1. A small gate.\n2. Clear text.",
        "weaknesses": {"scope": "Few experiments."},
        "soundness": "3 good",
        "rating": "5: marginally below",
        "decision": "Reject",
        "ethics": "none",
    }
    found = evidence(outcome(Model(drafter=schema_failure(loose))))
    draft = found["draft"]
    assert draft["summary"] == "what: It skips tokens.; how: By a gate."
    assert draft["strengths"] == ["A small gate.", "Clear text."]
    assert draft["weaknesses"] == ["scope: Few experiments."]
    assert (draft["soundness"], draft["rating"], draft["decision"]) == (3, 5.0, "reject")
    steps = found["roles"]["drafter"]["steps"]
    assert "soundness: '3 good' read as 3" in steps
    assert "reply: 1 unknown fields dropped" in steps
    # What that reply took is not known, and the others' tokens are not given for all of them.
    for usage in (found["roles"]["drafter"], found["usage"]):
        assert (usage["prompt-tokens"], usage["completion-tokens"], usage["usd"]) == (None,) * 3
        assert usage["failed-calls"] == 1
    assert found["roles"]["aggregator"]["prompt-tokens"] is not None


@pytest.mark.parametrize(
    "change",
    [
        {"rating": "good"}, {"rating": None}, {"rating": 11}, {"rating": "6/5"},
        {"rating": "5 or 6"}, {"decision": "accept or reject"}, {"soundness": 2.5},
        {"decision": ""}, {"decision": "not accept"}, {"rating": "5.5.5"}, {"rating": True},
    ],
)  # fmt: skip
def test_a_score_is_never_made_up(change: dict[str, Any]) -> None:
    found = outcome(Model(drafter=schema_failure({**DRAFT, **change})))
    assert isinstance(found, Failure)
    assert found.kind == "schema"


def test_an_audit_with_gaps_is_read_by_rule() -> None:
    loose = {
        "facts": {"core_contributions": ["a gate"]},
        "rewrite_suggestions": [{"apply_to": "?"}],
    }
    found = evidence(outcome(Model(miner=schema_failure(loose))))
    assert found["miner"]["facts"]["core_contributions"] == [{"claim": "a gate", "evidence": ""}]
    assert found["miner"]["review_issues"]["missing_key_points"] == []
    assert found["miner"]["rewrite_suggestions"] == []
    assert found["roles"]["miner"]["status"] == "done"


def test_fewer_than_three_keywords_are_searched_all_the_same() -> None:
    found = evidence(outcome(Model(searcher=schema_failure({"keywords": ["gates", " "]}))))
    assert found["literature"]["keywords"] == ["gates"]
    searcher = found["roles"]["searcher"]
    assert searcher["steps"] == ["keywords: 1 taken from a reply of another layout"]
    assert (searcher["status"], searcher["prompt-tokens"]) == ("done", None)


def test_a_window_that_is_smaller_than_told_gets_shorter_texts() -> None:
    sizes: list[int] = []

    def small(request: Any) -> Any:
        size = sum(len(each.content) for each in request.messages)
        sizes.append(size)
        return Failure("context", "too long") if size > 4000 else DRAFT

    text = PAPER.text.replace("Pruning of heads", "Pruning of heads " * 400)
    agent = ReviewGrounder(model="m", without=("searcher",))
    model = Model(drafter=small)
    review = agent.review(type(PAPER)("p", text, PAPER.title), model.context(uses=("llm",)))
    found = evidence(review)
    assert len(sizes) > 1
    assert sizes == sorted(sizes, reverse=True)
    assert found["reading"]["drafter"]["kept"] < 1
    assert any("to fit" in note for note in found["reading"]["drafter"]["notes"])


def test_a_correction_that_fails_leaves_the_review_before_it() -> None:
    wrong = {**FINAL, "weaknesses": ['The paper says "we never tested any of it at all".']}
    review = outcome(Model(aggregator=wrong, correction=REFUSAL))
    found = evidence(review)["findings"]
    assert found["correction-failed"]["kind"] == "refusal"
    assert [each["kind"] for each in found["remaining"]] == ["quote"]
    assert "[E1]" in review.text


def test_checks_that_break_leave_the_review(monkeypatch: pytest.MonkeyPatch) -> None:
    from revkit_reviewground import findings

    def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("no")

    monkeypatch.setattr(findings, "check_review", broken)
    review = outcome(Model())
    found = evidence(review)
    assert found["findings"]["check-failed"]["kind"] == "crashed"
    assert found["miner"] == INSIGHTS
    assert "A check failed; crashed: ZeroDivisionError: no" in review.text
    assert "Insight miner: not checked: ZeroDivisionError: no" in review.text


@pytest.mark.parametrize("role", ["searcher", "summarizer", "miner", "analyzer", "correction"])
def test_a_budget_that_is_used_up_leaves_no_review(role: str) -> None:
    """It would be stored as it is, and the next run could not make it whole."""
    wrong = {**FINAL, "weaknesses": ['The paper says "we never tested any of it at all".']}
    spent = Failure("budget", "all calls are used up")
    found = outcome(Model(**{"aggregator": wrong, role: spent}))
    assert isinstance(found, Failure)
    assert found.kind == "budget"
