"""Result tables of a generated paper, and the sentences that report their numbers.

The text is written from the rounded numbers in the table, so both always agree.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.english import capitalise
from revkit_corpora.synthetic.latent import Evidence


@dataclass(frozen=True, slots=True)
class Results:
    """The main table. ``means[row][column]`` in tenths of a point; the last row is the paper's own.

    ``spreads`` (same shape) is empty where no spread is reported. ``ablation`` holds the measure on
    the first dataset after one component was removed, by component.
    """

    methods: tuple[str, ...]
    datasets: tuple[str, ...]
    means: tuple[tuple[int, ...], ...]
    spreads: tuple[tuple[int, ...], ...]
    ablation: tuple[tuple[str, int], ...]

    def best_baseline(self, column: int) -> int:
        """Return the row of the strongest other method on a dataset (the upper one in a tie)."""
        return max(range(len(self.methods) - 1), key=lambda row: self.means[row][column])

    def gain(self, column: int) -> int:
        """Return the paper's own result minus the strongest other result, in tenths of a point."""
        return self.means[-1][column] - self.means[self.best_baseline(column)][column]

    def clear(self, column: int) -> bool:
        """Return whether the gain is larger than both reported spreads together."""
        if not self.spreads:
            return False
        spread = self.spreads[-1][column] + self.spreads[self.best_baseline(column)][column]
        return self.gain(column) > spread


def draw_results(
    method: str,
    baselines: Sequence[str],
    datasets: Sequence[str],
    parts: Sequence[str],
    evidence: Evidence,
    rng: random.Random,
) -> Results:
    """Draw tables that show ``evidence``."""
    columns = []
    spreads = []
    for margin in evidence.margins:
        best = 520 + int(rng.random() * 340)
        others = [best - int(8 + rng.random() * 90) for _ in baselines]
        others[int(rng.random() * len(others))] = best
        columns.append((*others, min(990, best + round(10 * margin * evidence.spread))))
        low = max(1, round(7 * evidence.spread))
        spreads.append(tuple(low + int(rng.random() * low) for _ in range(len(others) + 1)))
    full = columns[0][-1]
    lost = 4 + max(0, round(6 * evidence.margins[0] * evidence.spread))
    return Results(
        methods=(*baselines, method),
        datasets=tuple(datasets),
        means=tuple(zip(*columns, strict=True)),
        spreads=tuple(zip(*spreads, strict=True)) if evidence.error_bars else (),
        ablation=tuple((part, full - lost - int(rng.random() * 12)) for part in parts)
        if evidence.ablation
        else (),
    )


def points(tenths: int) -> str:
    """Write tenths of a point: 713 as "71.3"."""
    return f"{tenths / 10:.1f}"


def main_table(results: Results) -> str:
    """Return the main table as a Markdown pipe table; the paper's own row is bold."""
    rows = [("Method", *results.datasets), ("---", *("---:" for _ in results.datasets))]
    last = len(results.methods) - 1
    for index, name in enumerate(results.methods):
        cells = []
        for column in range(len(results.datasets)):
            cell = points(results.means[index][column])
            if results.spreads:
                cell += f" ± {points(results.spreads[index][column])}"
            cells.append(f"**{cell}**" if index == last else cell)
        rows.append((f"**{name}**" if index == last else name, *cells))
    return _pipes(rows)


def ablation_table(results: Results, metric: str) -> str:
    """Return the ablation as a Markdown pipe table with one column."""
    full = (f"Full {results.methods[-1]}", points(results.means[-1][0]))
    removed = [(f"without {part}", points(value)) for part, value in results.ablation]
    title = capitalise(metric)
    return _pipes(
        [("Variant", f"{title} on {results.datasets[0]}"), ("---", "---:"), full, *removed]
    )


def _pipes(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)
