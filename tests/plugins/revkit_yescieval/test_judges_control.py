"""The control judge: what it measures, by hand on one synthesis, and on real perturbed texts."""

from __future__ import annotations

import ast
import random
import statistics
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import revkit_yescieval.judges as judges_module
from revkit.contracts import Context
from revkit.errors import OptionError
from revkit.model.criterion import Criterion
from revkit.model.paper import Material, Paper
from revkit.model.review import Failure, Review
from revkit_yescieval.judges import ControlJudge
from revkit_yescieval.judges.lines import Lines
from revkit_yescieval.judges.measures import MEASURES
from revkit_yescieval.judges.order import breaks
from revkit_yescieval.judges.register import points
from revkit_yescieval.judges.synthesis_text import SynthesisReading, inside, level, stems_of
from revkit_yescieval.rubrics import RUBRICS, RubricFile
from tests.cpu_time import cpu_seconds

CRITERIA = {
    criterion.name: criterion
    for rubric in RUBRICS
    if rubric is not RubricFile
    for criterion in (rubric().criterion,)
}
QUESTION = "Do hedgerows protect wild bees on arable farms?"
SOURCES = (
    "Hedgerows gave wild bees nesting sites on arable farms. We counted nests along 40 hedgerows.",
    "Flowering hedgerows raised the number of wild bees in spring. Bumblebees gained the most.",
    "Hedgerows did not protect wild bees from insecticide spray drift in summer.",
)
SENTENCES = (
    "Hedgerows give wild bees (WB) nesting sites in spring.",
    "One study found that flowering hedgerows raised the number of WB in spring.",
    "In addition, bumblebees gained the most from flowering hedgerows.",
    "However, hedgerows did not protect WB from insecticide spray drift in summer.",
    "Overall, hedgerows protect wild bees on arable farms where insecticide spray is avoided.",
)
SPORTS = "Adira Novak scored twice as the Calder Ridge Comets beat the Bramford Owls in overtime."
CHAT = "omg did u see the match last nite?? lol im so done #goal @fan22"
RESTATED = "In other words, flowering hedgerows raised how many WB there were in the spring."


def paper(*sentences: str, sources: tuple[str, ...] = SOURCES, question: str = QUESTION) -> Paper:
    materials = [Material("source", text) for text in sources]
    if question:
        materials.insert(0, Material("question", question))
    return Paper("p", " ".join(sentences), materials=tuple(materials))


def value(name: str, *sentences: str) -> float:
    return MEASURES[name].value(Lines(SynthesisReading(paper(*sentences))))


def scores(text: Paper) -> dict[str, float | None]:
    judge, found = ControlJudge(), {}
    for name, criterion in CRITERIA.items():
        outcome = judge.judge(text, criterion, Context())
        found[name] = outcome.score if isinstance(outcome, Review) else None
    return found


def test_the_text_as_it_is() -> None:
    """Five markers in five sentences are just short of the highest level."""
    assert scores(paper(*SENTENCES)) == {**dict.fromkeys(CRITERIA, 5.0), "integration": 4.0}


@pytest.mark.parametrize(
    ("sentences", "moved"),
    [
        ((*SENTENCES[::-1],), {"cohesion"}),
        ((*SENTENCES[:3], SENTENCES[4], SENTENCES[3]), {"cohesion"}),
        ((*SENTENCES[:2], RESTATED, *SENTENCES[2:]), {"conciseness"}),
        ((*SENTENCES, CHAT), {"readability"}),
        ((*SENTENCES, SPORTS), {"coherence", "relevancy", "correctness", "informativeness"}),
        # The sentence on spray loses the only one that takes it up.
        (SENTENCES[:4], {"completeness", "coherence"}),
    ],
    ids=["reversed", "swapped", "restated", "chat", "sports", "cut"],
)
def test_each_measure_reacts_to_its_own_and_leaves_the_rest(
    sentences: tuple[str, ...], moved: set[str]
) -> None:
    before, after = scores(paper(*SENTENCES)), scores(paper(*sentences))
    fell = {name for name in CRITERIA if after[name] < before[name]}  # type: ignore[operator]
    assert fell == moved


def test_without_markers_integration_falls() -> None:
    bare = [
        SENTENCES[0],
        "Flowering hedgerows raised the number of WB in spring.",
        "Bumblebees gained the most from flowering hedgerows.",
        "Hedgerows did not protect WB from insecticide spray drift in summer.",
        "Hedgerows protect wild bees on arable farms.",
    ]
    assert value("integration", *bare) == 0.0
    assert scores(paper(*bare))["integration"] == 1.0


def test_values_by_hand() -> None:
    # Markers: "one study", "found that", "in addition", "however", "overall".
    assert value("integration", *SENTENCES[1:]) == 5 / 4
    assert value("conciseness", *SENTENCES, RESTATED) == -1 / 6
    assert value("cohesion", *SENTENCES) == 0
    # "However" opens (2); "wild bees (WB)" is introduced behind its use (1).
    assert value("cohesion", SENTENCES[3], SENTENCES[1], SENTENCES[0]) == -3
    assert value("readability", *SENTENCES, "It's great!") == -2
    # Known of "Novel traps caught wild bees": wild, bees; not: novel, traps, caught.
    assert value("relevancy", *SENTENCES, "Novel traps caught wild bees.") == 2 / 5
    # Half of these stems are in the second source and half in the first, none has more.
    mixed = "Nesting bumblebees."
    assert value("correctness", *SENTENCES[:1], mixed) == 0.5


def test_stems() -> None:
    assert stems_of("The inflammatory and inflammation of cells' cell walls, 12 CD4 it's") == [
        "inflam", "inflam", "cell", "cell", "wall", "cd4",
    ]  # fmt: skip
    assert inside(frozenset("ab"), frozenset("bc")) == 0.5
    assert [level(v, (1, 2, 3, 4)) for v in (0.9, 1, 2.5, 4, 9)] == [1, 2, 3, 5, 5]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("IL-35 is an anti-inflammatory cytokine (BC 5800, #2, p < 0.05).", 0),
        ("Type I interferons and phase I trials were compared with grade II.", 0),
        ("p53 was mutated in the U.S. cohort: 3 of 4.", 0),
        ("We don't know.", 1),
        ("So there I was, holding my coffee!", 3),  # "so there I", "my", "!"
        ("lol that is so cool #win", 3 + 1 + 3 + 1),  # lol, cool, hashtag, small letter
    ],
)
def test_points_of_register(sentence: str, expected: int) -> None:
    assert points(sentence) == expected


def test_breaks_in_the_order_are_not_looked_for_among_foreign_sentences() -> None:
    lines = Lines(SynthesisReading(paper(*SENTENCES, SPORTS)))
    assert (lines.strange, lines.informal, lines.restated) == ({5}, set(), set())
    assert [line.text for line in lines.own] == list(SENTENCES)
    assert breaks(lines) == 0
    chat = Lines(SynthesisReading(paper(*SENTENCES, SPORTS, CHAT)))
    assert (chat.strange, chat.informal) == (set(), {5, 6})  # one chatty passage
    assert breaks(chat) == 0


def test_what_a_measure_needs() -> None:
    judge, ctx = ControlJudge(), Context()
    bare = paper(*SENTENCES, sources=(), question="")
    for name, text in (
        ("correctness", "no sources"),
        ("completeness", "no sources"),
        ("relevancy", "neither a question nor sources"),
        ("informativeness", "neither a question nor sources"),
    ):
        outcome = judge.judge(bare, CRITERIA[name], ctx)
        assert isinstance(outcome, Failure)
        assert outcome.kind == "rejected"
        assert text in outcome.detail
    for name in ("cohesion", "conciseness", "readability", "coherence", "integration"):
        assert isinstance(judge.judge(bare, CRITERIA[name], ctx), Review)
    empty = Paper("p", "```\ncode = 1\n```\n")
    outcome = judge.judge(empty, CRITERIA["cohesion"], ctx)
    assert outcome == Failure("rejected", "the text has no sentence to measure")


def test_rubrics_that_it_does_not_know() -> None:
    ctx, text = Context(), paper(*SENTENCES)
    other = replace(CRITERIA["cohesion"], name="novelty")
    outcome = ControlJudge().judge(text, other, ctx)
    assert outcome == Failure("rejected", "has no measure for the rubric 'novelty'")
    limited = ControlJudge(measures=("cohesion",))
    assert isinstance(limited.judge(text, CRITERIA["coherence"], ctx), Failure)
    three = replace(CRITERIA["cohesion"], levels=((1, "a"), (2, "b"), (3, "c")))
    outcome = ControlJudge().judge(text, three, ctx)
    assert isinstance(outcome, Failure)
    assert "must have the 5 levels" in outcome.detail
    tens = replace(CRITERIA["cohesion"], levels=tuple((10 * n, "x") for n in range(1, 6)))
    assert ControlJudge().judge(text, tens, ctx).score == 50.0  # type: ignore[union-attr]
    with pytest.raises(OptionError, match="unknown measure 'cohesio'; did you mean"):
        ControlJudge(measures=("cohesio",))


def test_a_planted_blindness() -> None:
    judge = ControlJudge(blind=("cohesion",))
    turned = paper(*SENTENCES[::-1])
    assert judge.judge(turned, CRITERIA["cohesion"], Context()).score == 5.0  # type: ignore[union-attr]
    assert judge.judge(turned, CRITERIA["coherence"], Context()) == ControlJudge().judge(
        turned, CRITERIA["coherence"], Context()
    )


def test_it_reviews_no_papers() -> None:
    outcome = ControlJudge().review(paper(*SENTENCES), Context())
    assert isinstance(outcome, Failure)
    assert outcome.kind == "rejected"


def test_a_review_tells_how_the_level_came_about() -> None:
    outcome = ControlJudge().judge(paper(*SENTENCES, SPORTS), CRITERIA["relevancy"], Context())
    assert isinstance(outcome, Review)
    assert outcome.details["measure"] == "relevancy"
    assert outcome.details["value"] == 0.0
    assert outcome.details["cuts"] == list(MEASURES["relevancy"].cuts)
    assert CRITERIA["relevancy"].levels[0][1] in outcome.text


@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=300),
    st.text(max_size=80),
    st.sampled_from(sorted(CRITERIA)),
)
def test_any_text_gets_a_level_or_a_failure(text: str, source: str, name: str) -> None:
    hostile = Paper("p", f"x{text}".replace("\x00", ""), materials=(Material("source", source),))
    outcome = ControlJudge().judge(hostile, CRITERIA[name], Context())
    if isinstance(outcome, Review):
        assert outcome.score is not None
        assert CRITERIA[name].scale.allows(outcome.score)
    else:
        assert outcome.kind == "rejected"


def test_hostile_texts_take_no_time() -> None:
    """Bounded patterns: runs of marks, hashtags and brackets that backtracking could choke on."""
    for piece in ("#", "(A", "a.", "!?", "'", " I ", "this ", "@a", "first, "):
        text = Paper("p", piece * 4000, materials=(Material("source", piece * 2000),))

        def judge(text: Paper = text) -> None:
            for criterion in CRITERIA.values():
                ControlJudge().judge(text, criterion, Context())

        assert cpu_seconds(judge, 4) < 4


def test_judges_know_nothing_of_the_perturbations() -> None:
    for file in Path(judges_module.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not [name for name in names if "perturbations" in name], file.name


@pytest.mark.slow
def test_it_sees_what_yescieval_did_to_real_syntheses(sheets: Path) -> None:
    """YESciEval's own perturbed texts (BioASQ, one generator), which no part of revkit made."""
    import openpyxl

    generator = "qwen2.5-72b-instruct"
    book = openpyxl.load_workbook(sheets / "BioASQ_dataset_adversarial_extreme_clean.xlsx")
    head, *rows = book.active.iter_rows(values_only=True)
    drops: dict[tuple[str, str], list[float]] = {}
    for cells in rows:
        row = {name: str(cell) for name, cell in zip(head, cells, strict=True) if cell}
        if len(_text(row, f"{generator}_synthesis").sentences) < 3:
            continue
        before = scores(_text(row, f"{generator}_synthesis"))
        for perturbed in CRITERIA:
            after = scores(_text(row, f"{generator}_extreme_{perturbed}"))
            for judged in CRITERIA:
                if before[judged] is not None and after[judged] is not None:
                    fell = before[judged] - after[judged]  # type: ignore[operator]
                    drops.setdefault((perturbed, judged), []).append(fell)
    means = {pair: statistics.fmean(found) for pair, found in drops.items()}
    shared = {"coherence", "relevancy", "correctness", "informativeness", "completeness"}
    for name in CRITERIA:
        others = [
            mean
            for (perturbed, judged), mean in means.items()
            if perturbed == name != judged and not {name, judged} <= shared
        ]
        assert means[name, name] >= max(0.25, *others), name


def _text(row: dict[str, Any], column: str) -> Paper:
    sources = [
        Material("source", row[f"paper_{n}_abstract"], row.get(f"paper_{n}_title", ""))
        for n in range(1, 41)
        if f"paper_{n}_abstract" in row
    ]
    question = Material("question", row["research_question"])
    return Paper("p", row[column], materials=(question, *sources))


def test_shuffling_is_seen_and_the_order_of_sources_is_not() -> None:
    rng = random.Random(4)
    worse = 0
    for _ in range(20):
        order = list(SENTENCES)
        rng.shuffle(order)
        worse += order != list(SENTENCES) and scores(paper(*order))["cohesion"] < 5  # type: ignore[operator]
    assert worse >= 15
    turned = paper(*SENTENCES, SPORTS, sources=SOURCES[::-1])
    assert scores(turned) == scores(paper(*SENTENCES, SPORTS))


def test_criteria_are_plain_values() -> None:
    assert all(isinstance(criterion, Criterion) for criterion in CRITERIA.values())
