"""Templates: what is read from them, what is refused, and that nothing put in is searched."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.model.exchange import Message
from revkit.prompting import (
    Data,
    Places,
    TemplateProblem,
    fill,
    load_template,
    mark_for,
    parse_template,
    split_parts,
)

PLACES = Places(("form",), ("paper",), ("paper",))


def test_both_parts_are_filled() -> None:
    template = parse_template(
        "=== system ===\nBe brief. {{form}}\n=== user ===\nRead {{ paper }}.\n", PLACES
    )
    system, user = template.turns({"form": "F", "paper": Data("paper", "P")}, secret="s")
    mark = mark_for("s", "P")
    assert system == Message("system", "Be brief. F")
    assert user.content.startswith("Read What stands between lines that hold the mark " + mark)
    assert user.content.endswith(
        f"----- paper {mark} begins -----\nP\n----- paper {mark} ends -----."
    )


def test_without_heads_all_of_it_is_the_user_part() -> None:
    template = parse_template(" {{paper}} and === system === in a line\n", PLACES)
    assert (template.system, template.user) == ("", "{{paper}} and === system === in a line")
    earlier = (Message("system", "S"), Message("user", "U"))
    turns = template.turns({"paper": Data("paper", "P")}, earlier=earlier)
    assert [turn.role for turn in turns] == ["system", "user", "user"]
    assert template.holds("paper")
    assert not template.holds("form")


def test_heads_that_a_part_repeats_are_text() -> None:
    text = "\n=== system ===\nA\n=== user ===\n{{paper}}\n=== system ===\nB\n"
    template = parse_template(text, PLACES)
    assert (template.system, template.user) == ("A", "{{paper}}\n=== system ===\nB")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("=== user ===\n{{paper}}\n=== system ===\nA", "expected the lines '=== system ==='"),
        ("=== system ===\nA {{paper}}", "expected the lines '=== system ==='"),
        ("=== system ===\nA\n=== user ===\n \n", "the user part is empty"),
        (" \n", "the user part is empty"),
        ("{{paper}} {{papers}}", "unknown placeholder 'papers'; known: form, paper"),
        ("=== system ===\n{{paper}}\n=== user ===\n{{paper}}", "belongs in the user part"),
        ("{{form}}", "it must contain {{paper}}"),
    ],
)
def test_what_is_not_a_template_is_refused(text: str, reason: str) -> None:
    with pytest.raises(TemplateProblem) as caught:
        parse_template(text, PLACES)
    assert reason in str(caught.value)


def test_instructions_may_be_required() -> None:
    places = Places(PLACES.own, PLACES.data, PLACES.needed, system=True)
    with pytest.raises(TemplateProblem, match="expected the lines"):
        parse_template("{{paper}}", places)
    assert parse_template("=== system ===\n=== user ===\n{{paper}}", places).system == ""


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TemplateProblem, match="cannot be read"):
        load_template(tmp_path / "none.md", PLACES)


@given(st.text(st.sampled_from("{} paperfom=-\n\\1$")))
def test_what_is_put_in_is_not_searched(text: str) -> None:
    assert fill("a {{paper}} {{form}} b", {"paper": text, "form": text}) == f"a {text} {text} b"


def test_parts_of_a_prompt_with_more_than_two() -> None:
    assert split_parts("note\n=== system ===\nA\n\n=== again ===\nB {{x}}\n=== no head\n") == {
        "system": "A",
        "again": "B {{x}}\n=== no head",
    }
