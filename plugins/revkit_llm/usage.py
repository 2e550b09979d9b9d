"""The metric `model-usage`: calls and tokens of answers, compared with a pairwise design."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.model.card import CardLine
from revkit.model.records import Records, UsageRow
from revkit.model.table import Cell, Column, Table

ALL = "all"
COMPONENT = Column("component", "Component", "", "The path of the component in the experiment.")
# Usage of the calls of one model: the columns that `used` fills.
USED = (
    Column("model", "Model", "", "The model that answered, as the provider names it."),
    Column("calls", "Calls", "count", "Distinct calls whose replies are part of an answer."),
    Column("prompt_tokens", "Prompt tokens", "tokens", "As the provider counts them."),
    Column(
        "cached_tokens",
        "Cached",
        "tokens",
        "Prompt tokens that the provider read from its cache; empty if not reported.",
    ),
    Column("completion_tokens", "Reply tokens", "tokens", "As the provider counts them."),
    Column("usd", "US dollars", "USD", "Empty if the price is unknown."),
)
COLUMNS = (
    COMPONENT,
    *USED,
    Column(
        "pairwise_calls",
        "Calls, pair by pair",
        "count",
        "Calls if the paper were reviewed again for each of its variants.",
    ),
    Column(
        "pairwise_prompt_tokens",
        "Prompt tokens, pair by pair",
        "tokens",
        "Prompt tokens of the pairwise design, assuming papers of mean length.",
    ),
    Column("saved", "Saved", "share", "Share of the calls of the pairwise design that were saved."),
)


@dataclass(frozen=True)
class ModelUsage(Metric):
    """Calls, tokens and cost of language models behind the answers of a run, by component.

    Counted from the stored replies, so a fully cached run reports the same as the run that paid;
    ``provenance.json`` has the cost of failures and retries. ROBUST-REV (section 4) compares pairs;
    pair by pair, an unchanged paper would be reviewed once for each of its variants, while a run
    reviews it once. These are counts, so they have no intervals.
    """

    name: ClassVar[str] = "model-usage"
    version: ClassVar[str] = "3"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    def measure(self, records: Records) -> Table:
        by_place: dict[tuple[str, str], list[UsageRow]] = {}
        for row in records.usage.by_source:
            by_place.setdefault((row.component, row.model), []).append(row)
        totals: dict[tuple[str, str], list[UsageRow]] = {}
        for row in records.usage.total:
            totals.setdefault((row.component, row.model), []).append(row)
        rows = [
            _row(component, model, found, totals[component, model], records)
            for (component, model), found in sorted(by_place.items())
        ]
        if len(rows) > 1:
            rows.append(_total(rows))
        notes = [
            "The unit is the call behind an answer; these are counts without intervals. Calls of "
            "failed answers and retries are counted in provenance.json only.",
        ]
        if not rows:
            notes.append(
                "No variant, review or judgement of this run used a language model. If its corpus "
                "called a model, these calls are in provenance.json."
            )
        return Table.of(
            self.name,
            "Model usage",
            COLUMNS,
            rows,
            notes,
            headline=True,
            reading="Each row is one component with one model: its calls, tokens and cost.",
            fine=("cached_tokens",),
        )

    def card_lines(self, table: Table) -> Sequence[CardLine]:
        """Return the calls of each model for an agent, with tokens and price beside."""
        beside = ("prompt_tokens", "completion_tokens", "usd")
        return [
            CardLine(
                "cost",
                "calls",
                "Calls of a language model",
                each="model",
                beside=beside,
                named="component",
                prefix="agents.",
                absent="its reviews used no language model",
            )
        ]


def _row(
    component: str,
    model: str,
    found: Sequence[UsageRow],
    total: Sequence[UsageRow],
    records: Records,
) -> dict[str, Cell]:
    row: dict[str, Cell] = {
        "component": component,
        "model": model,
        **used(total),
    }
    if not component.startswith("agents."):
        return row
    made = Counter(variant.perturbation for variant in records.variants if not variant.rejected)
    variants = sum(made.values())
    unchanged = [usage for usage in found if usage.source == ""]
    changed = [usage for usage in found if usage.source in made]
    if not variants or not unchanged or not records.papers:
        return row
    times = variants / len(records.papers)
    calls = sum(u.calls for u in changed) + times * sum(u.calls for u in unchanged)
    anchors = sum(usage.calls for usage in found if usage.source == "anchors")
    distinct = sum(usage.calls for usage in total)
    if anchors and sum(usage.calls for usage in found) > distinct:
        return row  # anchors may be among the shared calls, so their calls cannot be subtracted
    whole = distinct - anchors
    row["pairwise_calls"] = round(calls)
    row["saved"] = 1 - whole / calls
    tokens = [known_sum(u.prompt_tokens for u in part) for part in (changed, unchanged)]
    if tokens[0] is not None and tokens[1] is not None:
        row["pairwise_prompt_tokens"] = round(tokens[0] + times * tokens[1])
    return row


def used(rows: Sequence[UsageRow]) -> dict[str, Cell]:
    """Return the cells of ``USED`` except the model: sums, None if a part is unknown."""
    return {
        "calls": sum(row.calls for row in rows),
        "prompt_tokens": known_sum(row.prompt_tokens for row in rows),
        "cached_tokens": known_sum(row.cached_tokens for row in rows),
        "completion_tokens": known_sum(row.completion_tokens for row in rows),
        "usd": known_sum(row.usd for row in rows),
    }


def known_sum(values: Iterable[float | None]) -> float | None:
    """Return the sum, or None if a part of it is unknown; whole numbers stay whole."""
    total: float = 0
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _total(rows: Sequence[dict[str, Cell]]) -> dict[str, Cell]:
    total: dict[str, Cell] = {"component": ALL}
    for column in ("calls", "prompt_tokens", "cached_tokens", "completion_tokens", "usd"):
        cells = [row.get(column) for row in rows]
        total[column] = known_sum(None if isinstance(cell, str) else cell for cell in cells)
    return total
