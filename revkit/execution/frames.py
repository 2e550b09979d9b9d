"""Where a plugin crashed, without revealing where its files lie."""

from __future__ import annotations

import traceback
from pathlib import Path

import revkit
from revkit.errors import describe_error

_CORE = Path(revkit.__file__).parent
_STANDARD = Path(traceback.__file__).parent


def error_text(error: BaseException) -> str:
    """Return the first line of an error that a plugin raised, and its place: the file, line and
    function of the plugin's frames, innermost last."""
    line = describe_error(error).splitlines()[0][:500]
    places = plugin_frames(error)
    return f"{line} (in {' > '.join(places)})" if places else line


def plugin_frames(error: BaseException, most: int = 3) -> list[str]:
    """Return the innermost frames of ``error`` that are neither of revkit's core nor of the
    standard library, as "folder/file.py:12 in function"; no other part of a path."""
    found = []
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        standard = path.is_relative_to(_STANDARD) and "site-packages" not in path.parts
        if not (standard or path.is_relative_to(_CORE) or frame.filename.startswith("<")):
            found.append(f"{path.parent.name}/{path.name}:{frame.lineno} in {frame.name}")
    return found[-most:]
