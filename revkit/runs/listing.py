"""The runs below a folder, found by the mark that every run folder has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.execution.folder import MARK, digest_of_run, in_use
from revkit.execution.result import utc_text
from revkit.files.run_files import OTHER_FORM, read_object
from revkit.model.values import Json
from revkit.runs.opened_run import open_run

RUNS = Path("runs")
DEEPEST = 4
MOST = 10_000
_UNREADABLE: tuple[type[Exception], ...] = (RunError, *OTHER_FORM)
State = Literal["finished", "running", "stopped", "shard", "sweep", "unreadable"]


@dataclass(frozen=True)
class RunEntry:
    """One run folder in a list. The state of a finished shard is "shard". ``papers`` and the counts
    are None for a shard, a sweep and a run that is not finished; ``usd`` is None where a price is
    not known; ``started`` is UTC (ISO 8601)."""

    folder: Path
    name: str
    state: State
    digest: str = ""
    headline: str = ""
    papers: int | None = None
    failures: int | None = None
    warnings: int | None = None
    usd: float | None = None
    started: str = ""

    def to_json(self) -> dict[str, Json]:
        return {
            "folder": str(self.folder),
            "name": self.name,
            "state": self.state,
            "digest": self.digest,
            "headline": self.headline,
            "papers": self.papers,
            "failures": self.failures,
            "warnings": self.warnings,
            "usd": self.usd,
            "started": self.started,
        }


def list_runs(folder: str | Path = RUNS, *, points: bool = False) -> list[RunEntry]:
    """The runs in ``folder`` and its subfolders, the latest first.

    ``points`` lists the points of sweeps too. A folder that cannot be read is listed as such.
    Raises `RunError` where ``folder`` does not exist.
    """
    root = Path(folder)
    if not root.is_dir():
        raise RunError(
            f"the folder {root} does not exist; runs are in {RUNS}, unless --out named another"
        )
    found = [_entry(path) for path in _run_folders(root, points, DEEPEST)]
    return sorted(found, key=lambda each: (each.started, str(each.folder)), reverse=True)


def find_run(text: str | Path, root: Path = RUNS) -> Path:
    """The folder of the run that ``text`` names: a path, the name of a folder in ``root``, the
    name of an experiment, the start (6 characters or more) of a digest, or "last".

    A name of several runs means the latest. Raises `RunError` where there is none.
    """
    path = Path(text)
    if path.is_dir():
        return path
    if (root / path).is_dir() and not path.is_absolute():
        return root / path
    name = str(text)
    entries = list_runs(root) if root.is_dir() else []
    finished = [each for each in entries if each.state == "finished"]
    for each in finished or entries:
        prefix = len(name) >= 6 and each.digest.startswith(name)
        if name == "last" or name == each.name or prefix:
            return each.folder
    names = ", ".join(dict.fromkeys(each.folder.name for each in entries[:5]))
    known = (
        f"{root} contains {names}"
        if names
        else f"{root} contains no run; name the folder of a run, as printed after 'Results:'"
    )
    raise RunError(f"there is no run {name!r}; {known}")


def _run_folders(root: Path, points: bool, depth: int) -> Iterator[Path]:
    """Run folders at or below ``root``; nothing within one is searched but its points."""
    if (root / MARK).is_file():
        yield root
        if points and (root / "points").is_dir():
            yield from (each for each in _folders(root / "points") if (each / MARK).is_file())
        return
    if depth:
        for each in _folders(root):
            yield from _run_folders(each, points, depth - 1)


def _folders(root: Path) -> list[Path]:
    try:
        found = [each for each in root.iterdir() if each.is_dir() and not each.is_symlink()]
    except OSError:
        return []
    return sorted(found)[:MOST]


def _begun(path: Path) -> str:
    """When a run last began a file of its folder."""
    try:
        return utc_text((path / MARK).stat().st_mtime)
    except OSError:
        return ""


def _shard_entry(path: Path, digest: str) -> RunEntry:
    """The entry of a finished shard, which has no result before it is merged."""
    try:
        about = read_object(path / "shard.json")
        text = f"shard {int(about['number'])}/{int(about['count'])}, finished"
        name = str(about.get("name", ""))
    except _UNREADABLE as error:
        return RunEntry(path, path.name, "unreadable", digest, str(error), started=_begun(path))
    return RunEntry(path, name, "shard", digest, text, started=_begun(path))


def _entry(path: Path) -> RunEntry:
    digest = digest_of_run(path)
    if not (path / "result.json").is_file():
        if (path / "shard.json").is_file() and not in_use(path):
            return _shard_entry(path, digest)
        state: State = "running" if in_use(path) else "stopped"
        return RunEntry(path, path.name, state, digest, started=_begun(path))
    try:
        if (path / "sweep.json").is_file():
            about = read_object(path / "sweep.json")
            text = f"a sweep of {len(about.get('points', ())):,} points"
            started = str(read_object(path / "provenance.json")["timing"]["started"])
            return RunEntry(
                path, str(about.get("name", "")), "sweep", digest, text, started=started
            )
        run = open_run(path)
        return RunEntry(
            path,
            run.name,
            "running" if in_use(path) else "finished",
            run.digest,
            run.headline,
            int(run.result.get("papers", 0)),
            int(run.result.get("failures", 0)),
            len(run.warnings) + len(run.faults),
            run.usd,
            run.started,
        )
    except _UNREADABLE as error:
        return RunEntry(path, path.name, "unreadable", digest, str(error), started=_begun(path))
