"""Check whether reviews changed in the direction that the edits should cause."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    FAMILY,
    METHOD,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    Sums,
    join_notes,
    note_of,
    short_of,
    short_warnings,
)
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Table
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.pairs import (
    ALL_FAMILIES,
    Group,
    RepeatedPair,
    as_count,
    groups,
    repeats_note,
    sums_over_papers,
)
from revkit_robustrev.metrics.repeats import noise_of

if TYPE_CHECKING:
    from revkit import stats

SHARE = Figure("share", "Share as expected", "share", "Pairs as expected over n.", "over papers.")
NOISE_SHARE = Figure(
    "noise_share",
    "Share by noise",
    "share",
    "Share as expected of two reviews of one text, mean of paper and variant: what a reviewer "
    "reaches that the edits do not move.",
    "over papers.",
)
COLUMNS = (
    AGENT,
    FAMILY,
    Column("expect", "Expected", "", "What a fair score does under these edits."),
    Column(
        "target", "Aspect", "", "The review aspect that should move, where the family names one."
    ),
    Column("measured", "Measured by", "", '"verdict" (no flip) or "score" (it moved that way).'),
    Column("pairs", "Pairs", "count", "Pairs put to the agent."),
    Column("n", "n", "count", "Pairs with what is measured on both sides."),
    Column("as_expected", "As expected", "count", "Pairs that behaved so."),
    Column("faults", "Faults", "count", "Pairs that did not."),
    *SHARE.columns,
    *NOISE_SHARE.columns,
    Column("papers", "Papers", "count", "Papers with such a pair."),
    CONFIDENCE,
    UNIT,
    METHOD,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class ExpectationMet(OverPapers):
    """The share of pairs that changed as the perturbation declares for a fair review.

    Under "invariant" edits the verdict must stay; under "may-lower" edits the score may stay or get
    worse, and a better one is a fault; under "decrease" the score must get worse, under "increase"
    better, by any amount, in the direction of the agent's scale (on a severity scale a worse score
    is a higher one). A score that does not move under harmful edits is a fault. The score
    meant is the overall one, also where the perturbation names an aspect.

    With ``repeats``, ``noise_share`` is the same share where a text is compared with itself: an
    agent that only draws noise has it, and it is below 1 although no edit did anything.
    """

    name: ClassVar[str] = "expectation"
    version: ClassVar[str] = "10"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    def measure(self, records: Records) -> Table:
        cells = [
            group
            for agent in records.agents
            for group in groups(records, agent)
            if group.family != ALL_FAMILIES
        ]
        sums = [
            sums_over_papers(records, group.pairs, partial(_as_expected, group)) for group in cells
        ]
        targets = {row.name: row.target for row in records.perturbations}
        again = [
            sums_over_papers(records, group.pairs, partial(_by_noise, group)) for group in cells
        ]
        rates, noises = self.rates(records, sums), self.rates(records, again)
        rows = [
            {
                **_row(group, targets[group.family], observed, rate, noise),
                "confidence": self.confidence,
            }
            for group, observed, rate, noise in zip(cells, sums, rates, noises, strict=True)
        ]
        notes = [
            *self.interval_notes(records),
            "Verdict for invariant edits, overall score for the others. A score that does not move "
            "is a fault where it should, and none where a fair one may get lower.",
            "Faults of an agent that does not repeat itself are partly noise: compare the share "
            "with the share by noise."
            if records.repeats > 1
            else "repeats: 1, so no noise was measured: faults may be noise.",
            *repeats_note(records),
        ]
        return Table.of(
            self.name,
            "Reviews that moved as expected",
            COLUMNS,
            rows,
            notes,
            method=[self.interval_sentence(records)],
            warnings=short_warnings(
                self.name, rows, lambda row: f"{row['agent']} under {row['family']}"
            ),
        )


def _as_expected(group: Group, pair: RepeatedPair) -> float | None:
    """The share of comparisons of a review of the paper and one of the variant that behaved so."""
    if group.expect == "invariant":
        return None if pair.flip is None else 1 - pair.flip
    before, after = pair.scores
    return _share_right(group, [(b, a) for b in before for a in after])


def _by_noise(group: Group, pair: RepeatedPair) -> float | None:
    """The same share of comparisons of two reviews of one text, mean of both sides; None where a
    side has fewer than two.
    """
    if group.expect == "invariant":
        noise = noise_of(pair)
        return None if noise is None else 1 - noise
    one, other = (_share_right(group, list(permutations(side, 2))) for side in pair.scores)
    return None if one is None or other is None else (one + other) / 2


def _share_right(group: Group, compared: Sequence[tuple[float, float]]) -> float | None:
    """How many of the scores ``compared``, before and after, moved as expected."""
    if not compared:
        return None
    sign = 1 if group.agent.scale.higher_is_better else -1
    better = [sign * (after - before) for before, after in compared]
    right = {
        "may-lower": [gain <= 0 for gain in better],
        "decrease": [gain < 0 for gain in better],
        "increase": [gain > 0 for gain in better],
    }[group.expect]
    return sum(right) / len(right)


def _row(
    group: Group, target: str, sums: Sums, rate: stats.Estimate, noise: stats.Estimate
) -> dict[str, Cell]:
    right = as_count(sums.total)
    return {
        "agent": group.agent.name,
        "family": group.family,
        "expect": group.expect,
        "target": target or None,
        "measured": "verdict" if group.expect == "invariant" else "score",
        "pairs": len(group.pairs),
        "n": sums.n,
        "as_expected": right,
        "faults": as_count(sums.n - sums.total),
        **SHARE.cells(rate),
        **NOISE_SHARE.cells(noise),
        "papers": sums.papers,
        "unit": "paper",
        "method": rate.interval.method,
        "short": short_of({"share as expected": rate, "share by noise": noise}),
        "note": join_notes(note_of(rate)),
    }
