"""Which flipped pairs are shown, and how their edits are in the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from revkit.contracts import RunView
from revkit.model.edits import Edit, apply_edits
from revkit.model.records import Verdict
from revkit_reports.flips import (
    CONTEXT,
    MARK,
    Mark,
    passages,
    select_flipped,
    select_unflipped,
)
from revkit_reports.reviews import TEXT as LONGEST
from revkit_reports.reviews import failed_reviews
from revkit_reports.terminal import Terminal

TEXT = "One plain sentence. The method may improve results in most cases. A third.\n\nNext part."


def view_of(passage: tuple[Mark, ...], *kinds: str) -> str:
    return "".join(mark.text for mark in passage if mark.kind in kinds)


def test_an_edit_is_shown_in_its_sentence() -> None:
    start = TEXT.index("may improve")
    (passage,) = passages(TEXT, [Edit(start, start + 11, "improves")])
    assert view_of(passage, "kept", "deleted") == "The method may improve results in most cases."
    assert view_of(passage, "kept", "inserted") == "The method improves results in most cases."


def test_edits_of_one_sentence_share_a_passage() -> None:
    may, most = TEXT.index("may"), TEXT.index("most")
    (passage,) = passages(TEXT, [Edit(may, may + 4, ""), Edit(most, most + 4, "all")])
    assert [mark.kind for mark in passage] == [
        "kept",
        "deleted",
        "kept",
        "deleted",
        "inserted",
        "kept",
    ]


def test_a_long_sentence_is_cut_between_words() -> None:
    text = "word " * 300 + "edit " + "more " * 300 + "end."
    start = text.index("edit")
    (passage,) = passages(text, [Edit(start, start + 4, "EDIT")])
    assert [mark.kind for mark in passage] == ["gap", "kept", "deleted", "inserted", "kept", "gap"]
    assert passage[1].text.startswith("word word")
    assert passage[4].text.endswith("more")
    assert len(passage[1].text) <= CONTEXT


def test_blanks_that_change_are_made_visible() -> None:
    (passage,) = passages(TEXT, [Edit(19, 20, "\n")])
    assert view_of(passage, "deleted") == "\u00b7"
    assert view_of(passage, "inserted") == "\u21b5"


def test_a_word_of_a_megabyte_is_bounded() -> None:
    text = "Before " + "w" * 1_000_000 + " after. Next."
    edits = [Edit(500_000, 500_001, "v" * 1_000_000), Edit(900_000, 1_000_010, "")]
    for passage in passages(text, edits):
        for mark in passage:
            assert len(mark.text) <= max(2 * CONTEXT, MARK) + 60


@given(st.text(max_size=80), st.data())
def test_passages_hold_all_that_changes(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    new = data.draw(st.text(alphabet="ab .\n", max_size=20))
    (passage,) = passages(text, [Edit(start, end, new)])
    if text.isprintable() and new.isprintable() and not text[start:end].isspace():
        assert view_of(passage, "kept", "deleted") in text
        assert view_of(passage, "deleted") == text[start:end]
        if not new.isspace():
            edited = apply_edits(text, [Edit(start, end, new)])
            assert view_of(passage, "kept", "inserted") in edited


def test_selection_takes_turns_and_counts_what_it_leaves_out(run: RunView) -> None:
    everything = select_flipped(run, 10_000)
    total = sum(
        bool(pair.flip) for agent in run.records.agents for pair in run.records.pairs(agent.name)
    )
    assert everything.pairs == total == sum(len(v.flips) for v in everything.shown)
    assert everything.left_out == 0
    some = select_flipped(run, 20)
    assert some.pairs == total
    assert sum(len(v.flips) for v in some.shown) == 20 == total - some.left_out
    cells = Counter((flip.agent, v.family) for v in some.shown for flip in v.flips)
    available = Counter((flip.agent, v.family) for v in everything.shown for flip in v.flips)
    assert cells.keys() == available.keys()
    assert select_flipped(run, 0).shown == ()


def test_a_variant_appears_once_with_all_its_agents(
    made: Callable[..., RunView], habit: Any
) -> None:
    always = {"citations": 5.0}
    run = made(8, {"x": habit(always), "y": habit(always), "z": habit(always)})
    selection = select_flipped(run, 200)
    keys = [(v.paper, v.family, v.index) for v in selection.shown]
    assert len(keys) == len(set(keys)) == 8
    assert all({flip.agent for flip in v.flips} == {"x", "y", "z"} for v in selection.shown)
    flip = selection.shown[0].flips[0]
    assert flip.exploitable == flip.after.startswith("accept")
    assert flip.before.split()[0] != flip.after.split()[0]


def test_repeats_are_named(run: RunView) -> None:
    again = [replace(v, repeat=1) for v in run.records.verdicts]
    records = replace(run.records, repeats=2, verdicts=[*run.records.verdicts, *again])
    selection = select_flipped(replace(run, records=records), 10)
    assert {flip.repeats for v in selection.shown for flip in v.flips} == {"repeat 1, 2"}
    assert selection.pairs - selection.left_out <= 10


def _key(verdict: Verdict) -> tuple[str, str, int]:
    return verdict.paper, verdict.perturbation, verdict.index


def test_a_pair_counts_once_however_many_repeats_flip(run: RunView) -> None:
    """A pair that flips in one of two repeats has flipped, and is not among the others."""
    again = [replace(v, repeat=1, accept=True) for v in run.records.verdicts]
    records = replace(run.records, repeats=2, verdicts=[*run.records.verdicts, *again])
    twice = replace(run, records=records)
    seen: dict[tuple[str, str, str, int], list[bool]] = {}
    for agent in records.agents:
        for pair in records.pairs(agent.name):
            if pair.flip is not None:
                key = (agent.name, *_key(pair.variant))
                seen.setdefault(key, []).append(pair.flip)
    flipped, same = select_flipped(twice, 10_000), select_unflipped(twice, 10_000)
    assert flipped.pairs == sum(any(flips) for flips in seen.values())
    assert flipped.comparisons == sum(sum(flips) for flips in seen.values())
    assert same.pairs == sum(not any(flips) for flips in seen.values())
    moved = [(flip.agent, v.paper, v.family, v.index) for v in flipped.shown for flip in v.flips]
    kept = {(flip.agent, v.paper, v.family, v.index) for v in same.shown for flip in v.flips}
    assert kept.isdisjoint(moved)


def test_a_flip_comes_with_both_reviews_and_marks_what_differs(run: RunView) -> None:
    selection = select_flipped(run, 10)
    reviews = [flip.reviews for variant in selection.shown for flip in variant.flips]
    assert len(reviews) == 10
    for both in reviews:
        assert both is not None
        for side in (both.before, both.after):
            (first, second) = side.lines
            assert first == ("Same first line.", False)
            assert second[0].startswith("The score is ")
        assert both.before.lines[1][1] == (both.before.lines[1][0] != both.after.lines[1][0])


def test_a_review_of_a_megabyte_is_bounded(made: Callable[..., RunView], habit: Any) -> None:
    run = made(4, {"x": habit({"citations": 5.0})}, change_review=lambda text: text * 20_000)
    both = select_flipped(run, 4).shown[0].flips[0].reviews
    assert both is not None
    assert sum(len(line) for line, _ in both.before.lines) <= LONGEST + 60


def test_unflipped_pairs_are_drawn_in_turns_and_the_same_again(run: RunView) -> None:
    total = sum(
        pair.flip is False for agent in run.records.agents for pair in run.records.pairs(agent.name)
    )
    everything = select_unflipped(run, 100_000)
    assert everything.pairs == total == sum(len(v.flips) for v in everything.shown)
    some = select_unflipped(run, 20)
    assert some == select_unflipped(run, 20)
    assert (some.pairs, some.left_out) == (total, total - 20)
    flips = [(flip, v.family) for v in some.shown for flip in v.flips]
    assert not any(flip.moved for flip, _ in flips)
    assert all(flip.before.split()[0] == flip.after.split()[0] for flip, _ in flips)
    # Five agents and four families: one pair of each.
    assert Counter((flip.agent, family) for flip, family in flips).most_common(1)[0][1] == 1


def test_failures_have_their_reasons(made: Callable[..., RunView], habit: Any) -> None:
    run = made(6, {"a": habit(fails=1.0), "b": habit(fails=1.0)}, families=("citations",))
    found = failed_reviews(run, 4)
    assert (len(found.shown), found.total, found.left_out) == (4, 24, 20)
    # In turn from each agent and kind: papers time out, variants cannot be read.
    assert {(each.agent, each.kind) for each in found.shown} == {
        (agent, kind) for agent in "ab" for kind in ("timeout", "unparseable")
    }
    assert all(each.reason == "no answer within 1 s" for each in found.shown)
    assert failed_reviews(run, 0).shown == ()
    text = " ".join(Terminal().render(run)["report.txt"].split())
    assert "failed: a, timeout (6): no answer within 1 s" in text
