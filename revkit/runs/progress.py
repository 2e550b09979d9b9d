"""How far a run is, from the records that it has written so far."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from revkit.execution.folder import in_use


@dataclass(frozen=True)
class RunProgress:
    """Papers and reviews that are written, and whether a run holds the folder now."""

    folder: Path
    state: Literal["running", "finished", "stopped"]
    papers: int
    reviews: int

    @property
    def line(self) -> str:
        """One line for a terminal."""
        return f"{self.folder}: {self.state}, {self.papers:,} papers, {self.reviews:,} reviews"


def progress_of(folder: Path) -> RunProgress:
    """How far the run in ``folder`` is. Records of a running run have the ending ``.part``."""
    running = in_use(folder)
    finished = (folder / "result.json").is_file()
    state: Literal["running", "finished", "stopped"] = (
        "running" if running else "finished" if finished else "stopped"
    )
    return RunProgress(
        folder, state, _lines(folder, "papers", running), _lines(folder, "outcomes", running)
    )


def _lines(folder: Path, name: str, running: bool) -> int:
    path = folder / "records" / f"{name}.jsonl"
    part = path.with_name(path.name + ".part")
    chosen = part if part.is_file() and (running or not path.is_file()) else path
    count = 0
    try:
        with chosen.open("rb") as file:
            while block := file.read(1 << 20):
                count += block.count(b"\n")
    except OSError:
        return 0
    return count
