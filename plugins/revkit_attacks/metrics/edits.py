"""The metric `attack-edits`: how large successful sets of edits are, and of which arms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Metric
from revkit.figures import AGENT, CONFIDENCE, SHARE_METHOD, UNIT, Figure, confidence_option
from revkit.model.attack import AttackRecords, AttackRow
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Finding, Table
from revkit_attacks.metrics.curve import median_of
from revkit_attacks.metrics.searches import (
    NO_ATTACK,
    STRATEGY,
    agents_of,
    method_of,
    succeeded,
)

ALL_ARMS = "all arms"
_SHARE = Figure(
    "share",
    "Share",
    "share",
    "Smallest successful sets that hold an edit of this arm, over all of them.",
    SHARE_METHOD,
)
COLUMNS = (
    AGENT,
    STRATEGY,
    Column("arm", "Arm", "", "The perturbation whose edits these are.", "rubric"),
    Column("successes", "Successes", "count", "Papers with a confirmed success."),
    Column("edits", "Edits", "edits", "Edits of the set that was found, median."),
    Column("words", "Words", "words", "Words that it changes, median."),
    Column("dose", "Dose", "share", "These words over those of the paper, median."),
    Column("smallest_edits", "Edits, pruned", "edits", "Edits of the smallest set, median."),
    Column("smallest_words", "Words, pruned", "words", "Words that it changes, median."),
    Column(
        "smallest_dose",
        "Dose, pruned",
        "share",
        "These words as a share of the paper, median.",
    ),
    Column("minimal", "Minimal", "count", "Sets of which no unit can be left out."),
    Column("held", "Confirmed", "count", "Smallest sets that most fresh calls confirm."),
    Column("with_arm", "With it", "count", "Smallest sets that hold an edit of the arm."),
    Column("only_arm", "Only it", "count", "Smallest sets that hold no other edit."),
    *_SHARE.columns,
    CONFIDENCE,
    UNIT,
)


@dataclass(frozen=True)
class AttackEdits(Metric):
    """The size of successful sets of edits before and after pruning, and the arms that are left.

    Sizes are medians over papers with a success. The rows of one arm give in how many of the
    smallest sets it occurs, and in how many alone: what the weakness of the agent is.
    """

    name: ClassVar[str] = "attack-edits"
    version: ClassVar[str] = "3"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS
    confidence: float = confidence_option()

    def measure(self, records: Records) -> Table:
        """Return a row for each agent and strategy, and one for each arm of each."""
        attack = records.attack
        title = "Edits of successful attacks"
        if attack is None:
            return Table.of(self.name, title, COLUMNS, [], warnings=[NO_ATTACK])
        rows = [
            row
            for agent in agents_of(records, attack)
            for strategy in attack.strategies
            for row in self._rows(attack, agent.name, strategy.name)
        ]
        findings = list(_findings(attack))
        return Table.of(self.name, title, COLUMNS, rows, [method_of(attack)], findings=findings)

    def _rows(self, attack: AttackRecords, agent: str, name: str) -> Iterator[dict[str, Cell]]:
        from revkit import stats

        found = [row for row in attack.of(agent, name) if succeeded(row)]
        shared: dict[str, Cell] = {
            "agent": agent,
            "strategy": name,
            "confidence": self.confidence,
            "unit": "paper",
            "successes": len(found),
        }
        yield {**shared, "arm": ALL_ARMS, **_sizes(found)}
        pruned = [row for row in found if row.smallest_edits is not None]
        for arm in attack.arms if pruned else ():
            count = sum(arm in row.smallest_arms for row in pruned)
            rate = stats.rate(count, len(pruned), self.confidence, unit="paper")
            yield {
                **shared,
                "arm": arm,
                "with_arm": count,
                "only_arm": sum(row.smallest_arms == (arm,) for row in pruned),
                **_SHARE.cells(rate),
            }


def _sizes(found: Sequence[AttackRow]) -> dict[str, Cell]:
    names = ("edits", "words", "dose", "smallest_edits", "smallest_words", "smallest_dose")
    sizes: dict[str, Cell] = {
        name: median_of([value for row in found if (value := getattr(row, name)) is not None])
        for name in names
    }
    sizes["minimal"] = sum(row.one_minimal is True for row in found)
    sizes["held"] = sum(2 * row.smallest_met > row.smallest_calls for row in found)
    return sizes


def _findings(attack: AttackRecords) -> Iterator[Finding]:
    """For each agent: the arm that is left in most of the smallest sets."""
    for agent in attack.agents:
        smallest = [
            row
            for row in attack.rows
            if row.agent == agent and succeeded(row) and row.smallest_edits
        ]
        if not smallest:
            continue
        counts = {arm: sum(row.smallest_arms == (arm,) for row in smallest) for arm in attack.arms}
        arm = max(counts, key=lambda each: counts[each])
        edits = median_of([float(row.smallest_edits or 0) for row in smallest])
        yield Finding(
            f"{agent}: after pruning, {counts[arm]} of {len(smallest)} successful sets hold edits "
            f"of {arm} alone, and the median of all is {edits:g} edits.",
            place="section",
        )
