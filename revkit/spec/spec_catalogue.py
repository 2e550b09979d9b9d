"""The specs that are included in revkit, found by name from any folder."""

from __future__ import annotations

import re
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.errors import Problem, SpecError
from revkit.files import shipped_folder
from revkit.options import unknown_name

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST = 60  # longer ones are neither names nor, beyond 255, files


@dataclass(frozen=True)
class ShippedSpec:
    """A spec that is included in revkit: its name, its file, and the question that it answers."""

    name: str
    path: Path
    question: str


def shipped_specs() -> dict[str, ShippedSpec]:
    """Return the specs that are included in revkit, by name in alphabetical order."""
    files = sorted(shipped_folder().glob("*.yaml"))
    return {path.stem: ShippedSpec(path.stem, path, _question(path)) for path in files}


def spec_file(spec: str | Path) -> Path:
    """Return the file of a spec: ``spec`` itself, or the included spec with this name.

    A file of that name in the working folder comes first; a folder is not a spec. Raises
    `SpecError` for a name that is neither.
    """
    path = Path(spec)
    # The system refuses to look for very long names.
    named = len(str(spec)) <= _LONGEST and _NAME.fullmatch(str(spec)) is not None
    if named and (not path.exists() or path.is_dir()):
        shipped = shipped_folder() / f"{spec}.yaml"
        if shipped.is_file():
            return shipped
        if path.is_dir():
            return path
        known = [each.stem for each in shipped_folder().glob("*.yaml")]
        raise SpecError([Problem(unknown_name("experiment", str(spec), known), source=str(spec))])
    return path


def _question(path: Path) -> str:
    """Return the first sentence of the first comment that is not for editors."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        text = line.lstrip("#").strip()
        if text and not text.startswith("yaml-language-server"):
            lines.append(text)
        elif lines:
            break
    whole = " ".join(lines)
    end = re.search(r"[.?](?= |$)", whole)
    return whole[: end.end()] if end else whole
