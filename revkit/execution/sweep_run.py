"""The results of a sweep: its points, and their joined tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.execution.fault import Fault
from revkit.execution.loop import Counts
from revkit.execution.warning import RunWarning
from revkit.model.table import Table
from revkit.spec import Sweep


@dataclass(frozen=True)
class PointRun:
    """The result of one point: its tables by name, the numbers of computed and cached items, the
    crashes, and its exit code. ``items`` counts its content. ``error`` states why a point has no
    result; its code is then 1.
    """

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
        """Return the joined table of one metric. Raises `RunError`, which lists the existing
        tables.
        """
        if name not in self.tables:
            raise RunError(f"this sweep has no table {name!r}; it has {', '.join(self.tables)}")
        return self.tables[name]

    def __repr__(self) -> str:
        return f"SweepRun({str(self.folder)!r}, {len(self.points)} points)"

    @property
    def changed_files(self) -> tuple[str, ...]:
        """The files that a reviewer changed while it worked, at any point."""
        return tuple(dict.fromkeys(path for point in self.points for path in point.changed_files))

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """The warnings about the reviews of all points, each once."""
        return tuple(dict.fromkeys(each for point in self.points for each in point.warnings))

    @property
    def exit_code(self) -> int:
        """The exit code: 0 success, 1 a failure at a point, 4 no valid outcome at any point."""
        codes = {point.exit_code for point in self.points}
        return codes.pop() if len(codes) == 1 and not self.faults else 1

    @property
    def only_failed_items(self) -> bool:
        """False: a sweep does not state why a point failed."""
        return False

    @property
    def out_of_budget(self) -> bool:
        """Whether a review of some point was not requested because the budget was spent."""
        return any(point.out_of_budget for point in self.points)

    @property
    def closing(self) -> str:
        """One line: points, what was computed, and where the results are."""
        lost = sum(bool(point.error) for point in self.points)
        failed = f" ({lost:,} without a result)" if lost else ""
        counts = Counts(
            *(
                sum(getattr(point.counts, name) for point in self.points)
                for name in ("computed", "stored", "failed")
            )
        )
        return f"{len(self.points):,} points{failed}: {counts.text}. Results: {self.folder}"
