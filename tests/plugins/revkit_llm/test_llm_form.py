"""Forms and templates: what is read from them, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from revkit.model.review import Review
from revkit.prompting import TemplateProblem
from revkit_llm.form import built_in, load_form
from revkit_llm.prompt import review_template

# By hand: a filled-in form for each, and the score and verdict that it represents.
FILLED: dict[str, tuple[dict[str, Any], float, bool]] = {
    "iclr": ({"rating": 5}, 5.0, False),
    "neurips": ({"overall": 4}, 4.0, True),
    "arr": ({"overall-assessment": 3.5}, 3.5, True),  # openview_quicklook 4
    "severity-0-100": ({"severity": 51}, 51.0, False),
    "accept-score": ({"accept": True, "score": 2}, 2.0, True),
}


def filled(name: str) -> dict[str, Any]:
    """A form with the lowest number in every field, and the fields of `FILLED`."""
    data: dict[str, Any] = {}
    for field in load_form(name).fields:
        numbers = list(field.values) if field.values else [field.minimum]
        data[field.name] = {"text": "A text.", "list": ["A point."], "boolean": False}.get(
            field.type, numbers[0]
        )
    return {**data, **FILLED[name][0]}


@pytest.mark.parametrize("name", sorted(FILLED))
def test_built_in_forms(name: str) -> None:
    form = load_form(name)
    data, (_, score, accept) = filled(name), FILLED[name]
    validator = jsonschema.Draft202012Validator(form.schema)
    validator.check_schema(form.schema)
    validator.validate(data)
    review = form.review(data, form.scale)
    assert (review.score, review.accept) == (score, accept)
    assert form.scale.higher_is_better is (name != "severity-0-100")
    for field in form.fields:
        assert f"- {field.name} (" in form.description
        assert not validator.is_valid({k: v for k, v in data.items() if k != field.name})
    assert not validator.is_valid({**data, "more": 1})
    assert not validator.is_valid({**data, form.score: str(int(score))})
    assert not validator.is_valid({**data, form.score: form.scale.maximum + 1})


def test_all_built_in_forms_are_tested() -> None:
    assert set(built_in()) == set(FILLED)


def test_iclr_allows_its_six_ratings() -> None:
    assert load_form("iclr").scale.values == (1.0, 3.0, 5.0, 6.0, 8.0, 10.0)
    validator = jsonschema.Draft202012Validator(load_form("iclr").schema)
    assert not validator.is_valid({**filled("iclr"), "rating": 7})


def test_words_of_a_form_are_texts_never_objects() -> None:
    """promptfoo 4014: a list of objects does not meet the form; nothing is printed as [object]."""
    data = {**filled("iclr"), "strengths": [{"point": "clear"}]}
    assert not jsonschema.Draft202012Validator(load_form("iclr").schema).is_valid(data)


MINE = """\
name: mine
scale: {minimum: 1, maximum: 4, higher-is-better: true, accept-at: 3}
score: soundness-and-rigour
fields:
  reason: {type: text, help: Why}
  soundness-and-rigour: {type: integer, minimum: 1, maximum: 4, help: How sound}
"""


def test_a_rubric_of_ones_own(tmp_path: Path) -> None:
    """YESciEval 23."""
    path = tmp_path / "mine.yaml"
    path.write_text(MINE)
    form = load_form(str(path))
    review = form.review({"reason": "x", "soundness-and-rigour": 2}, form.scale)
    assert review == Review(False, 2.0, "Reason:\nx", details={"form": "mine"})
    path.write_text(MINE.replace("accept-at: 3", "accept-at: 2"))
    assert load_form(str(path)).scale.accept_at == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{form}} {{paper}}", "expected the lines"),
        ("=== user ===\n{{paper}}\n=== system ===\n{{form}}", "expected the lines"),
        ("=== system ===\n{{form}}\n=== user ===\nGo.", "must contain .*paper"),
        ("=== system ===\nGo.\n=== user ===\n{{paper}}", "must contain .*form"),
        ("=== system ===\n{{paper}}{{form}}\n=== user ===\n{{paper}}", "belongs in the user"),
        ("=== system ===\n{{forms}}\n=== user ===\n{{paper}}", "unknown placeholder 'forms'"),
    ],
)
def test_what_is_not_a_template_is_reported(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "template.md"
    path.write_text(text)
    with pytest.raises(TemplateProblem, match=message):
        review_template(str(path))


def test_a_file_that_is_not_text_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "template.md"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TemplateProblem, match="UTF-8"):
        review_template(str(path))
