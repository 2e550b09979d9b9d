"""Select judgements that contradict the expected effect of an edit.

An edit that targets a rubric should lower (or raise) the score by that rubric; an edit that should
change nothing should leave every score unchanged. The page shows the texts where this failed.
"""

from __future__ import annotations

from collections.abc import Iterator

from revkit.contracts import RunView
from revkit.dataclass import dataclass
from revkit.model.records import Judgement, PerturbationRow, Records
from revkit_reports.flips import (
    Flip,
    FlipSelection,
    VariantKey,
    score_text,
    shown_variant,
)
from revkit_reports.turns import in_turns
from revkit_reports.visible import one_line


@dataclass(frozen=True)
class MisjudgedPair:
    """Two scores of one judge by one rubric, before and after an edit, that contradict its expected
    effect. ``wrong`` is the size of the change in the wrong direction.
    """

    before: Judgement
    after: Judgement
    wrong: float

    @property
    def key(self) -> VariantKey:
        """Paper, perturbation and number of the variant."""
        return (self.after.paper, self.after.perturbation, self.after.index)


@dataclass(frozen=True)
class MisjudgedSelection:
    """``tried`` counts the compared pairs of scores, ``lost`` the pairs without a score because a
    judgement failed; ``selection`` contains the pairs to show.
    """

    selection: FlipSelection
    tried: int
    lost: int = 0


def select_misjudged(run: RunView, limit: int) -> MisjudgedSelection:
    """Choose up to ``limit`` judgements, in turn from each judge, edit and rubric, the largest
    changes in the wrong direction first. A variant is shown with all its misjudged pairs.
    """
    tried = lost = 0
    cells: dict[tuple[str, str, str], list[MisjudgedPair]] = {}
    by_variant: dict[VariantKey, list[MisjudgedPair]] = {}
    for found in _pairs(run.records):
        if found is None:
            lost += 1
            continue
        tried += 1
        if found.wrong >= 0:
            cell = (found.after.judge, found.after.perturbation, found.after.rubric)
            cells.setdefault(cell, []).append(found)
            by_variant.setdefault(found.key, []).append(found)
    queues = [
        [f.key for f in sorted(queue, key=lambda f: (-f.wrong, -len(by_variant[f.key])))]
        for queue in cells.values()
    ]
    chosen: dict[VariantKey, None] = {}
    room = limit
    for key in in_turns(queues):
        if key not in chosen and len(by_variant[key]) <= room:
            chosen[key] = None
            room -= len(by_variant[key])
    families = {row.name: i for i, row in enumerate(run.records.perturbations)}
    worst = {key: -max(found.wrong for found in by_variant[key]) for key in chosen}
    ordered = sorted(
        chosen, key=lambda key: (families[key[1]], worst[key], -len(by_variant[key]), key[2])
    )
    total = sum(map(len, by_variant.values()))
    shown = tuple(
        shown_variant(run, key, _flips(by_variant[key], run.records.repeats > 1)) for key in ordered
    )
    selection = FlipSelection(shown, total, total - (limit - room), total)
    return MisjudgedSelection(selection, tried, lost)


def _pairs(records: Records) -> Iterator[MisjudgedPair | None]:
    """Return every pair of scores for which an edit has an expected effect, with its error: 0 or
    more contradicts the expectation. None marks a pair without a score.
    """
    families = {row.name: row for row in records.perturbations}
    rubrics = {rubric.name for rubric in records.rubrics}
    before = {
        (row.judge, row.rubric, row.paper, row.repeat): row
        for row in records.judgements
        if not row.perturbation and not row.agent
    }
    for row in records.judgements:
        if not row.perturbation:
            continue
        family = families[row.perturbation]
        if not _concerns(family, row.rubric, rubrics):
            continue
        first = before.get((row.judge, row.rubric, row.paper, row.repeat))
        if row.score is None or first is None or first.score is None:
            yield None
        else:
            yield MisjudgedPair(first, row, _wrong(family, row.score - first.score))


def _concerns(family: PerturbationRow, rubric: str, rubrics: set[str]) -> bool:
    """Return whether the expectation of ``family`` concerns ``rubric``: its target, or every rubric
    for an edit that should change nothing and has no target.
    """
    if family.target in rubrics:
        return family.target == rubric
    return family.expect == "invariant" and not family.target


def _wrong(family: PerturbationRow, shift: float) -> float:
    if family.expect == "decrease":
        return shift
    if family.expect == "increase":
        return -shift
    return abs(shift) if shift else -1.0


def _flips(found: list[MisjudgedPair], repeated: bool) -> tuple[Flip, ...]:
    said: dict[tuple[str, str, str, bool], list[int]] = {}
    for pair in found:
        first, last = pair.before.score or 0.0, pair.after.score or 0.0
        who = f"{one_line(pair.after.judge, 80)}, {one_line(pair.after.rubric, 60)}"
        key = (who, score_text(first), score_text(last), last > first)
        said.setdefault(key, []).append(pair.after.repeat + 1)
    return tuple(
        Flip(*key, "repeat " + ", ".join(map(str, repeats)) if repeated else "")
        for key, repeats in said.items()
    )
