"""The metric `attack-edits`: how large successful sets of edits are, and of which arms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import AGENT, CONFIDENCE, SHARE_METHOD, UNIT, Figure, confidence_option
from revkit.figures.numbers import count_of
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
    terms_of,
)

ALL_ARMS = "all arms"
_SHARE = Figure(
    "share",
    "Share",
    "share",
    "Share of the smallest sets with an edit of this family.",
    SHARE_METHOD,
)
COLUMNS = (
    AGENT,
    STRATEGY,
    Column("arm", "Family", "", "The family of these edits.", "rubric"),
    Column("successes", "Successes", "count", "Papers with a confirmed success.", clear=True),
    Column("edits", "Edits found", "edits", "Edits of the successful set, median."),
    Column("words", "Words found", "words", "Words that it changes, median."),
    Column("dose", "Dose found", "share", "These words as a share of the paper, median."),
    Column("smallest_edits", "Edits, smallest", "edits", "Edits of the smallest set, median."),
    Column("smallest_words", "Words, smallest", "words", "Words that it changes, median."),
    Column(
        "smallest_dose",
        "Dose, smallest",
        "share",
        "These words as a share of the paper, median.",
    ),
    Column("minimal", "Minimal", "count", "Smallest sets of which no edit can be left out."),
    Column("held", "Confirmed", "count", "Smallest sets that most fresh reviews confirm."),
    Column("with_arm", "With it", "count", "Smallest sets with an edit of this family."),
    Column("only_arm", "Only it", "count", "Smallest sets without an edit of another family."),
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
        method = [method_of(attack)]
        return Table.of(
            self.name,
            title,
            COLUMNS,
            rows,
            method,
            findings=list(_findings(attack)),
            method=method,
            reading="The family that is alone in most of the smallest sets is what the agent is "
            "weak against.",
            terms=terms_of(attack),
        )

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
            f"{agent}: {counts[arm]} of {count_of(len(smallest), 'successful attack')} "
            f"{'needs' if len(smallest) == 1 else 'need'} edits of the family {arm} alone. The "
            f"smallest set has {edits:g} {'edit' if edits == 1 else 'edits'} (median).",
            place="section",
        )
