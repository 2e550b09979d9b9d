"""Select flipped pairs to show, and mark the edits of each variant in its sentences."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal

from revkit.contracts import RunView
from revkit.dataclass import dataclass
from revkit.figures.numbers import to_fixed
from revkit.model.edits import Edit
from revkit.model.records import Pair, Verdict
from revkit_reports.reviews import BothReviews, both_reviews
from revkit_reports.turns import in_turns
from revkit_reports.visible import one_line, visible

CONTEXT = 320
PARAGRAPH = 1_500
MARK = 500
EDITS_SHOWN = 12

VariantKey = tuple[str, str, int]


@dataclass(frozen=True)
class Mark:
    """A piece of a passage: kept, deleted or inserted text, or a gap where text is left out."""

    kind: Literal["kept", "deleted", "inserted", "gap"]
    text: str


@dataclass(frozen=True)
class Flip:
    """The change of one agent's verdict on a variant, or of one judge's score by one rubric."""

    agent: str
    before: str
    after: str
    exploitable: bool
    repeats: str
    moved: bool = True
    reviews: BothReviews | None = None


@dataclass(frozen=True)
class FlippedVariant:
    """One variant with all agents that flipped on it, and its edits in context."""

    paper: str
    title: str
    family: str
    index: int
    flips: tuple[Flip, ...]
    passages: tuple[tuple[Mark, ...], ...]
    edits: int
    hidden: int


@dataclass(frozen=True)
class FlipSelection:
    """The variants that are shown, the number of pairs, and the number of pairs left out.

    A pair is an agent with a variant, however often they were reviewed. ``comparisons`` counts the
    repeats of these pairs that have the verdicts in question.
    """

    shown: tuple[FlippedVariant, ...]
    pairs: int
    left_out: int
    comparisons: int


def select_flipped(run: RunView, limit: int) -> FlipSelection:
    """Choose up to ``limit`` pairs that flipped in a repeat, in turn from each agent and family.

    A variant comes with every agent that flipped on it, so it is shown once. Order and choice
    follow the run's own order alone.
    """
    cells: dict[tuple[str, str], list[VariantKey]] = {}
    by_variant: dict[VariantKey, dict[str, list[Pair]]] = {}
    for agent, key, pairs in _by_pair(run):
        if flipped := [pair for pair in pairs if pair.flip]:
            by_variant.setdefault(key, {})[agent] = flipped
            cells.setdefault((agent, key[1]), []).append(key)
    chosen: dict[VariantKey, list[Pair]] = {}
    room = limit
    for key in in_turns(list(cells.values())):
        if key not in chosen and len(by_variant[key]) <= room:
            chosen[key] = [pair for pairs in by_variant[key].values() for pair in pairs]
            room -= len(by_variant[key])
    total = sum(map(len, by_variant.values()))
    comparisons = sum(len(pairs) for agents in by_variant.values() for pairs in agents.values())
    return FlipSelection(_in_order(run, chosen), total, total - (limit - room), comparisons)


def select_unflipped(run: RunView, limit: int) -> FlipSelection:
    """Draw up to ``limit`` pairs whose verdict changed in no repeat, in turn from each agent and
    family.

    The draw within an agent and family depends on the seed of the run and on the two names alone.
    """
    cells: dict[tuple[str, str], list[list[Pair]]] = {}
    for agent, key, pairs in _by_pair(run):
        same = [pair for pair in pairs if pair.flip is False]
        if same and not any(pair.flip for pair in pairs):
            cells.setdefault((agent, key[1]), []).append(same)
    drawn: list[list[list[Pair]]] = []
    for (agent, family), found in cells.items():
        rng = random.Random(f"unflipped {run.records.seed} {agent} {family}")
        drawn.append(rng.sample(found, min(limit, len(found))))
    chosen = list(islice(in_turns(drawn), limit))
    by_variant: dict[VariantKey, list[Pair]] = {}
    for each in chosen:
        by_variant.setdefault(_variant_of(each[0]), []).extend(each)
    total = sum(map(len, cells.values()))
    comparisons = sum(len(each) for found in cells.values() for each in found)
    return FlipSelection(_in_order(run, by_variant), total, total - len(chosen), comparisons)


def _by_pair(run: RunView) -> Iterator[tuple[str, VariantKey, list[Pair]]]:
    """Each agent with each of its variants, and all repeats of the two reviews."""
    for agent in run.records.agents:
        found: dict[VariantKey, list[Pair]] = {}
        for pair in run.records.pairs(agent.name):
            found.setdefault(_variant_of(pair), []).append(pair)
        for key, pairs in found.items():
            yield agent.name, key, pairs


def _variant_of(pair: Pair) -> VariantKey:
    return pair.variant.paper, pair.variant.perturbation, pair.variant.index


def _in_order(
    run: RunView, by_variant: Mapping[VariantKey, Sequence[Pair]]
) -> tuple[FlippedVariant, ...]:
    """Return variants with their pairs, by family and paper."""
    families = {row.name: i for i, row in enumerate(run.records.perturbations)}
    papers = {row.id: i for i, row in enumerate(run.records.papers)}
    ordered = sorted(by_variant, key=lambda key: (families[key[1]], papers[key[0]], key[2]))
    return tuple(shown_variant(run, key, _flips(run, by_variant[key])) for key in ordered)


def shown_variant(run: RunView, key: VariantKey, flips: tuple[Flip, ...]) -> FlippedVariant:
    """Return one variant with its verdicts, and its edits in their sentences."""
    paper, family, index = key
    text = run.text_of(paper)
    edits = sorted(run.edits_of(paper, family, index))
    return FlippedVariant(
        paper=one_line(paper, 80),
        title=one_line(run.title_of(paper), 160) or one_line(paper, 80),
        family=one_line(family, 80),
        index=index,
        flips=flips,
        passages=passages(text, edits[:EDITS_SHOWN]),
        edits=len(edits),
        hidden=max(0, len(edits) - EDITS_SHOWN),
    )


def _flips(run: RunView, pairs: Sequence[Pair]) -> tuple[Flip, ...]:
    """Return the verdicts of pairs of one variant; equal ones of several repeats are one, with the
    reviews of the first.
    """
    found: dict[tuple[str, str, str, bool], list[Pair]] = {}
    for pair in pairs:
        key = (
            one_line(pair.variant.agent, 80),
            _verdict_text(pair.original),
            _verdict_text(pair.variant),
            bool(pair.variant.accept),
        )
        found.setdefault(key, []).append(pair)
    repeated = run.records.repeats > 1
    return tuple(
        Flip(
            *key,
            "repeat " + ", ".join(str(pair.variant.repeat + 1) for pair in equal)
            if repeated
            else "",
            bool(equal[0].flip),
            both_reviews(run, equal[0]),
        )
        for key, equal in found.items()
    )


def _verdict_text(verdict: Verdict) -> str:
    word = "accept" if verdict.accept else "reject"
    if verdict.score is None:
        return word
    return f"{word} {score_text(verdict.score)}"


def score_text(score: float) -> str:
    """Format a score: whole numbers have no decimals."""
    return to_fixed(score, 0 if score == int(score) else 2)


def passages(text: str, edits: Sequence[Edit]) -> tuple[tuple[Mark, ...], ...]:
    """Return the sentences of ``text`` that ``edits`` touch, with deletions and insertions marked.

    Edits whose sentences touch share a passage. All lengths are bounded, whatever the text holds.
    """
    found: list[tuple[_Window, list[Edit]]] = []
    for edit in edits:
        window = _window(text, edit)
        if found and window.start <= found[-1][0].end:
            first, members = found[-1]
            found[-1] = (first.merge(window), [*members, edit])
        else:
            found.append((window, [edit]))
    return tuple(tuple(_marks(text, window, members)) for window, members in found)


def marks_around(text: str, edit: Edit, edits: Sequence[Edit]) -> tuple[Mark, ...]:
    """Return the sentence of one edit, with all of ``edits`` within it, in order."""
    window = _window(text, edit)
    inside = [each for each in edits if window.start <= each.start and each.end <= window.end]
    return tuple(_marks(text, window, inside))


@dataclass(frozen=True)
class _Window:
    """A part of the text to show, and whether it leaves out the rest of a sentence."""

    start: int
    end: int
    cut_before: bool
    cut_after: bool

    def merge(self, later: _Window) -> _Window:
        last = later if later.end >= self.end else self
        return _Window(self.start, last.end, self.cut_before, last.cut_after)


def _window(text: str, edit: Edit) -> _Window:
    """Return the sentences around an edit, cut to `CONTEXT` characters on either side."""
    from revkit.model.sentences import split_sentences

    low, high = max(0, edit.start - PARAGRAPH), min(len(text), edit.end + PARAGRAPH)
    above, below = text.rfind("\n\n", low, edit.start), text.find("\n\n", edit.end, high)
    low = above + 2 if above >= 0 else low
    high = below if below >= 0 else high
    start, end = edit.start, edit.end
    if edit.end - edit.start <= PARAGRAPH:
        for span in split_sentences(text, low, high):
            if span.start <= edit.end and span.end >= edit.start:
                start, end = min(start, span.start), max(end, span.end)
    first, last = start, end
    if first < edit.start - CONTEXT:
        first = edit.start - CONTEXT
        first = max(first, text.find(" ", first, edit.start) + 1)
    if last > edit.end + CONTEXT:
        last = edit.end + CONTEXT
        blank = text.rfind(" ", edit.end, last)
        last = blank if blank >= 0 else last
    return _Window(
        first,
        last,
        first > start or (first > 0 and not text[first - 1].isspace()),
        last < end or (last < len(text) and not text[last].isspace()),
    )


def _marks(text: str, window: _Window, edits: Sequence[Edit]) -> Iterator[Mark]:
    if window.cut_before:
        yield Mark("gap", "")
    at = window.start
    for edit in edits:
        yield from _piece("kept", text[at : edit.start])
        yield from _piece("deleted", text[edit.start : edit.end])
        yield from _piece("inserted", edit.new)
        at = edit.end
    yield from _piece("kept", text[at : window.end])
    if window.cut_after:
        yield Mark("gap", "")


def _piece(kind: Literal["kept", "deleted", "inserted"], text: str) -> Iterator[Mark]:
    if not text:
        return
    if kind != "kept" and text.isspace():
        yield Mark(kind, visible(text.replace("\n", "\u21b5").replace(" ", "\u00b7"), MARK))
    else:
        yield Mark(kind, visible(text, MARK))
