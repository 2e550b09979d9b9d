"""Count the maximum amount of work of a sweep before it starts."""

from __future__ import annotations

from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.planning.plan import Plan, build_plan
from revkit.spec import Sweep

_COLUMNS = ("papers", "variants", "reviews", "judgements", "anchors", "queries")
_MOST_NAMED = 8


@dataclass(frozen=True)
class SweepPlan:
    """The plan of each point by its label: upper bounds, as if the points shared no results.

    What several points have in common is computed once.
    """

    plans: Sequence[tuple[str, Plan]]

    def total(self, column: str) -> int | None:
        """Return the sum of one count over the points; None if one of them is unknown."""
        total = 0
        for _, plan in self.plans:
            count = getattr(plan, column)
            if count is None:
                return None
            total += count
        return total

    def text(self) -> str:
        """Return the plan as text: counts by point, then the graphs, with equal ones shown once."""
        columns = [name for name in _COLUMNS if self.total(name) != 0]
        rows = [["point", *columns]]
        rows += [
            [label, *(_count(getattr(p, name)) for name in columns)] for label, p in self.plans
        ]
        rows.append(["all", *(_count(self.total(name)) for name in columns)])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if index == 0 else cell.rjust(width)
                for index, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        lines.append("(at most; results that several points share are computed once)")
        return "\n".join(lines) + "\n\n" + self.graphs()

    def graphs(self) -> str:
        """Return the graph of each point as text, with equal graphs under one heading."""
        by_text: dict[str, list[str]] = {}
        for label, plan in self.plans:
            by_text.setdefault(plan.graph.text(), []).append(label)
        if len(by_text) == 1:
            return next(iter(by_text))
        return "\n".join(f"{_few(labels)}\n{text}" for text, labels in by_text.items())


def build_sweep_plan(sweep: Sweep) -> SweepPlan:
    """Count the maximum amount of work of each point of ``sweep``. Nothing runs."""
    return SweepPlan([(point.label, build_plan(point.experiment)) for point in sweep.points])


def _few(labels: Sequence[str]) -> str:
    """Return the points with one graph: all labels if they are few."""
    if len(labels) <= _MOST_NAMED:
        return "; ".join(labels)
    return f"{len(labels)} points: {'; '.join(labels[:3])}; ..."


def _count(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"
