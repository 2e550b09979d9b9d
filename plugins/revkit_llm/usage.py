"""The metric `model-usage`: what answers rest on, and what another design would have asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Metric
from revkit.model.records import Records, UsageRow
from revkit.model.table import Cell, Column, Table

ALL = "all"
COMPONENT = Column("component", "Component", "", "Its path in the experiment.")
# What calls of one model took: the columns that `used` fills.
USED = (
    Column("model", "Model", "", "The model that answered, as the provider names it."),
    Column("calls", "Calls", "count", "Distinct calls whose replies are part of an answer."),
    Column("prompt_tokens", "Prompt tokens", "tokens", "As the provider counts them."),
    Column(
        "cached_tokens",
        "Cached",
        "tokens",
        "Prompt tokens that the provider read from its cache; empty where it does not report them.",
    ),
    Column("completion_tokens", "Reply tokens", "tokens", "As the provider counts them."),
    Column("usd", "US dollars", "USD", "Empty where a price is not known."),
)
COLUMNS = (
    COMPONENT,
    *USED,
    Column(
        "pairwise_calls",
        "Calls, pair by pair",
        "count",
        "Calls if each pair of paper and variant had its paper reviewed again.",
    ),
    Column(
        "pairwise_prompt_tokens",
        "Prompt tokens, pair by pair",
        "tokens",
        "The same in prompt tokens, each paper taken as of mean length.",
    ),
    Column("saved", "Saved", "share", "Share of the calls of that design that were not made."),
)


@dataclass(frozen=True)
class ModelUsage(Metric):
    """Calls, tokens and cost of language models behind the answers of a run, by component.

    Counted from the stored replies, so a run with all replies cached states the same as
    the one that paid; ``provenance.json`` has what was spent on failures and retries. ROBUST-REV
    (section 4) compares pairs; done pair by pair, an unchanged paper would be reviewed once for
    each of its variants, while a run reviews it once. Whole counts, so no intervals.
    """

    name: ClassVar[str] = "model-usage"
    version: ClassVar[str] = "2"

    def measure(self, records: Records) -> Table:
        by_place: dict[tuple[str, str], list[UsageRow]] = {}
        for row in records.usage:
            by_place.setdefault((row.component, row.model), []).append(row)
        totals: dict[tuple[str, str], list[UsageRow]] = {}
        for row in records.total_usage or records.usage:
            totals.setdefault((row.component, row.model), []).append(row)
        rows = [
            _row(component, model, found, totals[component, model], records)
            for (component, model), found in sorted(by_place.items())
        ]
        if len(rows) > 1:
            rows.append(_total(rows))
        notes = [
            "The unit is the call behind an answer; these are counts and carry no interval. What "
            "failed answers and retries asked is not counted here but in provenance.json.",
        ]
        if not rows:
            notes.append(
                "No variant, review or judgement of this run rests on a language model. What its "
                "corpus asked, if it asks any, is in provenance.json."
            )
        return Table.of(
            self.name,
            "What language models were asked",
            COLUMNS,
            rows,
            notes,
            headline=True,
            fine=("cached_tokens",),
        )


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
        return row  # anchors may be among the calls that are shared, so theirs cannot be taken off
    whole = distinct - anchors
    row["pairwise_calls"] = round(calls)
    row["saved"] = 1 - whole / calls
    tokens = [known_sum(u.prompt_tokens for u in part) for part in (changed, unchanged)]
    if tokens[0] is not None and tokens[1] is not None:
        row["pairwise_prompt_tokens"] = round(tokens[0] + times * tokens[1])
    return row


def used(rows: Sequence[UsageRow]) -> dict[str, Cell]:
    """The cells of ``USED`` but for the model: sums, None where a part is not known."""
    return {
        "calls": sum(row.calls for row in rows),
        "prompt_tokens": known_sum(row.prompt_tokens for row in rows),
        "cached_tokens": known_sum(row.cached_tokens for row in rows),
        "completion_tokens": known_sum(row.completion_tokens for row in rows),
        "usd": known_sum(row.usd for row in rows),
    }


def known_sum(values: Iterable[float | None]) -> float | None:
    """The sum, or None where a part of it is not known; whole numbers stay whole."""
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
