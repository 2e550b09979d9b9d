"""The entry points of ``pyproject.toml``, for a checkout that was installed before the last was
added."""

from __future__ import annotations

import sys
import tempfile
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent


@cache
def folder() -> Path | None:
    """A folder for the front of the path, None where the installed entry points are those of
    ``pyproject.toml``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points: dict[str, str] = project["entry-points"]["revkit"]
    ours = {
        point.name: point.value
        for point in metadata.entry_points(group="revkit")
        if point.dist is not None and point.dist.name == "revkit"
    }
    if ours == points:
        return None
    place = Path(tempfile.mkdtemp(prefix="revkit-entry-points-"))
    about = place / f"revkit-{project['version']}.dist-info"
    about.mkdir()
    lines = [f"{name} = {value}" for name, value in points.items()]
    (about / "entry_points.txt").write_text("\n".join(["[revkit]", *lines, ""]), encoding="utf-8")
    version = f"Metadata-Version: 2.1\nName: revkit\nVersion: {project['version']}\n"
    (about / "METADATA").write_text(version, encoding="utf-8")
    return place


def use() -> None:
    """Let this process find the entry points of ``pyproject.toml``."""
    place = folder()
    if place is not None:
        sys.path.insert(0, str(place))
