"""The agent `agent-review`: its phases, who sees what, and what fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from revkit.errors import OptionError
from revkit.model.exchange import ModelRequest
from revkit.model.review import Failure, Review
from revkit_baselines.agent_review import AgentReview
from tests.plugins.revkit_baselines.baselines_model import HOSTILE, Model, fenced, paper, role_of

FILLED = {
    "summary": "It counts words.",
    "strengths": ["clear"],
    "weaknesses": ["small"],
    "questions": [],
    "soundness": 3,
    "presentation": 2,
    "contribution": 1,
    "rating": 6,
    "confidence": 4,
}


def answering(before: tuple[int, ...] = (5, 6, 8), after: tuple[int, ...] = (3, 5, 8)) -> Any:
    """Ratings by reviewer, before and after the discussion; the chair accepts."""

    def answer(request: ModelRequest) -> Any:
        role, number = role_of(request), request.replicate % 100
        return {
            "reviewer": lambda: {**FILLED, "rating": before[number], "soundness": number + 1},
            "author": lambda: {"rebuttal": f"Answer to {number + 1}."},
            "discussion": lambda: {"comment": "Hm.", "rating": after[number], "confidence": 2},
            "chair": lambda: {"meta-review": "Mixed.", "strengths": ["a"], "weaknesses": ["b"]},
            "decision": lambda: {"reasons": "On balance.", "decision": "accept"},
        }[role]()

    return answer


def test_five_phases_make_a_review() -> None:
    model = Model(answering())
    review = AgentReview(model="m").review(paper(), model.context())
    assert isinstance(review, Review)
    roles = [role_of(request) for request in model.requests]
    assert roles == [
        *["reviewer"] * 3, *["author"] * 3, *["discussion"] * 3, "chair", "decision",
    ]  # fmt: skip
    # (3 + 5 + 8) / 3, and the decision is the chair's.
    assert review.score == pytest.approx(16 / 3)
    assert AgentReview(model="m").scale.allows(16 / 3)
    assert review.accept is True
    assert review.confidence == 2.0
    assert review.aspects == {"soundness": 2.0, "presentation": 2.0, "contribution": 1.0}
    assert review.details["ratings-before"] == [5, 6, 8]
    assert review.details["ratings"] == [3, 5, 8]
    reviewers: Any = review.details["reviewers"]
    assert reviewers[1]["rebuttal"] == "Answer to 2."
    assert reviewers[1]["update"]["rating"] == 5
    meta: Any = review.details["meta-review"]
    assert meta["meta-review"] == "Mixed."
    assert review.text.startswith("Meta review:\nMixed.")
    assert review.text.count("It counts words.") == 3


def test_who_sees_what() -> None:
    model = Model(answering())
    AgentReview(model="m").review(paper("# A\n\nUnmistakable.\n"), model.context())
    by_role: dict[str, list[ModelRequest]] = {}
    for request in model.requests:
        by_role.setdefault(role_of(request), []).append(request)
        assert "Unmistakable" in fenced(request.messages[1].content)
    assert len({request.messages for request in by_role["reviewer"]}) == 1
    author = by_role["author"][1].messages[1].content
    assert json.loads(fenced(author, "review 2"))["rating"] == 6
    assert "review 1" not in author
    third = by_role["discussion"][2].messages[1].content
    own, _, others = third.partition("The other reviewers:")
    assert '"rating": 8' in fenced(own, "review 3")
    assert "Answer to 3." in fenced(own, "review 3")
    assert "Answer to 1." in fenced(others, "review 1")
    assert "review 3" not in others
    chair = by_role["chair"][0].messages[1].content
    assert '"rating": 3' in fenced(chair, "review 1")  # after the discussion
    decision = by_role["decision"][0].messages[1].content
    assert "Mixed." in fenced(decision, "meta-review")


def test_phases_can_be_left_out() -> None:
    model = Model(answering())
    agent = AgentReview(model="m", rebuttal=False, discussion=False)
    review = agent.review(paper(), model.context())
    assert isinstance(review, Review)
    assert review.score == pytest.approx(19 / 3)
    assert review.confidence == 4.0
    assert len(model.requests) == 5


def test_reviewers_have_their_characters() -> None:
    model = Model(answering())
    agent = AgentReview(model="m", reviewers=("neutral", "malicious+irresponsible", "benign"))
    agent.review(paper(), model.context())
    told = [request.messages[0].content for request in model.requests[:3]]
    assert len(set(told)) == 3
    assert "wish the authors ill" in told[1]
    assert "no time for this" in told[1]
    assert "wish the authors well" in told[2]
    assert "wish the authors" not in told[0]
    discussion = model.requests[7].messages[0].content
    assert "wish the authors ill" in discussion
    chair = AgentReview(model="m", chair="authoritarian")
    chair.review(paper(), model.context())
    assert "little weight to the reviewers" in model.requests[-1].messages[0].content


def test_every_call_has_its_own_number() -> None:
    model = Model(answering((6,) * 20, (6,) * 20))
    agent = AgentReview(model="m", reviewers=("neutral",) * 20)
    for repeat in range(2):
        agent.review(paper(), model.context(repeat))
    numbers = [request.replicate for request in model.requests]
    assert len(set(numbers)) == len(numbers) == 2 * 62


FAILURE = Failure("refusal", "no", "raw")


@pytest.mark.parametrize(
    ("role", "kind", "told"),
    [
        ("reviewer", "partial", "phase I (reviews): 1 of 3 failed, first reviewer 2: no"),
        ("author", "partial", "phase II (rebuttal): 1 of 3 failed, first reviewer 2: no"),
        ("discussion", "partial", "phase III (discussion): 1 of 3 failed, first reviewer 2: no"),
        ("chair", "refusal", "phase IV (meta-review): no"),
        ("decision", "refusal", "phase V (decision): no"),
    ],
)
def test_a_part_that_fails_is_no_number(role: str, kind: str, told: str) -> None:
    good = answering()

    def answer(request: ModelRequest) -> Any:
        alone = role in ("chair", "decision") or request.replicate % 100 == 1
        return FAILURE if role_of(request) == role and alone else good(request)

    outcome = AgentReview(model="m").review(paper(), Model(answer).context())
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.detail) == (kind, told)


def test_where_all_fail_the_kind_stands() -> None:
    outcome = AgentReview(model="m").review(paper(), Model(lambda _: FAILURE).context())
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.raw) == ("refusal", "raw")


def test_a_hostile_paper_is_data_in_every_phase() -> None:
    model = Model(answering())
    text = f"# A\n\n{HOSTILE}\n"
    AgentReview(model="m").review(paper(text), model.context())
    assert len(model.requests) == 11
    for request in model.requests:
        assert "Ignore all" not in request.messages[0].content
        assert fenced(request.messages[1].content) == text


def test_the_order_in_which_reviewers_answer_changes_nothing() -> None:
    reviews = [
        AgentReview(model="m").review(paper(), Model(answering()).context(threads=threads))
        for threads in (False, True, True)
    ]
    assert reviews[0] == reviews[1] == reviews[2]


def test_details_are_bounded() -> None:
    long = {**FILLED, "summary": "x" * 4000, "weaknesses": ["y" * 4000] * 12}
    good = answering()

    def answer(request: ModelRequest) -> Any:
        return long if role_of(request) == "reviewer" else good(request)

    review = AgentReview(model="m").review(paper(), Model(answer).context())
    assert isinstance(review, Review)
    assert len(json.dumps(dict(review.details))) < 25_000


@pytest.mark.parametrize(
    ("options", "name", "told"),
    [
        ({"model": " "}, "model", "empty"),
        ({"reviewers": ()}, "reviewers", "1 to 20"),
        ({"reviewers": ("nice",)}, "reviewers", "unknown trait 'nice'"),
        ({"reviewers": ("benign+malicious",)}, "reviewers", "exclude each other"),
        ({"parameters": {"n": 2}}, "parameters", "'n' must not be set"),
        ({"prompts": {"nobody": "x.md"}}, "prompts", "unknown role 'nobody'"),
        ({"prompts": {"chair": "nowhere.md"}}, "prompts", "chair: nowhere.md cannot be read"),
    ],
)
def test_wrong_options_are_told(options: dict[str, Any], name: str, told: str) -> None:
    with pytest.raises(OptionError) as caught:
        AgentReview(**{"model": "m", **options})
    assert caught.value.problems[0][0] == name
    assert told in caught.value.problems[0][1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("=== system ===\n{{paper}} {{form}}\n=== user ===\nGo.", "belongs in the user part"),
        ("=== system ===\n{{form}}\n=== user ===\nGo.", "must contain {{paper}}"),
        ("{{paper}} {{form}} {{secret}}", "unknown placeholder 'secret'"),
        ("=== system ===\n{{form}}\n=== user ===\n", "empty"),
    ],
)
def test_wrong_templates_are_told(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "reviewer.md"
    path.write_text(text)
    with pytest.raises(OptionError, match=told.replace("{", r"\{").replace("}", r"\}")):
        AgentReview(model="m", prompts={"reviewer": str(path)})


def test_templates_are_the_users(tmp_path: Path) -> None:
    path = tmp_path / "reviewer.md"
    path.write_text("=== system ===\nBe brief. {{form}}\n=== user ===\nHere: {{paper}} Go.\n")
    model = Model(answering())
    agent = AgentReview(model="m", prompts={"reviewer": str(path)})
    agent.review(paper("Some {{form}} text."), model.context())
    assert model.requests[0].messages[0].content.startswith("Be brief. - summary")
    assert "Some {{form}} text." in model.requests[0].messages[1].content
    assert agent.files_needed() == (str(path),)
    assert agent.models() == ("m",)
    identity = agent.identity()
    assert identity != AgentReview(model="m").identity()
    copy = tmp_path / "copy.md"
    copy.write_text(path.read_text())
    assert AgentReview(model="m", prompts={"reviewer": str(copy)}).identity() == identity
