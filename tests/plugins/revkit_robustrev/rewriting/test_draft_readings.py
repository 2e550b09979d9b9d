"""Gentle condensing: more whole sentences go, and a model reads the new text alone."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.model import Edit, Failure, Paper, Rejection
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.prompting import NoAnswerError, Sampling
from revkit.services.llm.reply import schema_problems
from revkit.testing.kinds import check_edits
from revkit.testing.problems import Problems
from revkit_robustrev.length_compress import Aim
from revkit_robustrev.rewriting.condensing import GENTLE, condense, most_words
from revkit_robustrev.rewriting.draft_checks import Checked, DraftChecks
from revkit_robustrev.rewriting.draft_readings import SCHEMA, DraftReadings
from revkit_robustrev.rewriting.faults import Sheet
from revkit_robustrev.rewriting.llm_length import LlmLength
from revkit_robustrev.rewriting.paragraph_faults import Condensed
from revkit_robustrev.rewriting.paragraphs import CondensedPart, Entry
from tests.plugins.revkit_robustrev.rewriting.rewriting_model import (
    ParagraphModel,
    Rows,
    natural,
    paper_of,
)
from tests.plugins.revkit_robustrev.rewriting.test_length_questions import (
    ASIDES,
    CLAIM,
    CUT,
    FACT,
    LINES,
    OPENING,
    PAPER,
    by_sentence,
    row,
)

SHORT = {OPENING: OPENING.replace(" simple", ""), CLAIM: CLAIM.replace(" of the text", "")}


def gently(sentences: Mapping[int, str], free: Sequence[int]) -> Rows:
    return [([number], sentences[number].replace(CUT, "")) for number in free]


def perturbed(model: ParagraphModel, paper: Paper = PAPER, **options: Any) -> Any:
    family = LlmLength(model="m", **{"ratios": (0.7,), "prompt_version": 6, **options})
    return family.perturb(paper, model.context())


def named(name: str, *numbers: int, fault: str = "terse", verdict: str = "spoilt") -> Any:
    return {
        "passage": name, "verdict": verdict, "sentences": list(numbers), "fault": fault, "note": "x"
    }  # fmt: skip


# The whole.


def test_a_variant_is_made_with_few_words_gone_from_each_sentence() -> None:
    model = ParagraphModel(gently)
    edits = perturbed(model)
    assert not isinstance(edits, Rejection)
    assert 0.65 <= PAPER.edited(edits).words / PAPER.words <= 0.75
    family = LlmLength(model="m", ratios=(0.7,), prompt_version=6)
    assert all(check.passed for check in family.gates(PAPER, edits, model.context()))
    assert all((model.selections, model.checks, model.readings))


def test_all_that_is_new_in_the_variant_was_read_as_it_is_there() -> None:
    def once(passages: Mapping[str, Mapping[int, str]]) -> list[Any]:
        found = []
        for name, sentences in passages.items():
            bad = [n for n, text in sentences.items() if "inner" in text and CUT not in text]
            found.append(named(name, *bad) if bad else natural(name))
        return found

    model = ParagraphModel(gently, verdicts=once)
    edits = perturbed(model, ratios=(0.75,))
    assert not isinstance(edits, Rejection)
    after = PAPER.edited(edits)
    assert not re.search(r"inner [^.]* layer\.", after.text)
    read = "\n".join(r.messages[1].content for r in model.readings)
    changed = [
        after.text[s.start : s.end]
        for s in after.sentences
        if after.text[s.start : s.end] not in PAPER.text
    ]
    assert changed
    assert all(sentence in read for sentence in changed)


def test_what_a_reading_names_is_asked_again_with_its_fault() -> None:
    def first(passages: Mapping[str, Mapping[int, str]]) -> list[Any]:
        return [
            named(name, *[n for n, text in sentences.items() if text not in LINES][:3])
            for name, sentences in passages.items()
        ]

    model = ParagraphModel(gently, lambda sentences, numbers: [], verdicts=first)
    perturbed(model, attempts=2)
    again = [r.messages[-1].content for r in model.requests if len(r.messages) > 2]
    assert any(
        "- 1, 2, 3: it reads as note style: write a full, natural sentence" in a for a in again
    )
    assert any("\n[1, 2, 3] x\n" in a for a in again)  # the remark is data


def test_a_request_states_the_words_of_the_sentences_that_stay() -> None:
    model = ParagraphModel(gently, lambda sentences, numbers: [row(3)])
    perturbed(model, paper_of(OPENING, *ASIDES, FACT))
    content = model.requests[0].messages[1].content
    assert re.search(
        r"Leave out sentence 3; if a sentence that stays cannot be understood without it, keep "
        r"what it needs\. Sentences 1, 2, 4, 5, 6 have 91 words\. Write this in \d+ to \d+ words; "
        r"none of them can be left out\. All citation marks stay\.$",
        content,
    ), content


def test_a_selection_states_how_many_are_wanted_and_what_matters_stays() -> None:
    def with_matter(sentences: Mapping[int, str], candidates: Sequence[int]) -> list[Any]:
        return [row(n, "matter" if n % 5 == 2 else "detail") for n in candidates]

    model = ParagraphModel(gently, with_matter)
    perturbed(model)
    for request in model.selections:
        content = request.messages[1].content
        numbers = content.rsplit("numbers: ", 1)[1].count(",") + 1
        assert f"List about {math.ceil(0.6 * numbers)} candidates or more" in content
        assert len(re.findall(r"^\[paragraph \d+\] $", content, re.MULTILINE)) in (1, 5)
    left_out = [r.messages[1].content.rsplit("Leave out", 1)[-1] for r in model.requests]
    assert any(re.match(r" sentences? 3", each) for each in left_out)
    assert not any(re.match(r" sentences? 2", each) for each in left_out)


def test_a_paper_of_which_too_little_can_go_is_not_asked_further() -> None:
    def one(sentences: Mapping[int, str], candidates: Sequence[int]) -> list[Any]:
        return [row(candidates[0])] if sentences[1] == LINES[0] else []

    paragraphs = (" ".join(LINES[i : i + 5]) for i in range(0, len(LINES), 5))
    text = "\n\n".join(paragraphs)
    paper = Paper(
        "p", f"# A title\n\n# 1 Introduction\n\n{text}\n\n{text.replace('net', 'unit')}\n"
    )
    model = ParagraphModel(gently, one)
    rejected = perturbed(model, paper, ratios=(0.6,), tolerance=0.005)
    assert isinstance(rejected, Rejection)
    assert "gentle condensing of the others, come to 39% of the words" in rejected.reason
    assert model.requests == []


def test_an_estimate_counts_the_paragraphs() -> None:
    model = ParagraphModel(lambda sentences, free: [], lambda sentences, numbers: [])
    assert isinstance(perturbed(model, attempts=2), Rejection)  # empty forms are answered
    assert (len(model.selections), len(model.requests)) == (2, 12)


def test_the_last_reading_reads_all_drafts_in_order_and_others_make_up_for_it() -> None:
    def late(passages: Mapping[str, Mapping[int, str]]) -> list[Any]:
        together = len(passages) == 6
        return [
            named(name, *numbers) if together and name == "B" else natural(name)
            for name, numbers in passages.items()
        ]

    rules = Condensed(PAPER, Sheet(PAPER.text, ""), 0.1, weighed=True, gentle=True).offering(())
    model = ParagraphModel(gently, verdicts=late)
    ctx = model.context()
    checks = DraftChecks(PAPER, rules, Sampling("m", 0.0, 100), ctx)
    readings = DraftReadings(PAPER, rules, Sampling("m", 0.0, 100), ctx, checks)
    drafts = [
        (part, CondensedPart(tuple(Entry((i,), rules.sentence(i).replace(CUT, ""))
                                   for i in part.free), (), 1))
        for part in reversed(rules.passages())
    ]  # fmt: skip
    asking = LlmLength(model="m").asking("Shorten.", "", ctx.rng)
    orders: list[list[int]] = []

    def read(found: Any, replicate: int) -> list[CondensedPart | None]:
        orders.append([part.shown[0] for part, _ in found])
        return [draft for draft, _ in readings.read(found, replicate)]

    words = PAPER.words
    aim = Aim(round(0.2 * words), round(0.15 * words), round(0.25 * words))
    questions = condense(
        PAPER, rules, [part for part, _ in drafts], aim, asking, ctx, readings, GENTLE, read
    )
    assert orders == [sorted(orders[0])]
    second = next(q for q in questions if q.passage.shown[0] == 5)
    assert second.draft is None or all(
        entry.text == rules.sentence(entry.sources[0]) for entry in second.draft.entries
    )


# What a reading leaves of a draft.


def left(
    verdicts: Any, texts: Mapping[int, str | None], paper: Paper | None = None
) -> tuple[Checked, ParagraphModel]:
    """The draft of the first passage, with ``texts`` for some sentences, after its readings."""
    paper = paper or paper_of(OPENING, ASIDES[0], FACT, CLAIM)
    rules = Condensed(paper, Sheet(paper.text, ""), 0.25).offering(range(len(paper.sentences)))
    part = rules.passages()[0]
    entries = []
    for number, index in enumerate(part.shown, 1):
        text = texts.get(number, rules.sentence(index))
        if text is not None:
            entries.append(Entry((index,), text))
    gone = tuple(part.shown[n - 1] for n, text in texts.items() if text is None)
    model = ParagraphModel(by_sentence, verdicts=verdicts)
    ctx = model.context()
    sampling = Sampling("m", 0.0, 100)
    checks = DraftChecks(paper, rules, sampling, ctx)
    readings = DraftReadings(paper, rules, sampling, ctx, checks)
    (found,) = readings([(part, CondensedPart(tuple(entries), gone, 1, 2))], 0)
    return found, model


def texts_of(draft: CondensedPart | None) -> list[str]:
    assert draft is not None
    return [entry.text for entry in draft.entries]


def first_only(*rows: Any) -> Any:
    """Verdicts of the first reading; later ones find nothing."""
    asked: list[int] = []

    def verdicts(passages: Mapping[str, Any]) -> list[Any]:
        asked.append(len(passages))
        return list(rows) if len(asked) == 1 else [natural(name) for name in passages]

    return verdicts


def test_a_natural_draft_is_kept_and_read_once() -> None:
    (draft, findings), model = left(first_only(natural("A")), {1: SHORT[OPENING], 2: None})
    assert findings == []
    assert texts_of(draft) == [SHORT[OPENING], FACT, CLAIM]
    assert len(model.readings) == 1
    content = model.readings[0].messages[1].content
    assert "[passage A] \n[1] " + SHORT[OPENING] + "\n[2] " + FACT in content
    assert ASIDES[0] not in content
    assert OPENING not in content


@pytest.mark.parametrize("verdict", ["doubtful", "spoilt"])
def test_a_named_sentence_comes_back_and_the_rest_is_read_again(verdict: str) -> None:
    rows = first_only(named("A", 1, verdict=verdict))
    (draft, findings), model = left(rows, {1: SHORT[OPENING], 2: None, 4: SHORT[CLAIM]})
    assert texts_of(draft) == [OPENING, FACT, SHORT[CLAIM]]
    assert [(f.fault.kind, f.numbers, f.note) for f in findings] == [
        ("terse by the reading", (1,), "x")
    ]
    assert len(model.readings) == 2


def test_without_a_named_sentence_all_that_is_new_goes() -> None:
    (draft, _), model = left(
        first_only({"passage": "A", "verdict": "spoilt"}), {1: SHORT[OPENING], 4: SHORT[CLAIM]}
    )
    assert texts_of(draft) == [OPENING, ASIDES[0], FACT, CLAIM]
    assert len(model.readings) == 1  # nothing new is left to read


def test_a_missing_link_restores_what_was_left_out_near_it() -> None:
    texts: dict[int, str | None] = {2: None, 4: SHORT[CLAIM]}
    for number in (1, 2):  # the one before and the one after it
        (draft, _), _ = left(first_only(named("A", number, fault="abrupt")), texts)
        assert texts_of(draft) == [OPENING, ASIDES[0], FACT, SHORT[CLAIM]]
    (draft, _), _ = left(
        first_only(named("A", 3, fault="reference")), {1: SHORT[OPENING], 2: ASIDES[0][:-16] + "."}
    )
    assert texts_of(draft) == [SHORT[OPENING], *[ASIDES[0], FACT, CLAIM]]


def test_language_of_the_authors_is_no_fault_of_a_draft() -> None:
    (draft, findings), model = left(first_only(named("A", 3, fault="terse")), {1: SHORT[OPENING]})
    assert findings == []
    assert texts_of(draft) == [SHORT[OPENING], ASIDES[0], FACT, CLAIM]
    assert len(model.readings) == 1


def test_a_draft_in_which_each_reading_names_another_sentence_is_not_used() -> None:
    paper = paper_of(*LINES[:5])
    texts: dict[int, str | None] = {n: LINES[n - 1].replace(CUT, "") for n in range(1, 6)}

    def first_new(passages: Mapping[str, Mapping[int, str]]) -> list[Any]:
        (name,) = passages
        new = [number for number, text in passages[name].items() if CUT not in text]
        return [named(name, new[0]) if new else natural(name)]

    (draft, findings), model = left(first_new, texts, paper)
    assert draft is None
    assert [f.numbers for f in findings] == [(1,), (2,), (3,)]
    assert len(model.readings) == 3


def test_a_passage_that_the_answer_does_not_have_is_not_used() -> None:
    (draft, findings), _ = left(lambda passages: [natural("B")], {1: SHORT[OPENING]})
    assert draft is None
    assert [f.fault.kind for f in findings] == ["not checked"]


def test_a_draft_that_the_check_turns_down_is_not_read() -> None:
    class Failing(ParagraphModel):
        def complete(self, request: ModelRequest) -> ModelReply | Failure:
            properties: Any = (request.schema or {})["properties"]
            if "faults" in properties:
                return Failure("unparseable", "no")
            return super().complete(request)

    model = Failing(gently)
    assert isinstance(perturbed(model), Rejection)
    assert model.readings == []


@pytest.mark.parametrize("kind", ["provider", "unparseable"])
def test_a_reading_that_fails(kind: Any) -> None:
    class Failing(ParagraphModel):
        def complete(self, request: ModelRequest) -> ModelReply | Failure:
            properties: Any = (request.schema or {})["properties"]
            if "passages" in properties:
                return Failure(kind, "no")
            return super().complete(request)

    if kind == "provider":
        with pytest.raises(NoAnswerError):
            perturbed(Failing(gently))
        return
    rejected = perturbed(Failing(gently))
    assert isinstance(rejected, Rejection)
    assert "not checked" in rejected.reason


def test_drafts_that_cannot_be_read_together_are_read_alone() -> None:
    class Several(ParagraphModel):
        def complete(self, request: ModelRequest) -> ModelReply | Failure:
            if "[passage B]" in request.messages[1].content:
                return Failure("truncated", "no")
            return super().complete(request)

    model = Several(gently)
    assert not isinstance(perturbed(model), Rejection)
    assert len(model.readings) == 12  # six passages, in their attempt and all together


@settings(max_examples=25, deadline=None)
@given(
    numbers=st.lists(st.integers(1, 60), max_size=6),
    fault=st.sampled_from(["terse", "abrupt", "reference"]),
    verdict=st.sampled_from(["natural", "doubtful", "spoilt"]),
    name=st.sampled_from("ABH"),
)
def test_whatever_is_answered_the_rest_stays(
    numbers: list[int], fault: str, verdict: str, name: str
) -> None:
    rows = [named(name, *numbers, fault=fault, verdict=verdict)]
    assert not schema_problems({"passages": rows}, SCHEMA)
    model = ParagraphModel(gently, verdicts=lambda passages: [*map(natural, passages), *rows])
    family = LlmLength(model="m", ratios=(0.75,), attempts=2, tolerance=0.15, prompt_version=6)
    edits: Sequence[Edit] | Rejection = family.perturb(PAPER, model.context())
    if isinstance(edits, Rejection):
        assert edits.reason
        return
    problems = Problems()
    check_edits(PAPER, edits, frozenset({"protected"}), problems)
    problems.raise_for(type(family))
    failed = [c.name for c in family.gates(PAPER, edits, model.context()) if not c.passed]
    assert set(failed) <= {"length-ratio"}


# What gentle rules permit.


def test_a_name_can_go_with_its_phrase_and_none_can_come() -> None:
    known = "The gate of a ResNet is a part of it here, and it has been so for a long time now."
    named_ = OPENING.replace("the layer passes", "the layer of ResNet passes")
    compared = named_.replace("a simple way", "a better way")
    for first, old, new, faulty in (
        (known, named_, SHORT[OPENING], False),
        (ASIDES[0], named_, SHORT[OPENING], True),  # introduces it
        (known, compared, compared.replace(" of ResNet", ""), True),
        (known, OPENING, named_.replace(" simple", ""), True),
    ):
        rows: Rows = [([1], first), ([2], new), ([3], FACT)]
        assert bool(judged(rows, first, old, FACT)[1]) == faulty


def judged(rows: Rows, *sentences: str) -> tuple[CondensedPart | None, list[str]]:
    paper = paper_of(*sentences)
    rules = Condensed(paper, Sheet(paper.text, ""), 0.25, weighed=True, gentle=True)
    part = rules.passages()[0]
    draft, findings = rules(part, [{"from": numbers, "text": text} for numbers, text in rows])
    return draft, [finding.fault.kind for finding in findings]


def test_a_short_paragraph_stays_as_it_is() -> None:
    short, enough = paper_of(OPENING, ASIDES[0]), paper_of(OPENING, FACT, CLAIM)
    for paper, count in ((short, 0), (enough, 1)):
        rules = Condensed(paper, Sheet(paper.text, ""), 0.25, weighed=True, gentle=True)
        assert len(rules.passages()) == count
    assert len(Condensed(short, Sheet(short.text, ""), 0.25, weighed=True).passages()) == 1


def test_a_sentence_that_merges_too_much_or_keeps_too_little_is_faulty() -> None:
    merged = (
        f"{OPENING[:-1]}, and {ASIDES[0][0].lower()}{ASIDES[0][1:-1]}, and {FACT[0].lower()}"
        + FACT[1:]
    )
    rows: Rows = [([1, 2, 3], merged), ([4], CLAIM)]
    assert judged(rows, OPENING, ASIDES[0], FACT, CLAIM)[1] == ["holds too much"]
    terse: Rows = [([1], "The gate is a simple way to steer."), ([2], ASIDES[0]), ([3], FACT)]
    assert judged(terse, OPENING, ASIDES[0], FACT)[1] == ["too terse"]
    draft, kinds = judged([([1], SHORT[OPENING]), ([2], ASIDES[0]), ([3], FACT)],
                          OPENING, ASIDES[0], FACT)  # fmt: skip
    assert kinds == []
    assert draft is not None


def test_several_sentences_do_not_become_one() -> None:
    merged = "The gate of a layer is a simple way to steer what it passes on, as windows of houses."
    draft, kinds = judged([([1, 2, 3], merged)], OPENING, ASIDES[0], ASIDES[1])
    assert draft is None or len(draft.entries) > 1 or "too short" in kinds


def test_short_paragraphs_lose_a_smaller_share() -> None:
    paper = Paper(
        "p", f"# A title\n\n# 1 Introduction\n\n{' '.join(LINES[:3])}\n\n{' '.join(LINES[3:13])}\n"
    )
    rules = Condensed(paper, Sheet(paper.text, ""), 0.25, weighed=True, gentle=True).offering(())
    few, many = rules.passages()
    model = ParagraphModel(gently)
    asking = LlmLength(model="m").asking("Shorten.", "", model.context().rng)
    words = few.words + many.words
    aim = Aim(round(0.2 * words), round(0.19 * words), round(0.21 * words))
    one, other = condense(
        paper, rules, [few, many], aim, asking, model.context(), None, GENTLE, None
    )
    assert one.budget.most / few.words > other.budget.most / many.words + 0.03
    assert other.budget.least >= 0.58 * many.words
    assert most_words(rules, [few, many], GENTLE) == int(0.38 * words)
