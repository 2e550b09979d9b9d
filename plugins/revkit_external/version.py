"""Which version of a program reviews: what a stored review depends on besides options."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from revkit.model.values import Json

_LARGEST = 50_000_000


def program_identity(argv: Sequence[str], package: str) -> Json:
    """The version of ``package`` beside the program, and digests of the files that argv names.

    Without a package, a program given by its path is told by its content, and one found on the
    PATH by its name alone; name its package so that a new version is a new reviewer.
    """
    if not argv:
        return []
    found: list[Json] = []
    if package:
        found.append([package, package_version(argv[0], package)])
    elif os.sep in argv[0]:
        found.append(_digest(Path(argv[0].replace("{start_dir}", os.getcwd()))))
    for text in argv[1:]:
        path = Path(text.replace("{start_dir}", os.getcwd()))
        if os.sep in text and path.is_absolute() and path.is_file():
            found.append(_digest(path))
    return found


def _digest(path: Path) -> Json:
    try:
        if path.stat().st_size > _LARGEST:
            return [path.name, path.stat().st_size]
        return [path.name, hashlib.sha256(path.read_bytes()).hexdigest()[:16]]
    except OSError:
        return [path.name, "absent"]


def package_version(program: str, package: str) -> str:
    """The version of ``package`` in the environment to which ``program`` belongs, without running
    it: from the metadata beside the folder of the program (or of what it links to). "" if unknown.
    """
    place = shutil.which(program) or program
    wanted = re.sub(r"[-_.]+", "_", package).lower()
    for base in dict.fromkeys((os.path.abspath(place), os.path.realpath(place))):
        prefix = Path(base).parent.parent
        for folder in sorted(prefix.glob("lib*/python3*/*-packages")):
            for info in sorted(folder.glob("*.dist-info")):
                name, _, version = info.name.removesuffix(".dist-info").partition("-")
                if re.sub(r"[-_.]+", "_", name).lower() == wanted:
                    return version
    return ""
