"""The metric `role-usage`: calls and tokens of each role of a reviewer, in total and per answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import FEW_PAPERS, SHORT, Figure, short_of, short_warnings
from revkit.model.records import PaperUsage, Records, UsageRow
from revkit.model.table import Cell, Column, Table
from revkit_llm.usage import COMPONENT, USED, known_sum, used

if TYPE_CHECKING:
    from revkit.stats import Estimate

Roles: TypeAlias = tuple[str, ...]
_MEANS: tuple[tuple[str, Callable[[PaperUsage], float | None]], ...] = (
    ("calls", lambda row: row.calls),
    ("prompt_tokens", lambda row: row.prompt_tokens),
    ("completion_tokens", lambda row: row.completion_tokens),
    ("usd", lambda row: row.usd),
)
MEANS = {
    name: Figure(
        f"{name}_mean",
        f"{title}, mean",
        unit,
        "For one answer.",
        "95% interval, papers independent.",
        bounds_title=title,
    )
    for name, title, unit in (
        ("calls", "Calls", "count"),
        ("prompt_tokens", "Prompt tokens", "tokens"),
        ("completion_tokens", "Reply tokens", "tokens"),
        ("usd", "US dollars", "USD"),
    )
}
_TOTALS = (
    COMPONENT,
    Column("role", "Role", "", "The role within the component; empty for calls without a role."),
    *USED,
    Column("n", "Answers", "count", "Reviews, judgements or variants in the means."),
)
COLUMNS = (
    *_TOTALS,
    *(column for figure in MEANS.values() for column in figure.columns),
    SHORT,
    Column("note", "Note", "", "Why there is no interval.", "note"),
)


@dataclass(frozen=True)
class RoleUsage(Metric):
    """Calls, tokens and cost of each role of a component, in total and per answer.

    The roles are those that reviewers such as ReviewGrounder (Li et al. 2026, section 4) and the
    baselines name with their calls. Totals count distinct calls, as `model-usage` does. Means are
    over answers (reviews, judgements, variants): each counts all calls that it uses, including
    calls shared with other answers, and 0 for a role that it does not use. Intervals treat
    papers as independent (linearised ratio, Student's t: Cochran 1977, Sampling Techniques, chapter
    6).
    """

    name: ClassVar[str] = "role-usage"
    version: ClassVar[str] = "5"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    def measure(self, records: Records) -> Table:
        by_role: dict[tuple[str, Roles, str], list[UsageRow]] = {}
        for row in records.usage.total:
            by_role.setdefault((row.component, row.roles, row.model), []).append(row)
        papers: dict[str, dict[str, list[PaperUsage]]] = {}
        for each in records.usage.by_paper:
            papers.setdefault(each.component, {}).setdefault(each.paper, []).append(each)
        rows = [
            _row(place, found, papers.get(place[0], {})) for place, found in sorted(by_role.items())
        ]
        notes = [
            "Totals count distinct calls and have no interval. Means are per answer, with 95% "
            "intervals over papers (linearised ratio, Student's t). Calls of failed answers and "
            "retries are counted in provenance.json only.",
        ]
        if any(len(roles) > 1 for _, roles, _ in by_role):
            notes.append("Roles joined by + shared calls; each such call is counted once.")
        if not rows:
            notes.append("No variant, review or judgement of this run used a language model.")
        return Table.of(
            self.name,
            "Model usage by role",
            COLUMNS,
            rows,
            notes,
            headline=True,
            reading="Each row is one role of a component: its calls and tokens in total, and on "
            "average for one answer (a review, a judgement or a variant).",
            fine=("short",),
            method=notes[:1],
            warnings=short_warnings(
                self.name, rows, lambda row: f"{row['component']}, {row['role']}"
            ),
        )


def _row(
    place: tuple[str, Roles, str],
    found: Sequence[UsageRow],
    papers: dict[str, list[PaperUsage]],
) -> dict[str, Cell]:
    component, roles, model = place
    row: dict[str, Cell] = {
        "component": component,
        "role": " + ".join(roles),
        "model": model,
        **used(found),
    }
    counts = [_answers(each, roles) for each in papers.values()]
    mine = [
        [one for one in each if (one.roles, one.model) == (roles, model)]
        for each in papers.values()
    ]
    row["n"] = sum(counts)
    notes: dict[str, list[str]] = {}
    figures: dict[str, Estimate] = {}
    for name, read in _MEANS:
        sums = [known_sum(read(used) for used in each) for each in mine]
        known = [each for each in sums if each is not None]
        if len(known) == len(sums) and row["n"]:
            row.update(_mean(name, known, counts, notes, figures))
    row["short"] = short_of(figures)
    row["note"] = "; ".join(f"{note} ({', '.join(of)})" for note, of in notes.items())
    return row


def _answers(rows: Sequence[PaperUsage], roles: Roles) -> int:
    """Return the number of answers about one paper in a mean of ``roles``."""
    named = next((each.answers for each in rows if each.roles), 0)
    if roles:
        return named
    return next((each.answers for each in rows if not each.roles), named)


def _mean(
    name: str,
    sums: Sequence[float],
    counts: Sequence[int],
    notes: dict[str, list[str]],
    figures: dict[str, Estimate],
) -> dict[str, Cell]:
    """Return the mean of ``name`` for one answer, and its interval.

    Tokens and costs are skewed, so that the interval is too short below `FEW_PAPERS` papers.
    """
    from revkit.stats import cluster_t_interval

    seen = [(each, count) for each, count in zip(sums, counts, strict=True) if count]
    found = cluster_t_interval([each for each, _ in seen], [count for _, count in seen])
    bounds = found.interval
    if bounds.note:
        notes.setdefault(bounds.note, []).append(MEANS[name].bounds_title.lower())
    # Counts are never below 0, but the ends of a t interval may be.
    low = None if bounds.low is None else max(0.0, bounds.low)
    short = low is not None and bounds.n < FEW_PAPERS
    estimate = replace(found, interval=replace(bounds, low=low, short=short))
    figures[MEANS[name].bounds_title.lower()] = estimate
    return MEANS[name].cells(estimate)
