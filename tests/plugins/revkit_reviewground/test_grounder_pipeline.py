"""The agent `review-grounder` from paper to review: what each role gets and what it becomes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from revkit.errors import OptionError
from revkit.model.review import Review
from revkit_reviewground.agent import ReviewGrounder
from tests.plugins.revkit_reviewground.scripted import (
    DEBRIEF,
    DRAFT,
    FINAL,
    INSIGHTS,
    PAPER,
    RESULTS,
    TEXT,
    Model,
)


def reviewed(model: Model, **options: Any) -> Review:
    agent = ReviewGrounder(model="m", **options)
    review = agent.review(PAPER, model.context(uses=agent.uses))
    assert isinstance(review, Review), review
    return review


def evidence(review: Review) -> Any:
    return review.details["evidence"]


def test_a_review_goes_through_all_roles() -> None:
    model = Model()
    review = reviewed(model)
    assert model.roles() == [
        "aggregator", "analyzer", "drafter", "miner", "searcher", "summarizer", "summarizer",
    ]  # fmt: skip
    assert (review.accept, review.score, review.confidence) == (False, 5.0, 3.0)
    assert review.aspects == {"soundness": 3.0, "presentation": 3.0, "contribution": 2.0}
    assert review.details["form"] == "iclr-decision"
    assert review.details["review"] == FINAL
    assert review.text.startswith(
        "Summary:\nA gate skips tokens; F1 rises by 1.2 points (Table 1)."
    )
    assert "\n\nEvidence:\n" in review.text
    assert "Related work: Token Dropping at Scale (2024)" in review.text


def test_the_evidence_holds_what_each_role_said() -> None:
    found = evidence(reviewed(Model()))
    assert found["not-grounded-in"] == []
    assert found["draft"] == DRAFT
    assert found["miner"] == INSIGHTS
    assert found["analyzer"] == RESULTS
    works = found["literature"]["works"]
    assert [work["title"] for work in works] == ["Token Dropping at Scale", "Heads that Matter"]
    assert works[0]["debrief"] == DEBRIEF
    assert works[0]["keywords"] == ["token pruning", "sparse attention", "long documents"]
    assert found["literature"]["dropped"] == {"found before": 4}
    assert found["findings"]["first"] == []
    assert found["scores"]["kept"] == "aggregator"
    assert found["reading"]["miner"]["sections"] == [
        "Abstract", "1 Introduction", "3 Method",
    ]  # fmt: skip
    assert found["reading"]["analyzer"]["sections"] == ["Abstract", "4 Experiments"]
    json.dumps(found)


def test_calls_and_tokens_are_counted_by_role() -> None:
    found = evidence(reviewed(Model()))
    assert {name: role["calls"] for name, role in found["roles"].items()} == {
        "drafter": 1, "searcher": 1, "summarizer": 2, "miner": 1, "analyzer": 1, "aggregator": 1,
    }  # fmt: skip
    assert found["usage"]["calls"] == 7
    assert found["usage"]["prompt-tokens"] == 700
    assert found["usage"]["completion-tokens"] == 70
    assert found["usage"]["usd"] == pytest.approx(3.5)


def test_the_audits_see_the_draft_and_the_aggregator_sees_all() -> None:
    model = Model()
    reviewed(model)
    for role in ("miner", "analyzer", "aggregator"):
        (prompt,) = model.prompts(role)
        assert "It skips tokens." in prompt, role
    (prompt,) = model.prompts("aggregator")
    for part in ("82.2 against 81.0", "a gate", "Drops tokens as the submission does."):
        assert part in prompt
    assert prompt.count("Core Contribution Accuracy:") == 1
    for role in ("drafter", "searcher", "summarizer"):
        assert all("It skips tokens." not in each for each in model.prompts(role))


def test_the_paper_comes_first_and_is_the_same_for_all_that_read_it() -> None:
    """A provider that caches prompts charges the common beginning once."""
    model = Model()
    reviewed(model)
    whole: list[str] = []
    for role, request in model.asked:
        assert request.messages[0] == model.asked[0][1].messages[0]
        if role in ("drafter", "miner", "analyzer", "aggregator"):
            whole.append(request.messages[1].content)
    assert len(whole) == 4
    end = whole[0].index(TEXT) + len(TEXT)
    assert len({content[: end + 40] for content in whole}) == 1
    heads = [
        request.messages[1].content
        for role, request in model.asked
        if role in ("searcher", "summarizer")
    ]
    shared = heads[0][: heads[0].index("submission", 200)]
    assert all(head.startswith(shared) for head in heads)


def test_the_searcher_reads_title_abstract_and_related_work() -> None:
    model = Model()
    reviewed(model)
    (prompt,) = model.prompts("searcher")
    assert "Title: Sparse Gates" in prompt
    assert "We study gates" in prompt
    assert "Pruning of heads was tried" in prompt
    assert "81.0" not in prompt


def test_sections_alone_go_to_the_audits_on_request() -> None:
    model = Model()
    review = reviewed(model, reading="sections")
    (miner,), (analyzer,) = model.prompts("miner"), model.prompts("analyzer")
    assert "Let g be the gate" in miner
    assert "| Gate | 82.2 |" not in miner
    assert "| Gate | 82.2 |" in analyzer
    assert "Let g be the gate" not in analyzer
    notes = evidence(review)["reading"]["miner"]["notes"]
    assert notes == ["only the sections it works from"]


@pytest.mark.parametrize(
    ("part", "roles", "lacks"),
    [
        ("searcher", {"searcher", "summarizer"}, "related work (literature searcher: left out)"),
        ("miner", {"miner"}, "contributions and method (insight miner: left out)"),
        ("analyzer", {"analyzer"}, "experiments and results (result analyzer: left out)"),
    ],
)
def test_a_role_can_be_left_out(part: Any, roles: set[str], lacks: str) -> None:
    model = Model()
    review = reviewed(model, without=(part,))
    assert not roles & set(model.roles())
    assert evidence(review)["not-grounded-in"] == [lacks]
    assert f"- Not grounded in {lacks}" in review.text
    assert evidence(review)["roles"][part] == {"status": "left out"}


def test_without_the_aggregator_the_draft_is_the_review() -> None:
    model = Model()
    review = reviewed(model, without=("aggregator",))
    assert model.roles() == ["drafter"]
    assert review.details["review"] == DRAFT
    assert review.score == DRAFT["rating"]
    found = evidence(review)
    assert found["scores"] == {
        "policy": "bounded", "changed": [], "not-allowed": [], "kept": "draft",
    }  # fmt: skip
    assert {name: role["status"] for name, role in found["roles"].items()} == {
        "drafter": "done", "searcher": "left out", "miner": "left out", "analyzer": "left out",
        "aggregator": "left out",
    }  # fmt: skip
    assert found["findings"]["corrections"] == 0
    agent = ReviewGrounder(model="m", roles={"drafter": "d"}, without=("aggregator",))
    assert (agent.uses, agent.models()) == (("llm",), ("d",))
    assert [role.name for role in agent.review_roles()] == ["drafter"]


def test_a_draft_that_is_the_review_is_checked_and_never_given_back() -> None:
    draft = {**DRAFT, "weaknesses": ["Table 99 shows no gain."]}
    model = Model(drafter=draft)
    review = reviewed(model, without=("aggregator",))
    assert model.roles() == ["drafter"]
    found = evidence(review)["findings"]
    assert [each["kind"] for each in found["remaining"]] == ["anchor"]
    assert "Table 99" in review.text
    plain = evidence(reviewed(Model(drafter=draft), without=("aggregator", "checks")))
    assert plain["findings"] is None


def test_without_the_searcher_no_searcher_is_needed() -> None:
    agent = ReviewGrounder(model="m", without=("searcher",))
    assert agent.uses == ("llm",)
    assert ReviewGrounder(model="m").uses == ("llm", "searcher")
    assert ReviewGrounder.uses == ("llm", "searcher")


def test_each_role_has_its_own_model_prompt_and_parameters(tmp_path: Path) -> None:
    prompt = tmp_path / "drafter.md"
    prompt.write_text("=== system ===\nI draft.\n=== user ===\nGo: {{paper}}\n{{form}}\n")
    roles = {
        "drafter": {"model": "small", "prompt": str(prompt), "temperature": 0, "max-tokens": 99},
        "analyzer": "other",
        "summarizer": {"parameters": {"top_p": 0.5}},
    }
    model = Model()
    agent = ReviewGrounder(model="m", roles=roles, temperature=0.3)
    assert isinstance(agent.review(PAPER, model.context()), Review)
    by_role = dict(model.asked)
    assert by_role["drafter"].model == "small"
    assert by_role["drafter"].messages[0].content == "I draft."
    assert by_role["drafter"].messages[1].content.startswith("Go: The paper stands between")
    assert by_role["drafter"].parameters == {"temperature": 0.0, "max_tokens": 99}
    assert by_role["analyzer"].model == "other"
    assert by_role["summarizer"].parameters == {
        "temperature": 0.3, "max_tokens": 16384, "top_p": 0.5,
    }  # fmt: skip
    assert by_role["miner"].parameters == {"temperature": 0.3, "max_tokens": 16384}
    assert agent.models() == ("small", "m", "other")
    assert agent.files_needed() == (str(prompt),)
    prompt.write_text("=== system ===\nI draft well.\n=== user ===\nGo: {{paper}}\n{{form}}\n")
    assert agent.identity() != ReviewGrounder(model="m").identity()


def test_the_defaults_are_those_of_the_paper() -> None:
    """Appendix B.2 and section 4.2."""
    agent = ReviewGrounder(model="m")
    assert (agent.temperature, agent.max_tokens, agent.input_tokens) == (0.4, 16384, 100_000)
    assert (agent.works, agent.from_year) == (10, 2023)


def test_repeats_are_calls_of_their_own() -> None:
    model = Model()
    agent = ReviewGrounder(model="m")
    agent.review(PAPER, model.context(repeat=3))
    assert {request.replicate for _, request in model.asked} == {3}


@pytest.mark.parametrize(
    ("options", "place", "message"),
    [
        ({"roles": {"draftor": "x"}}, "roles", "drafter"),
        ({"roles": {"drafter": {"modell": "x"}}}, "roles.drafter", "model"),
        ({"roles": {"drafter": {"temperature": "hot"}}}, "roles.drafter.temperature", "number"),
        ({"roles": {"miner": {"prompt": "/no/such"}}}, "roles.miner.prompt", "cannot be read"),
        (
            {"roles": {"miner": {"max-tokens": 0}}},
            "roles.miner.max-tokens",
            "is below the minimum of 1",
        ),
        ({"roles": {"miner": {"temperature": True}}}, "roles.miner.temperature", "a number"),
        ({"roles": {"miner": {"model": " "}}}, "roles.miner.model", "is empty"),
        ({"roles": {"miner": 3}}, "roles.miner", "expected text, not 3"),
        ({"roles": 3}, "roles", "mapping"),
        (
            {"roles": {"miner": {"parameters": {"model": "x"}}}},
            "roles.miner.parameters",
            "must not",
        ),
        ({"form": "nope"}, "form", "unknown form"),
        ({"without": ("drafter",)}, "without", "searcher"),
        ({"draft_from": "/no/such"}, "draft-from", "cannot be read"),
        ({"system": "/no/such"}, "system", "cannot be read"),
    ],
)
def test_wrong_options_are_reported_with_their_place(
    options: dict[str, Any], place: str, message: str
) -> None:
    with pytest.raises(OptionError) as caught:
        ReviewGrounder(model="m", **options)
    text = str(caught.value)
    assert place in text
    assert message in text


def test_the_report_can_stay_out_of_the_text() -> None:
    wrong = {**FINAL, "weaknesses": ['The paper says "we never tested any of it at all".']}
    model = Model(aggregator=wrong, correction=wrong)
    review = reviewed(model, evidence="details")
    assert "Evidence:" not in review.text
    assert "[E1]" not in review.text
    assert len(evidence(review)["findings"]["remaining"]) == 1
