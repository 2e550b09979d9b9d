"""The stamp of the code behind our components and the core's rooms.

``python tests/compat/stamp.py`` writes ``versions.json``: for each component and room the reviewed
version and a digest of its code without comments, docstrings and formatting.
``test_versions.py`` compares it with the code at hand.
"""

from __future__ import annotations

import importlib
import json
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "plugins")]

from revkit import identity  # noqa: E402
from revkit.identity import ROOMS, digest_of_code, version_of  # noqa: E402
from revkit.registry import Registry, load_registry  # noqa: E402
from tests.compat.code import files_behind  # noqa: E402

FILE = Path(__file__).parent / "versions.json"
Stamp = Mapping[str, Mapping[str, str]]

# Rooms of the core that decide no answer of a component: they call, store, describe or render.
NO_ANSWERS = {
    # "documents", "pairsets" and "scan" make texts of files, and keys hold the digest of a text.
    "__init__", "__main__", "api", "cache", "calibration", "cli", "cleanup", "dataclass",
    "documents", "errors", "execution", "hookspecs", "http", "identity", "lazy_names",
    "model_settings", "observing",
    "pairsets", "places", "plain_schema", "planning", "processors", "registry", "runs", "scan",
    "schemas", "sheets", "simulation", "spec", "testing",
}  # fmt: skip


# A file is behind many components.
vars(identity)["_normal_form"] = cache(vars(identity)["_normal_form"])


def first_party() -> Registry:
    """What the entry points in pyproject.toml name, whether revkit is installed or not."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    points = table["project"]["entry-points"]["revkit"].values()
    registry = load_registry([importlib.import_module(point) for point in points])
    ours = [entry for entry in registry.entries if entry.component.__module__.startswith("revkit_")]
    return Registry(tuple(ours))


def rooms() -> set[str]:
    """The rooms of the core: the modules and packages in ``revkit/``."""
    return {
        path.stem
        for path in (ROOT / "revkit").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    }


def _room_files(room: str) -> list[Path]:
    place = (ROOT / "revkit").joinpath(*room.split("."))
    return sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]


def stamp_now() -> dict[str, dict[str, str]]:
    """The stamp of the code at hand."""
    stamp = {
        f"core {room}": {
            "version": version,
            "code": digest_of_code(_room_files(room), ROOT, docstrings=False),
        }
        for room, version in ROOMS.items()
    }
    for entry in first_party().entries:
        files = files_behind(entry.component.__module__)
        stamp[f"{entry.kind} {entry.name}"] = {
            "version": version_of(entry.component),
            "code": digest_of_code(files, ROOT, docstrings=False),
        }
    return dict(sorted(stamp.items()))


def main() -> None:
    unlisted = sorted(rooms() - {room.partition(".")[0] for room in ROOMS} - NO_ANSWERS)
    if unlisted:
        sys.exit(
            f"new rooms of the core: {', '.join(unlisted)}. List each in revkit.identity.ROOMS, "
            "or in NO_ANSWERS of tests/compat/stamp.py where it decides no answer."
        )
    FILE.write_text(json.dumps(stamp_now(), indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{FILE.relative_to(ROOT)} renewed\n")


if __name__ == "__main__":
    main()
