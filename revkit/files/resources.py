"""Files that are included in installed packages, named as "package:NAME/FILE"."""

from __future__ import annotations

import importlib.util
from pathlib import Path

PREFIX = "package:"
SHIPPED = f"{PREFIX}revkit/experiments/"


def shipped_folder() -> Path:
    """Return the folder of the specs that are included in revkit: in the installed package, or in a
    checkout.
    """
    package = Path(__file__).parent.parent
    installed = package / "_experiments"
    return installed if installed.is_dir() else package.parent / "experiments"


def located(path: str | Path) -> Path:
    """Return the path of the file that an option names.

    "package:revkit_robustrev/pool.jsonl" is the file ``pool.jsonl`` of the package
    ``revkit_robustrev``, wherever that is installed; "package:revkit/experiments/NAME" is a file
    beside the specs that come with revkit. Anything else is a path, taken as it is. The package is
    not imported. Raises `ValueError` for a package that is not installed, and for a file
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
    shipped = SHIPPED.removeprefix(PREFIX)
    if f"{package}/{file}".startswith(shipped):
        return shipped_folder() / f"{package}/{file}".removeprefix(shipped)
    spec = importlib.util.find_spec(package)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        raise ValueError(f"the package {package!r} is not installed")
    return Path(folders[0]) / file
