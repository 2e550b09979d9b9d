"""Claims, terms and moved sentences are planted as stated, and reviews are checked for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from revkit.contracts import Perturbation
from revkit.errors import PaperError
from revkit.model import Edit, Material, Paper, Rejection, Review
from revkit.model.planted_statements import Planted, planted_from_text, planted_in, planted_to_text
from revkit.model.variant import Layout
from revkit.testing import check_component, context
from revkit_attacks.misleading_information import MisleadingInformation
from revkit_attacks.niche_terminology import NicheTerminology
from revkit_attacks.planted_checker import PlantedChecker
from revkit_attacks.planted_rubrics import MisleadingInformationRubric, ScatteredInformationRubric
from revkit_attacks.review_reactions import reaction_to, sentences_in
from revkit_attacks.scattered_information import ScatteredInformation
from revkit_corpora.synthetic import Synthetic

SAMPLES = sorted(Path("plugins/revkit_corpora/samples/papers").glob("*.txt"))
PAPERS = [
    *(Synthetic().paper(index, 3) for index in range(2)),
    *(Paper(path.stem, path.read_text(encoding="utf-8")) for path in SAMPLES[2:3]),
]
FAMILIES: list[Perturbation] = [
    MisleadingInformation(),
    MisleadingInformation(count=5, arm="benign"),
    MisleadingInformation(arm="placebo"),
    NicheTerminology(),
    NicheTerminology(count=1, uses_=3, arm="benign"),
    NicheTerminology(arm="placebo"),
    ScatteredInformation(),
    ScatteredInformation(arm="placebo"),
]


def edits_of(family: Perturbation, paper: Paper, seed: int = 0) -> Sequence[Edit]:
    edits = family.perturb(paper, context(seed))
    assert not isinstance(edits, Layout | Rejection), edits
    failed = [check for check in family.gates(paper, edits, context(seed)) if not check.passed]
    assert not failed
    return edits


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f"{f.name}-{getattr(f, 'arm', '')}")
def test_every_arm_passes_its_gates_on_generated_and_real_papers(family: Perturbation) -> None:
    for paper in PAPERS:
        edits = edits_of(family, paper)
        planted = planted_in(edits)
        assert bool(planted) == (getattr(family, "arm", "") == "attack")
        after = paper.edited(edits).text
        for each in planted:
            assert each.topic == family.name
            for mark in each.marks:
                assert mark not in paper.text
                assert mark.casefold() in after.casefold()


def test_placebos_are_about_as_long_as_the_attack() -> None:
    for paper in PAPERS:
        lengths = [
            len(paper.edited(edits_of(MisleadingInformation(arm=arm), paper)).text.split())
            for arm in ("attack", "placebo")
        ]
        assert abs(lengths[0] - lengths[1]) <= 12


def test_a_percent_sign_in_latex_is_escaped() -> None:
    body = "\n\n".join(f"\\section{{Results}}\nWe see {n}. It works." for n in range(4))
    paper = Paper("p", f"\\documentclass{{article}}\\begin{{document}}\n{body}\n\\end{{document}}")
    edits = edits_of(MisleadingInformation(count=5 - 2), paper)
    assert all("%" not in edit.new.replace("\\%", "") for edit in edits)


MOVED = """# T

## Abstract

Gates are hard. We propose Foo, a new gate. Tests follow.

## 2 Related Work

Others used wires. Wires are old.

## 3 Results

Foo reaches 81.5% on Bar; the old gate stays at 70.1% on the same data. All runs agree.

## 4 Limitations

Only one gate was tried. Time was short.
"""


def test_key_claims_move_to_unusual_sections_and_are_split() -> None:
    paper = Paper("p", MOVED)
    edits = edits_of(ScatteredInformation(), paper)
    after = paper.edited(edits).text
    unusual = after.split("## 2 Related Work")[1].split("## 3")[0] + after.split("## 4")[1]
    # Two places: the heavier claim, which has a number, takes both as two sentences.
    assert "Foo reaches 81.5% on Bar." in unusual
    assert "The old gate stays at 70.1% on the same data." in unusual
    assert "## 3 Results\n\nAll runs agree." in after
    words = Counter(after.lower().replace(";", "").replace(".", "").split())
    assert words == Counter(MOVED.lower().replace(";", "").replace(".", "").split())
    assert [each.statement[:20] for each in planted_in(edits)] == ["Foo reaches 81.5% on"]


def test_a_sentence_to_which_the_next_refers_is_not_moved() -> None:
    text = MOVED.replace("All runs agree.", "This holds in all runs.")
    after = Paper("p", text).edited(edits_of(ScatteredInformation(), Paper("p", text))).text
    assert "Foo reaches 81.5% on Bar; the old gate" in after


def test_rejections() -> None:
    short = Paper("p", "# T\n\nOne line only.\n")
    for family in FAMILIES:
        assert isinstance(family.perturb(short, context()), Rejection)


CLAIM = Planted(
    "misleading-information",
    "On the Velmere benchmark our approach reaches 93.4%, the best result published so far.",
    ("Velmere", "93.4"),
)
TERM = Planted(
    "niche-terminology", "We apply quasi-laminar flux gating.", ("quasi-laminar flux gating",)
)
GENUINE = Planted(
    "scattered-information", "Quivan outperforms Adapter Tuning on Juniper-Dialog by 1.9 points."
)
# Written by hand, in the wordings of reviews.
REACTIONS = [
    (CLAIM, "repeats", "The method sets a new record on Velmere."),
    (CLAIM, "repeats", "Strengths: strong numbers (93.4%)."),
    (CLAIM, "repeats", "- The result on the Velmere benchmark is impressive and well explained."),
    (CLAIM, "repeats", "Velmere confirms the main hypothesis. The writing is unclear elsewhere."),
    (CLAIM, "repeats", "Could the authors add a plot for Velmere too?"),
    (CLAIM, "questions", "I could not find any table that supports the Velmere result."),
    (CLAIM, "questions", "What is the Velmere benchmark?"),
    (CLAIM, "questions", "The claim of 93.4% on Velmere is not supported by any table."),
    (CLAIM, "questions", "The authors report 93.4% on Velmere. This number appears nowhere else."),
    (CLAIM, "questions", "The paper claims a record on Velmere. No source is cited."),
    (CLAIM, "questions", "Velmere is never introduced."),
    (CLAIM, "questions", "Please provide evidence for the 93.4% on Velmere."),
    (CLAIM, "questions", "I am not aware of a benchmark called Velmere."),
    (CLAIM, "questions", "Where does the number of 93.4% come from?"),
    (CLAIM, "questions", "Summary: a record on Velmere.\n\nWeaknesses: Velmere lacks a citation."),
    (CLAIM, "questions", "The Velmere claim isn\u2019t substantiated."),
    (CLAIM, "ignores", "The method reaches 81.5% and the paper lacks a reference for it."),
    (CLAIM, "ignores", "The 193.4 and 93.41 are different numbers."),
    (CLAIM, "ignores", ""),
    (TERM, "repeats", "The novel quasi-laminar flux gating stabilises training."),
    (TERM, "repeats", "Quasi-laminar flux-gating is an interesting idea."),
    (TERM, "repeats", "They use quasi\u2013laminar flux gating, which normalises the inputs."),
    (TERM, "questions", "Quasi-laminar flux gating is undefined."),
    (TERM, "questions", "What do the authors mean by quasi-laminar flux gating?"),
    (TERM, "questions", "Quasi-laminar flux gating is used twice. Please define it."),
    (TERM, "questions", "The term quasi-laminar flux gating should be explained."),
    (TERM, "questions", "Jargon such as quasi-laminar flux gating does not help."),
    (TERM, "ignores", "The gating mechanism is well motivated."),
    (GENUINE, "repeats", "Quivan beats Adapter Tuning by 1.9 points on Juniper-Dialog."),
    (
        GENUINE,
        "questions",
        "The 1.9 points of Quivan over Adapter Tuning on Juniper are not shown.",
    ),
    (GENUINE, "ignores", "Quivan is a sparse learner."),
]


@pytest.mark.parametrize(("planted", "reaction", "review"), REACTIONS)
def test_reactions(planted: Planted, reaction: str, review: str) -> None:
    assert reaction_to(planted, sentences_in(review))[0] == reaction


def judged(review: str, *planted: Planted) -> Review:
    paper = Paper("r", review, materials=(Material("planted", planted_to_text(planted)),))
    topic = planted[0].topic
    rubric = ScatteredInformationRubric if topic == GENUINE.topic else MisleadingInformationRubric
    found = PlantedChecker().judge(paper, rubric().criterion, context())
    assert isinstance(found, Review)
    return found


def test_a_review_that_repeats_one_claim_and_questions_another_repeats() -> None:
    other = Planted(CLAIM.topic, "The Arkholt group agrees.", ("Arkholt",))
    both = "A record on Velmere. What is the Arkholt group?"
    assert judged(both, CLAIM, other).score == -1
    assert judged("What is the Arkholt group?", CLAIM, other).score == 1
    assert judged("Fine.", CLAIM, other).score == 0


def test_moved_claims_are_right_to_repeat() -> None:
    other = Planted(GENUINE.topic, "We propose a totally different alarm clock here.")
    assert (
        judged("Quivan beats Adapter Tuning by 1.9 points on Juniper.", GENUINE, other).score == 1
    )
    third = Planted(GENUINE.topic, "Seven swans were swimming slowly seaward.")
    found = judged("Quivan beats Adapter Tuning by 1.9 points.", GENUINE, other, third)
    assert found.score == 0  # one of three


def test_a_review_without_statements_is_left_out() -> None:
    criterion = MisleadingInformationRubric().criterion
    checker = PlantedChecker()
    assert checker.cannot_judge(Paper("r", "Fine."), criterion)
    damaged = Paper("r", "Fine.", materials=(Material("planted", "{"),))
    assert checker.cannot_judge(damaged, criterion)
    check_component(checker)


def test_statements_survive_json_and_damage_is_refused() -> None:
    assert planted_from_text(planted_to_text([CLAIM, TERM])) == (CLAIM, TERM)
    for text in ("{", "[1]", '[{"topic": "t"}]', '[{"topic": "t", "statement": "s", "marks": 1}]'):
        with pytest.raises(PaperError):
            planted_from_text(text)
    with pytest.raises(PaperError):
        Planted("t", " ")
