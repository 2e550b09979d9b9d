"""Which sentences of odd texts may move or go, and what stays beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from revkit.contracts import Context, Peer, Services
from revkit.english import is_english
from revkit.model import Material, Paper, Rejection
from revkit.testing import context
from revkit_yescieval.perturbations import (
    Coherence,
    Cohesion,
    Completeness,
    Readability,
    Relevancy,
)
from revkit_yescieval.perturbations.complete_sentences import MARKERS_ALONE
from revkit_yescieval.perturbations.donors import lines, slots
from revkit_yescieval.perturbations.passage import Passage


def made(perturbation: Any, text: str, seed: int = 1) -> str | Rejection:
    paper = Paper("x", text)
    edits = perturbation.perturb(paper, context(seed=seed))
    return edits if isinstance(edits, Rejection) else paper.edited(edits).text


@pytest.mark.parametrize(
    ("text", "swapped"),
    [
        ("A drug helps (1). However, B is old [2].", "However, B is old [2]. A drug helps (1)."),
        ("A drug helps.\n\nB is  old.  \n", "B is  old.\n\nA drug helps.  \n"),
        ("- A drug helps.\n- B is old.\n", "- B is old.\n- A drug helps.\n"),
        (
            "Lee et al. saw it in Fig. 2 of it. E. coli was not seen.",
            "E. coli was not seen. Lee et al. saw it in Fig. 2 of it.",
        ),
        ("A drug helps. B is old. (1, 2)", "B is old. (1, 2) A drug helps."),
        ("これは最初の文です。最後の文はここです。", "最後の文はここです。これは最初の文です。"),
        (
            "The data are here. They are old.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
            "They are old. The data are here.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        ),
        (
            'He writes "it works. It is safe." They add more to it.',
            'They add more to it. He writes "it works. It is safe."',
        ),
        ("It works.\nReferences:\n1. A. 2. B.", Rejection("too short: 1 complete sentence")),
        ("It works. It works.", Rejection("the last two sentences are the same")),
    ],
)
def test_swaps(text: str, swapped: str | Rejection) -> None:
    assert made(Cohesion(), text) == swapped


@pytest.mark.parametrize(
    "text",
    [
        "It works. It is safe. It may also be used in the",
        'It works. It was "a surprise. Nothing else is known.',
        "It works. It is safe (as we know. It is old.",
        "It works. It is “safe. It is old.",
        "It works. The patient\ufffds risk is low.",
        "It works. $x is small. It is old $ too.",
        "**Note.** It is a drug.",
        "",
    ],
)
def test_what_cannot_be_told_apart_is_rejected(text: str) -> None:
    assert isinstance(made(Cohesion(), text or "?"), Rejection)
    assert isinstance(made(Completeness(), text or "?"), Rejection)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It works. It is safe.", "It works."),
        ("It works.\n\nIt is safe.\n", "It works.\n"),
        ("It is so:\n\n- It works.\n- It is safe.\n", "It is so:\n\n- It works.\n"),
        ("1. It works.\n2. It is safe.", "1. It works."),
        (
            "It works. It is safe.\n\nReferences:\n(1) A paper. 2010.\n",
            "It works.\n\nReferences:\n(1) A paper. 2010.\n",
        ),
        ("It works. It is safe.\n\n$$ x = 1 $$\n", "It works.\n\n$$ x = 1 $$\n"),
        ("It works.", Rejection("too short: 1 complete sentence")),
    ],
)
def test_removals(text: str, left: str | Rejection) -> None:
    assert made(Completeness(), text) == left


def test_an_appended_sentence_never_sticks_to_a_list_or_a_fragment() -> None:
    for text in (
        "It is so:\n\n- It works for all of them",
        "It is one of the drugs that",
        "A fact.",
    ):
        changed = made(Readability(), text)
        assert isinstance(changed, str)
        glue = changed.removeprefix(text)
        assert glue.startswith(" " if text == "A fact." else "\n\n")


MARKDOWN = """\
# An answer to it

The drug works in men. It is old.

## 2 Results

The drug was given to 40 men. All of them slept. None of them was ill.

## References

[1] A. B. Paper of it. 2010.
"""


@pytest.mark.parametrize("section", ["2 Results", "results", "RESULTS"])
def test_a_section_by_heading_or_role(section: str) -> None:
    assert made(Cohesion(section=section), MARKDOWN) == MARKDOWN.replace(
        "All of them slept. None of them was ill.", "None of them was ill. All of them slept."
    )


def test_a_section_that_is_not_there() -> None:
    assert made(Cohesion(section="methods"), MARKDOWN) == Rejection("no prose in section 'methods'")


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("The drug lowers the risk of stroke in most of the men.", True),
        ("Le traitement réduit le risque, mais il est cher et peu utilisé ici.", False),
        ("Das Medikament senkt das Risiko und es wird oft verwendet, aber nicht immer.", False),
        ("これは最初の文です。しかし、これは二番目の文です。", False),
        ("هذا هو الجملة الأولى ومع ذلك هذه هي الثانية وهذه هي الأخيرة.", False),
        ("β-Catenin and NF-κB rise in the cells of the colon with TNF-α.", True),
    ],
)
def test_language(text: str, english: bool) -> None:
    assert is_english(text) is english


def test_donors_are_several_dozen_each_and_too_many_to_come_twice() -> None:
    for kind in ("sports", "blog", "tweets"):
        texts = lines(kind)  # type: ignore[arg-type]
        assert len(texts) >= 36
        assert len(set(texts)) == len(texts)
        for text in texts:
            ways = 1
            taken: dict[str, int] = {}
            for name in re.findall(r"\{([a-z]+|\d+-\d+)\}", text):
                if name[0].isdigit():
                    low, high = map(int, name.split("-"))
                    ways *= high - low + 1
                else:
                    ways *= len(slots()[name]) - taken.get(name, 0)
                    taken[name] = taken.get(name, 0) + 1
            assert ways > 10**9, text


def test_the_subtle_snippet_has_fewer_words_than_any_tweet() -> None:
    def words(kind: str, choose: Callable[[Iterable[int]], int]) -> list[int]:
        def expand(match: re.Match[str]) -> str:
            values = slots().get(match[1], ("9",))
            return "x" + " x" * (choose(len(value.split()) for value in values) - 1)

        texts = (re.sub(r"\{([^}]*)\}", expand, text) for text in lines(kind))  # type: ignore[arg-type]
        return [len(text.split()) for text in texts]

    assert max(words("blog", max)) < min(words("tweets", min))


@pytest.mark.parametrize(
    ("last", "noted"),
    [
        ("Together, these studies underscore the need for trials.", True),
        ("In summary, the drug is of value.", True),
        ("The drug lowers the risk.", True),
        ("The drug raises blood pressure.", False),
        ("Togetherness helps patients.", False),
    ],
)
@pytest.mark.parametrize("level", ["subtle", "extreme"])
def test_an_edit_notes_that_the_last_sentence_is_a_summary(
    last: str, noted: bool, level: Any
) -> None:
    text = f"The drug lowers the risk of stroke in old men. It is safe in most of them. {last}"
    edits = Completeness(level=level).perturb(Paper("p", text), context())
    assert not isinstance(edits, Rejection)
    assert ("a summary" in edits[0].note) is noted


def _text(number: int) -> str:
    return f"Drug {number} lowers the risk of stroke in one of {number} old men. It is safe in men."


def _peer(number: int, question: str, topic: str) -> Peer:
    materials = (Material("question", question),)
    return Peer(Paper(f"p{number}", _text(number), materials=materials), topic)


def test_in_domain_donors_answer_another_question_of_the_same_topic() -> None:
    peers = tuple(
        _peer(number, f"What is question {number % 4}?", "one" if number % 8 < 4 else "two")
        for number in range(10, 34)
    )
    ctx = Context(3, Services(peers=lambda: peers))
    allowed = {
        peer.paper.text.split(". ")[0] + "."
        for peer in peers
        if peer.topic == "one" and "question 2" not in peer.paper.materials[0].text
    }
    paper = peers[0].paper
    assert "question 2" in paper.materials[0].text
    drawn = set()
    for seed in range(60):
        edits = Coherence().perturb(paper, Context(seed, ctx.services))
        assert not isinstance(edits, Rejection)
        drawn.add(edits[0].new.strip())
    assert drawn <= allowed
    assert len(drawn) > 1


@pytest.mark.parametrize(
    ("peers", "reason"),
    [
        ((), "does not state the topic"),
        ((_peer(10, "Why?", "one"),), "no other text"),
        ((_peer(10, "Why?", "one"), _peer(11, "Why?", "one")), "no other text"),
        ((_peer(10, "Why?", "one"), _peer(11, "How?", "two")), "no other text"),
    ],
)
def test_without_eligible_neighbours(peers: tuple[Peer, ...], reason: str) -> None:
    paper = Paper("x", _text(10), materials=(Material("question", "Why?"),))
    made = Relevancy().perturb(paper, Context(1, Services(peers=lambda: peers)))
    assert isinstance(made, Rejection)
    assert reason in made.reason


def test_a_corpus_without_topics_is_one_domain() -> None:
    peers = tuple(_peer(number, f"Question {number}", "") for number in range(10, 20))
    made = Relevancy().perturb(peers[0].paper, Context(1, Services(peers=lambda: peers)))
    assert not isinstance(made, Rejection)


def test_an_extreme_intrusion_needs_no_corpus() -> None:
    assert not isinstance(made(Coherence(level="extreme"), _text(3)), Rejection)


def test_a_passage_keeps_a_list_of_references_out() -> None:
    passage = Passage.of(Paper("x", "It is old.\n\n**References**\n\n(1) One. 2010.\n\n(2) Two."))
    assert isinstance(passage, Passage)
    assert [passage.text(piece) for piece in passage.pieces] == ["It is old."]


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("(1, 8, 24)", True),
        ("[3] (Lee, 2021).", True),
        ("(Papers 1 and 2) [4]", True),
        ("(1-999999999)", True),
        ("(see below)", False),
        ("[1] shows it", False),
        ("[1-999999999] " * 2_000 + "shows it", False),
    ],
)
def test_marks_alone(text: str, alone: bool) -> None:
    assert (MARKERS_ALONE.match(text) is not None) == alone
