"""How often two reviews of the same text disagree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    METHOD,
    NOTE,
    POINTS,
    SHORT,
    UNIT,
    Figure,
    Sums,
    join_notes,
    short_of,
    short_warnings,
    sums,
)
from revkit.model.records import AgentRow, Records, Verdict
from revkit.model.repeats import accepts_of, find_contradictions, scores_of
from revkit.model.table import Cell, Column, Table
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.pairs import originals_of, pairs_of
from revkit_robustrev.metrics.repeats import floor_of, within

RATE = Figure(
    "rate",
    "Noise floor",
    "share",
    "The chance that two reviews of one unchanged paper give different verdicts.",
    "over papers.",
)
VARIANTS = Figure(
    "variant_rate",
    "Noise of variants",
    "share",
    "The chance that two reviews of one variant give different verdicts.",
    "over papers.",
)
SCORE = Figure(
    "score",
    "Score noise",
    POINTS,
    "Mean |difference| between the scores of two reviews of one unchanged paper, own scale.",
)
VARIANT_SCORE = Figure(
    "variant_score",
    "Score noise of variants",
    POINTS,
    "Mean |difference| between the scores of two reviews of one variant, own scale.",
)
COLUMNS = (
    AGENT,
    Column("repeats", "Repeats", "count", "How often each text was reviewed."),
    Column("papers", "Papers", "count", "Papers with two or more verdicts."),
    Column("left_out", "Left out", "count", "Papers with fewer than two verdicts."),
    Column("missing", "Without verdict", "count", "Repeats that failed or gave no verdict."),
    *RATE.columns,
    METHOD,
    Column("variants", "Variants", "count", "Variants with two or more verdicts."),
    *VARIANTS.columns,
    Column("score_papers", "Papers with scores", "count", "Papers with two or more scores."),
    *SCORE.columns,
    *VARIANT_SCORE.columns,
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class NoiseFloor(OverPapers):
    """The disagreement of each agent with itself on the same text, from the repeats of a run.

    For a text with k verdicts of which a accept it is 2 a (k - a) / (k (k - 1)), averaged over
    pairs of unchanged papers, and over variants. It is what noise alone contributes to flips; what
    a perturbation adds is the net rate of the table ``flip-rate``, the excess over the noise of
    both sides. A flip rate at the noise floor can hide an effect: a perturbation that makes an
    unsteady agent accept everything leaves its flip rate where it was. With one repeat nothing is
    measured and the cells are empty, also for an agent that declares itself deterministic.
    """

    name: ClassVar[str] = "noise-floor"
    version: ClassVar[str] = "9"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    def measure(self, records: Records) -> Table:
        notes = [*self.interval_notes(records)]
        if records.repeats < 2:
            notes.append("repeats: 1, so no noise was measured.")
        rows = [self._row(records, agent) for agent in records.agents]
        short = short_warnings(self.name, rows, lambda row: str(row["agent"]))
        title = "Noise on the same text"
        return Table.of(self.name, title, COLUMNS, rows, notes, warnings=short, method=notes[:1])

    def _row(self, records: Records, agent: AgentRow) -> dict[str, Cell]:
        floor = floor_of(records, agent, self.resampling(records))
        originals = [
            (paper, reviews) for paper, reviews in originals_of(records, agent.name).items()
        ]
        variants = [(pair.paper, pair.variants) for pair in pairs_of(records, agent.name)]
        verdicts = self._sums(records, variants, accepts_of)
        varied = self.rates(records, [verdicts])[0]
        score, changed = self.means(
            records,
            [self._sums(records, side, scores_of) for side in (originals, variants)],
        )
        contradicted = find_contradictions([agent], records.verdicts)
        declared = "declared deterministic" if agent.deterministic else ""
        if contradicted:
            declared += f", but {contradicted[0].differing:,} of {contradicted[0].texts:,} texts "
            declared += "have different scores or verdicts"
        measured = score.value is not None and score.interval.note
        return {
            "agent": agent.name,
            "repeats": records.repeats,
            "papers": floor.papers,
            "left_out": floor.left_out,
            "missing": floor.failed,
            **RATE.cells(floor.rate),
            "method": floor.rate.interval.method,
            "variants": verdicts.n,
            **VARIANTS.cells(varied),
            "score_papers": score.n,
            **SCORE.cells(score),
            **VARIANT_SCORE.cells(changed),
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of(
                {
                    "noise floor": floor.rate,
                    "noise of variants": varied,
                    "score noise": score,
                    "score noise of variants": changed,
                }
            ),
            "note": join_notes(
                f"repeats: {records.repeats}" if records.repeats < 2 else "",
                floor.rate.note,
                floor.rate.interval.note,
                f"score: {score.interval.note}" if measured else "",
                declared,
            ),
        }

    def _sums(
        self,
        records: Records,
        texts: Sequence[tuple[str, Sequence[Verdict]]],
        of: Callable[[Sequence[Verdict]], Sequence[float]],
    ) -> Sums:
        """The mean distances of two reviews of each text, added over papers."""
        papers = (paper.id for paper in records.papers)
        return sums(papers, ((paper, within(reviews, of)) for paper, reviews in texts))
