"""Redundant sentences say again what was said, under a gate that any writer must pass."""

from __future__ import annotations

import random

import pytest

from revkit.model import Paper, Rejection
from revkit.testing import context
from revkit_yescieval.perturbations import Conciseness
from revkit_yescieval.perturbations.restatement import Restater, table
from revkit_yescieval.perturbations.restatement_gate import restatement_checks, restates, stem

OLD = "However, sparsentan reduces proteinuria by 40% in patients with FSGS (2, 3)."


@pytest.mark.parametrize(
    "new",
    [
        "In other words, sparsentan lowers proteinuria by 40% in patients with FSGS (2, 3).",
        "Put differently, sparsentan reduces proteinuria by 40% in patients with FSGS.",
        "To repeat: Proteinuria is reduced by 40% by sparsentan in patients with FSGS.",
    ],
)
def test_restatements_pass(new: str) -> None:
    assert restates(OLD, new)


@pytest.mark.parametrize(
    ("new", "failed"),
    [
        ("In other words, sparsentan strongly reduces proteinuria in FSGS patients.", "content"),
        ("In other words, sparsentan reduces proteinuria by 50% in patients with FSGS.", "numbers"),
        ("In other words, sparsentan reduces proteinuria in patients with FSGS (4).", "citations"),
        ("In other words, sparsentan never reduces proteinuria by 40% with FSGS.", "negation"),
        ("In other words, sparsentan helps.", "content"),
        ("Again, patients.", "content-kept"),
    ],
)
def test_what_adds_or_turns_round_fails(new: str, failed: str) -> None:
    assert not restates(OLD, new)
    checks = {check.name: check.passed for check in restatement_checks([(OLD, new)])}
    assert any(name.startswith(failed) and not passed for name, passed in checks.items())


def test_a_sentence_is_no_restatement_of_itself() -> None:
    assert not restates(OLD, OLD)


def test_forms_of_a_word_have_one_stem() -> None:
    assert stem("reduces") == stem("reduced") == stem("reducing") == "reduc"
    assert stem("patient's") == stem("patients") == "patient"


@pytest.mark.parametrize(
    "sentence",
    [
        "However, the drug is used to treat pain, which is often severe (2).",
        "Although the drug is old, doctors still use it.",
        "Monitoring antibody levels can be useful (21).",
        "IL-35 is primarily secreted by regulatory T cells (7, 29).",
        "eRNAs are unstable and have a short half-life (1, 12).",
        "Zorbitan may not reduce pain in approximately 30% of patients.",
    ],
)
def test_every_rule_made_sentence_passes_the_gate(sentence: str) -> None:
    made = {Restater(sentence, random.Random(seed)).restate(sentence) for seed in range(60)}
    assert len(made) >= 10
    for new in made:
        assert restates(sentence, new), new
        assert new[0].isupper()
        assert new[-1] == sentence[-1]


@pytest.mark.parametrize(
    ("sentence", "kept", "possible"),
    [
        ("These give values that can be compared with theory.", "compared with theory", ""),
        ("We report results compared with theory.", "results compared with theory", ""),
        ("The two are most often compared to each other.", "compared to each other", ""),
        ("When compared to controls, they fell.", "compared to controls", ""),
        ("Mortality was lower compared with placebo.", "", "lower in comparison with placebo"),
        ("Compared with placebo, the drug works.", "", "n comparison with placebo"),
        ("The panels may consist of farmers.", "may consist of farmers", ""),
        ("The panels consist of farmers.", "", "are made up of farmers"),
        ("The patient was led to the ward.", "was led to the ward", ""),
        ("The trial led to new rules.", "", "resulted in new rules"),
        ("These are the various effects of it.", "the various effects", ""),
        ("It has various effects.", "", "several different effects"),
        ("It is safe although rare in adults.", "although rare", ""),
        ("It is safe although the effects are small.", "", "even though the effects"),
    ],
)
def test_a_wording_is_replaced_only_where_its_synonym_is_grammatical(
    sentence: str, kept: str, possible: str
) -> None:
    versions = [Restater(sentence, random.Random(seed)).restate(sentence) for seed in range(60)]
    assert all(kept in each or kept.capitalize() in each for each in versions)
    assert any(possible in each for each in versions)


def test_names_keep_their_capital_and_words_do_not() -> None:
    text = "The cells are old. Zorbitan kills them."
    for seed in range(40):
        restater = Restater(text, random.Random(seed))
        assert "the cells are old" in restater.restate("The cells are old.")
        assert "Zorbitan kills them" in restater.restate("Zorbitan kills them.")


def test_a_fronted_clause_may_move_to_the_end() -> None:
    new = Restater("", random.Random(1)).restate("Although the drug is old, doctors use it.")
    assert new.endswith(" doctors use it even though the drug is old.")


def test_no_frame_comes_again_before_all_were_used() -> None:
    restater = Restater("", random.Random(3))
    count = len(table().frames)
    heads = [restater.restate("It is a very old drug.").split(" it is a")[0] for _ in range(count)]
    assert len(set(heads)) == count


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The drug is old. It is safe and it may be of", "unfinished"),
        ("Der Wirkstoff ist alt. Er ist sicher und wird oft in der Klinik verwendet.", "English"),
        ("The value of it is known. It is $x = 1$ in all of the runs.", "no complete sentence"),
    ],
)
def test_rejections(text: str, reason: str) -> None:
    made = Conciseness().perturb(Paper("x", text), context())
    assert isinstance(made, Rejection)
    assert reason in made.reason


def test_one_version_after_every_sentence_in_its_own_paragraph() -> None:
    paper = Paper("x", "The drug is old. It is safe.\n\n- It is cheap and it works.\n")
    made = Conciseness(level="extreme").perturb(paper, context(seed=1))
    assert not isinstance(made, Rejection)
    assert [edit.start for edit in made] == [16, 28, len(paper.text) - 1]
    assert all(check.passed for check in Conciseness().gates(paper, made, context()))
