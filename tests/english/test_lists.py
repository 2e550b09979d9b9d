"""The lists of words: what is in them, and what their patterns match."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import revkit.english
from revkit.english import (
    comparisons,
    compile_words,
    function_words,
    generic_nouns,
    hedges,
    negations,
    opposites,
    quantities,
    stop_words,
    table_rows,
)
from revkit.english.lists import HedgeUse, NegationUse, StopUse
from revkit_robustrev.hedge_lexicon import lexicon
from revkit_yescieval.perturbations.restatement_gate import restatement_checks

FOLDER = Path(revkit.english.__file__).parent
USES = {
    "hedges.tsv": set(get_args(HedgeUse)),
    "negations.tsv": set(get_args(NegationUse)),
    "comparisons.tsv": {"count"},
    "stop-words.tsv": set(get_args(StopUse)),
}


@pytest.mark.parametrize("name", USES)
def test_each_word_is_listed_once_with_known_uses(name: str) -> None:
    rows = table_rows(FOLDER / name)
    forms = [row["form"] for row in rows]
    assert len(forms) == len(set(forms))
    assert {use for row in rows for use in row["uses"].split()} == USES[name]
    head = (FOLDER / name).read_text(encoding="utf-8").partition("\nform\t")[0]
    assert all(re.search(rf"^# (?:uses)? +{use} ", head, re.M) for use in USES[name])


def test_every_file_is_covered() -> None:
    of_one_use = {
        "opposites.tsv", "quantities.tsv", "function-words.tsv", "generic-nouns.tsv",
        "directions.tsv", "negative-words.tsv", "synonyms.tsv", "implicit-negations.tsv",
    }  # fmt: skip
    assert {path.name for path in FOLDER.glob("*.tsv")} == USES.keys() | of_one_use


def test_hedges_have_their_kind() -> None:
    assert hedges("text")["tends to"] == "epistemic verb"
    assert "tends to" not in hedges("word")
    assert hedges("word")["tends"] == "epistemic verb"
    kinds = ["modal verb", "epistemic verb", "adverb", "adjective", "phrase"]
    assert set(hedges("text").values()) == set(kinds)


def test_every_hedge_that_can_be_removed_is_counted() -> None:
    """A longer form holds a counted one: "strongly suggests that"."""
    counted = set(hedges("text"))
    longer = {
        f"strongly {verb} that"
        for verb in (
            *("indicate", "indicates", "indicated", "indicating"),
            *("suggest", "suggests", "suggested", "suggesting"),
        )
    }
    before_nouns = {f"suggesting {word}" for word in ("an", "no", "their")}
    assert {form.removeprefix("strongly ") for form in longer} <= counted
    assert "suggesting" in counted
    assert set(lexicon().removal) - counted == longer | before_nouns
    assert not set(lexicon().addition) & set(hedges("text"))


def test_words_are_whole_and_forms_have_endings() -> None:
    pattern = compile_words(frozenset(["lack*", "no", "can not", "*n't", "future work"]))
    text = "It lacks nothing, can\nnot win, doesn\u2019t, no future  work, know, black, nt"
    words = [match[0] for match in pattern.finditer(text)]
    assert words == ["lacks", "can\nnot", "n\u2019t", "no", "future  work"]
    assert not pattern.search("NO")
    assert compile_words(frozenset(["no"]), ignore_case=True).search("NO")


def test_the_longest_form_matches() -> None:
    pattern = compile_words(frozenset(["may", "may be", "maybe"]))
    words = [match[0] for match in pattern.finditer("maybe may be may")]
    assert words == ["maybe", "may be", "may"]


def test_no_forms_are_an_error() -> None:
    with pytest.raises(ValueError, match="no forms"):
        compile_words(frozenset())


@given(st.text("no't can", max_size=30))
def test_a_negation_is_found_wherever_it_is_a_word(text: str) -> None:
    assert compile_words(negations("count")).search(f"{text} not {text}") is not None


@pytest.mark.parametrize("apostrophe", ["'", "\u2019"])
def test_a_restatement_that_loses_a_contracted_negation_is_seen(apostrophe: str) -> None:
    old = f"The drug didn{apostrophe}t reduce pain."
    checks = restatement_checks([(old, "The drug did reduce pain.")])
    assert [check.name for check in checks if not check.passed] == ["negation-changed"]


def test_words_of_direction() -> None:
    assert {"than", "outperforms", "decreasing", "exceed"} <= comparisons()
    assert not comparisons() & negations("count")


def test_stop_words_differ_by_use() -> None:
    assert "paper" in stop_words("claim")
    assert "paper" not in stop_words("search")
    small = "a an and at by for from in of on the to via with"
    assert stop_words("title") == set(small.split())


def test_a_table_with_too_many_cells_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_text("# words\nform\tuses\nno\ta\nnot\n", encoding="utf-8")
    assert table_rows(path) == [{"form": "no", "uses": "a"}, {"form": "not", "uses": ""}]
    path.write_text("form\tuses\nno\ta\tb\n", encoding="utf-8")
    with pytest.raises(ValueError, match="'no' has more cells"):
        table_rows(path)


def test_no_form_is_on_both_sides_of_an_axis() -> None:
    for one, other in opposites():
        assert one
        assert other
        assert not one & other


def test_quantities_and_function_words_are_small_letters_listed_once() -> None:
    for name in ("quantities.tsv", "function-words.tsv", "generic-nouns.tsv"):
        forms = [row["form"] for row in table_rows(FOLDER / name)]
        assert len(forms) == len(set(forms))
        assert all(form == form.lower() for form in forms)
    assert quantities()["at most"] == quantities()["up to"] != quantities()["at least"]
    assert "ability" in generic_nouns()
    assert "encoder" not in generic_nouns()
    assert {"the", "of", "which"} <= function_words()
    assert not {"not enough", "accuracy", "before"} & function_words()
