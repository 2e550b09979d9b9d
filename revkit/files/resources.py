"""Resources: files that an installed package brings along, named as "package:NAME/FILE"."""

from __future__ import annotations

import importlib.util
from pathlib import Path

PREFIX = "package:"


def located(path: str | Path) -> Path:
    """Return the place of the file that an option names.

    "package:revkit_robustrev/pool.jsonl" is the file ``pool.jsonl`` of the package
    ``revkit_robustrev``, wherever that is installed; anything else is a path, taken as it is. The
    package is not imported. Raises `ValueError` for a package that is not installed, and for a file
    outside of it.
    """
    name = str(path)
    if not name.startswith(PREFIX):
        return Path(path)
    package, _, file = name.removeprefix(PREFIX).partition("/")
    if not package.isidentifier() or not file:
        raise ValueError(f"{name!r} is not of the form {PREFIX}NAME/FILE")
    if ".." in Path(file).parts or Path(file).is_absolute() or "\0" in file:
        raise ValueError(f"{name!r} names a file outside of the package")
    spec = importlib.util.find_spec(package)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        raise ValueError(f"the package {package!r} is not installed")
    return Path(folders[0]) / file
