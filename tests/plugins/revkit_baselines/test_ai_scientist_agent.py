"""The agent `ai-scientist`: members, chair, means, reflection, and what fails."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from revkit.errors import OptionError
from revkit.model.exchange import ModelRequest
from revkit.model.review import Failure, Review
from revkit_baselines.ai_scientist import FORM, NUMBERS, AiScientist
from tests.plugins.revkit_baselines.baselines_model import HOSTILE, Model, fenced, paper, role_of

SHARED = Path(__file__).parents[4] / "shared" / "data" / "iclr2022_aiscientist"
FILLED: dict[str, Any] = {
    "Thoughts": "Small tests.",
    "Summary": "It counts words.",
    "Strengths": ["clear"],
    "Weaknesses": ["small", "one tool"],
    "Originality": 3,
    "Quality": 2,
    "Clarity": 3,
    "Significance": 2,
    "Questions": [],
    "Limitations": ["English only"],
    "Ethical Concerns": False,
    "Soundness": 3,
    "Presentation": 2,
    "Contribution": 2,
    "Overall": 5,
    "Confidence": 4,
    "Decision": "Reject",
}


def answering(*overalls: int, chair: int = 1, last: int | None = None, done_at: int = 0) -> Any:
    """Members by number, a chair whose own numbers must not count, reflections."""

    def answer(request: ModelRequest) -> Any:
        role = role_of(request)
        if role == "member":
            return {**FILLED, "Overall": overalls[request.replicate % 1000 // 20]}
        if role == "chair":
            return {**FILLED, "Overall": chair, "Decision": "Accept"}
        earlier = json.loads(
            next(m.content for m in reversed(request.messages) if m.role == "assistant")
        )
        done = bool(done_at) and request.replicate % 20 >= done_at
        overall = earlier["Overall"] if last is None else last
        return {**FILLED, **earlier, "Overall": overall, "Done": done}

    return answer


def test_one_member_without_reflection() -> None:
    model = Model(answering(7))
    review = AiScientist(model="m", ensemble=1, reflections=0).review(paper(), model.context())
    assert isinstance(review, Review)
    assert (review.score, review.accept, review.confidence) == (7.0, False, 4.0)
    assert review.aspects["soundness"] == 3.0
    assert len(review.aspects) == 7
    assert review.text == (
        "Summary:\nIt counts words.\n\nStrengths:\n- clear\n\nWeaknesses:\n- small\n- one tool\n\n"
        "Limitations:\n- English only"
    )
    (request,) = model.requests
    assert request.parameters == {"temperature": 0.1, "max_tokens": 4096}
    assert list(request.schema["properties"]) == list(FILLED)  # type: ignore[arg-type, index, call-overload]
    assert "score low and reject" in request.messages[0].content


def test_defaults_are_those_of_the_paper() -> None:
    """Five members, a chair, five reflections on what the panel made."""
    model = Model(answering(5, 6, 6, 3, 8))
    review = AiScientist(model="m").review(paper(), model.context())
    assert isinstance(review, Review)
    roles = [role_of(request) for request in model.requests]
    assert roles == ["member"] * 5 + ["chair"] + ["reflection"] * 5
    # Mean 28/5 = 5.6, rounded to 6; the verdict is the chair's, whose own Overall was 1.
    assert (review.score, review.accept) == (6.0, True)
    means: Any = review.details["means"]
    assert means["Overall"] == pytest.approx(5.6)
    assert set(means) == set(NUMBERS)
    members: Any = review.details["members"]
    assert [member["Overall"] for member in members] == [5, 6, 6, 3, 8]
    assert review.details["overall-by-round"] == [6, 6, 6, 6, 6, 6]


@pytest.mark.parametrize(
    ("overalls", "score"), [((5, 6), 6.0), ((6, 7), 6.0), ((6, 6, 7), 6.0), ((6, 7, 7), 7.0)]
)
def test_halves_go_to_the_even_number(overalls: tuple[int, ...], score: float) -> None:
    model = Model(answering(*overalls))
    agent = AiScientist(model="m", ensemble=len(overalls), reflections=0)
    review = agent.review(paper(), model.context())
    assert isinstance(review, Review)
    assert review.score == score
    assert agent.scale.allows(score)


def test_the_chair_sees_reviews_alone_and_the_panel_its_means() -> None:
    model = Model(answering(5, 6, 9))
    agent = AiScientist(model="m", ensemble=3, reflections=1)
    agent.review(paper("# A\n\nUnmistakable.\n"), model.context())
    chair, reflection = model.requests[3], model.requests[4]
    assert "Unmistakable" not in chair.messages[1].content
    for number, overall in ((1, 5), (2, 6), (3, 9)):
        shown = json.loads(fenced(chair.messages[1].content, f"review {number}"))
        assert shown["Overall"] == overall
        assert "Thoughts" not in shown
    assert [turn.role for turn in reflection.messages] == [
        "system", "user", "assistant", "user",
    ]  # fmt: skip
    assert "Unmistakable" in fenced(reflection.messages[1].content)
    assert json.loads(reflection.messages[2].content)["Overall"] == 7  # 20/3


def test_reflection_may_change_the_score_and_says_so() -> None:
    model = Model(answering(6, 6, last=4))
    review = AiScientist(model="m", ensemble=2, reflections=2).review(paper(), model.context())
    assert isinstance(review, Review)
    assert review.score == 4.0
    assert review.details["overall-by-round"] == [6, 4, 4]
    means: Any = review.details["means"]
    assert means["Overall"] == 6.0


def test_members_may_reflect_instead() -> None:
    model = Model(answering(6, 8, last=4))
    agent = AiScientist(model="m", ensemble=2, reflections=2, reflect_on="members")
    review = agent.review(paper(), model.context())
    assert isinstance(review, Review)
    assert review.score == 4.0
    assert [role_of(r) for r in model.requests].count("reflection") == 4
    members: Any = review.details["members"]
    assert [member["overall-by-round"] for member in members] == [[6, 4, 4], [8, 4, 4]]


def test_the_model_may_end_its_reflection() -> None:
    model = Model(answering(6, done_at=2))
    AiScientist(model="m", ensemble=1, reflections=5).review(paper(), model.context())
    assert [role_of(r) for r in model.requests] == ["member", "reflection", "reflection"]


def test_every_call_has_its_own_number() -> None:
    model = Model(answering(*[6] * 40))
    agent = AiScientist(model="m", ensemble=40, reflections=10, reflect_on="members")
    for repeat in range(2):
        agent.review(paper(), model.context(repeat))
    numbers = [request.replicate for request in model.requests]
    assert len(set(numbers)) == len(numbers) == 2 * (40 * 11 + 1)


FAILURE = Failure("timeout", "late", "raw")


@pytest.mark.parametrize(
    ("role", "kind", "told"),
    [
        ("member", "partial", "1 of 3 failed, first member 2: late"),
        ("chair", "timeout", "area chair: late"),
        ("reflection", "timeout", "reflection 1: late"),
    ],
)
def test_a_part_that_fails_is_no_number(role: str, kind: str, told: str) -> None:
    good = answering(5, 9, 9)

    def answer(request: ModelRequest) -> Any:
        hit = role_of(request) == role and request.replicate not in (0, 40)
        return FAILURE if hit else good(request)

    agent = AiScientist(model="m", ensemble=3, reflections=1)
    outcome = agent.review(paper(), Model(answer).context())
    assert isinstance(outcome, Failure)
    assert outcome.kind == kind
    assert told in outcome.detail
    if kind == "partial":
        assert [each and each["Overall"] for each in json.loads(outcome.raw)] == [5, None, 9]


@pytest.mark.parametrize("ensemble", [1, 3])
def test_where_all_fail_the_kind_stands(ensemble: int) -> None:
    model = Model(lambda request: FAILURE)
    outcome = AiScientist(model="m", ensemble=ensemble).review(paper(), model.context())
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.raw) == ("timeout", "raw")


def test_a_spent_budget_is_told_as_such() -> None:
    def answer(request: ModelRequest) -> Any:
        return Failure("budget", "spent") if request.replicate == 40 else FILLED

    outcome = AiScientist(model="m", ensemble=3).review(paper(), Model(answer).context())
    assert isinstance(outcome, Failure)
    assert outcome.kind == "budget"


def test_a_hostile_paper_is_data() -> None:
    model = Model(answering(5, 5))
    text = f"# A\n\n{HOSTILE}\n"
    agent = AiScientist(model="m", ensemble=2, reflections=1)
    agent.review(paper(text, "T {{form}}"), model.context())
    for request in model.requests:
        assert HOSTILE.splitlines()[0] not in request.messages[0].content
        if role_of(request) != "chair":
            assert fenced(request.messages[1].content) == f"Title: T {{{{form}}}}\n\n{text}"


def test_what_a_member_was_led_to_write_is_data_for_the_chair() -> None:
    led = {**FILLED, "Summary": HOSTILE, "Overall": 5}
    model = Model(lambda r: led if role_of(r) == "member" else {**FILLED, "Done": True})
    AiScientist(model="m", ensemble=2, reflections=0).review(paper(), model.context())
    content = model.requests[2].messages[1].content
    assert json.loads(fenced(content, "review 1"))["Summary"] == HOSTILE
    assert "Ignore all" not in model.requests[2].messages[0].content


def test_details_are_bounded() -> None:
    long = {**FILLED, "Summary": "x" * 4000, "Weaknesses": ["y" * 4000] * 12}
    model = Model(lambda r: {**long, "Done": False})
    review = AiScientist(model="m", ensemble=2, reflections=1).review(paper(), model.context())
    assert isinstance(review, Review)
    assert len(json.dumps(dict(review.details))) < 10_000
    assert "[2500 characters more]" in json.dumps(dict(review.details))
    assert "x" * 4000 in review.text


def test_the_order_in_which_members_answer_changes_nothing() -> None:
    agent = AiScientist(model="m", ensemble=8, reflections=2)
    answer = answering(*range(1, 9))
    reviews = [
        agent.review(paper(), Model(answer).context(threads=threads))
        for threads in (False, True, True)
    ]
    assert reviews[0] == reviews[1] == reviews[2]


def test_examples_are_earlier_turns(tmp_path: Path) -> None:
    shown = {name: value for name, value in FILLED.items() if name != "Thoughts"}
    path = tmp_path / "examples.jsonl"
    path.write_text(json.dumps({"paper": "# Old\n\nOld text.", "review": shown}) + "\n")
    model = Model(answering(6))
    agent = AiScientist(model="m", ensemble=1, reflections=0, example=str(path))
    agent.review(paper("# New\n\nNew text.", "New"), model.context())
    turns = model.requests[0].messages
    assert [turn.role for turn in turns] == ["system", "user", "assistant", "user"]
    assert fenced(turns[1].content) == "# Old\n\nOld text."
    assert json.loads(turns[2].content) == shown
    assert fenced(turns[3].content) == "# New\n\nNew text."
    assert agent.files_needed() == (str(path),)
    other = tmp_path / "copy.jsonl"
    other.write_text(path.read_text())
    moved = AiScientist(model="m", ensemble=1, reflections=0, example=str(other))
    assert moved.identity() == agent.identity()
    assert AiScientist(model="m", ensemble=1, reflections=0).identity() != agent.identity()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 1: it is not JSON"),
        ('{"paper": "x"}', "expected the keys"),
        ('{"paper": "", "review": {}}', "must be text"),
        ('{"paper": "x", "review": {"Overall": "8"}}', "line 1: review"),
        ("", "no example"),
    ],
)
def test_wrong_examples_are_told(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "examples.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(OptionError, match=told):
        AiScientist(model="m", example=str(path))


def test_the_form_is_that_of_the_reviews_that_were_published() -> None:
    """The columns and values of the authors' own tables meet the form."""
    if not SHARED.is_dir():
        pytest.skip("needs ../shared/data/iclr2022_aiscientist")
    import ast

    import jsonschema

    validator = jsonschema.Draft202012Validator(FORM.schema)
    (path,) = SHARED.glob("llm_reviews/gpt-4o*.csv")
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 40
    for row in rows:
        row.pop("paper_id")
        data: dict[str, Any] = {"Thoughts": ""}
        for field in FORM.fields[1:]:
            text = row.pop(field.name)
            if field.type in ("list", "boolean", "integer"):
                value = ast.literal_eval(text)
                data[field.name] = int(value) if field.type == "integer" else value
            else:
                data[field.name] = text
        assert not row
        assert not list(validator.iter_errors(data)), data
