"""What came of a sweep: its points, and their tables joined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from revkit.errors import RunError
from revkit.execution.fault import Fault
from revkit.execution.loop import Counts
from revkit.execution.warning import RunWarning
from revkit.model.table import Table
from revkit.spec import Sweep


@dataclass(frozen=True)
class PointRun:
    """What came of one point: its tables by name, how many items were computed and cached, what
    crashed, and its exit code. ``items`` counts what it holds. ``error`` says why a point has no
    result; then its code is 1."""

    label: str
    folder: Path
    exit_code: int
    tables: Mapping[str, Table]
    counts: Counts
    faults: tuple[Fault, ...] = ()
    error: str = ""
    out_of_budget: bool = False
    items: Mapping[str, int] = field(default_factory=dict)
    changed_files: tuple[str, ...] = ()
    warnings: tuple[RunWarning, ...] = ()


@dataclass(frozen=True)
class SweepRun:
    """A finished sweep: its folder, its points, and their tables joined by name.

    Each point has its own run folder below ``folder``. ``summary`` is the text for a terminal,
    ``faults`` lists what crashed, and which points have no result.
    """

    folder: Path
    sweep: Sweep
    points: tuple[PointRun, ...]
    tables: Mapping[str, Table]
    summary: str = ""
    faults: tuple[Fault, ...] = ()

    def table(self, name: str) -> Table:
        """The joined table of one metric. Raises `RunError` naming the tables there are."""
        if name not in self.tables:
            raise RunError(f"this sweep has no table {name!r}; it has {', '.join(self.tables)}")
        return self.tables[name]

    @property
    def changed_files(self) -> tuple[str, ...]:
        """The files that a reviewer changed while it worked, at any point."""
        return tuple(dict.fromkeys(path for point in self.points for path in point.changed_files))

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """What casts doubt on the reviews of any point, each once."""
        return tuple(dict.fromkeys(each for point in self.points for each in point.warnings))

    @property
    def exit_code(self) -> int:
        """0 all well, 1 something failed at a point, 4 no valid outcome at any."""
        codes = {point.exit_code for point in self.points}
        return codes.pop() if len(codes) == 1 and not self.faults else 1

    @property
    def out_of_budget(self) -> bool:
        """Whether a review of some point was not asked for since the budget was spent."""
        return any(point.out_of_budget for point in self.points)

    @property
    def closing(self) -> str:
        """One line: points, what was computed, and where the results are."""
        lost = sum(bool(point.error) for point in self.points)
        failed = f" ({lost:,} without a result)" if lost else ""
        computed = sum(point.counts.computed for point in self.points)
        stored = sum(point.counts.stored for point in self.points)
        return (
            f"{len(self.points):,} points{failed}: {computed:,} computed, {stored:,} cached. "
            f"Results: {self.folder}"
        )
