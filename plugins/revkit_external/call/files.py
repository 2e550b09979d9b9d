"""The one output file of a call: matched by a glob, read up to a limit, optionally through a
filter.
"""

from __future__ import annotations

import glob
import os
from pathlib import Path

from revkit_external.call.attempt import CallError
from revkit_external.call.call_mask import CallMask


def one_file(pattern: str, root: Path) -> Path:
    """Return the one file that ``pattern`` matches, inside ``root``.

    Raises `CallError` of kind "unparseable" if there is not exactly one: to choose one would be a
    guess. Targets of links outside the call's folders are not read.
    """
    base = os.path.realpath(root)
    found = sorted(
        path
        for path in glob.glob(pattern, recursive=True, include_hidden=True)
        if os.path.isfile(path)
    )
    inside = [path for path in found if os.path.realpath(path).startswith(base + os.sep)]
    if len(inside) == 1:
        return Path(inside[0])
    masked = CallMask()(pattern)
    if len(inside) > 1:
        names = ", ".join(os.path.relpath(path, root) for path in inside[:5])
        raise CallError(
            "unparseable",
            f"output: {masked} matches {len(inside)} files ({names}); it must match one",
        )
    made = list_files(root)
    there = f"files made: {', '.join(made[:8])}" if made else "no file was written"
    raise CallError("unparseable", f"output: {masked} matches no file; {there}")


def list_files(root: Path) -> list[str]:
    """Return the files of a call, relative to its root, at most about 1,000."""
    found = []
    for part in ("out", "work", "in"):
        for folder, _, names in os.walk(root / part):
            found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
            if len(found) > 1000:
                break
    return sorted(found)


def read_bounded(path: Path, most: int) -> bytes:
    """Return the content of ``path``. Raises `CallError` if it has more than ``most`` bytes."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise CallError("truncated", f"output: {path.name} has more than {most} bytes")
    return data
