"""The packages in a program's environment: versions and sources, read without running the
program.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from revkit.model.strict_json import strict_json
from revkit.model.values import Json


def site_folders(program: str) -> list[Path]:
    """Return the folders of installed packages of the environment to which ``program`` belongs, or
    to which the target of its link belongs.
    """
    place = shutil.which(program) or program
    found: dict[Path, None] = {}
    for base in dict.fromkeys((os.path.abspath(place), os.path.realpath(place))):
        prefix = Path(base).parent.parent
        found |= dict.fromkeys(sorted(prefix.glob("lib*/python3*/*-packages")))
    if os.path.abspath(place) == os.path.abspath(sys.executable):
        found |= {Path(each): None for each in sys.path if each.endswith("-packages")}
    return list(found)


def package_version(program: str, package: str) -> str:
    """Return the version of the distribution ``package`` in the environment of ``program``; "" if
    it is missing.
    """
    wanted = _plain(package)
    for folder in site_folders(program):
        for info in sorted(folder.glob("*.dist-info")):
            name, version = _of(info)
            if _plain(name) == wanted:
                return version
    return ""


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


def _of(info: Path) -> tuple[str, str]:
    name, _, version = info.name.removesuffix(".dist-info").partition("-")
    return name, version


def source_folders(sites: Sequence[Path]) -> list[Path]:
    """Return other folders from which installed packages are imported: those that a ``.pth`` file
    names, and the sources of editable installations.
    """
    found: dict[Path, None] = {}
    for site in sites:
        for file in sorted(site.glob("*.pth")):
            for line in _text(file).splitlines():
                if line.strip() and not re.match(r"\s*(?:#|import\b)", line):
                    found[site / line.strip()] = None
        for file in sorted(site.glob("*.dist-info/direct_url.json")):
            root = _editable(_text(file))
            if root is not None:
                found |= {root / "src": None, root: None}
    return [folder for folder in found if folder.is_dir()]


def _editable(text: str) -> Path | None:
    try:
        origin = strict_json(text)
        if not origin["dir_info"]["editable"]:
            return None
        return Path(unquote(urlsplit(origin["url"]).path))
    except (ValueError, KeyError, TypeError):
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


class Installed:
    """The distributions in ``sites``, by their top-level modules."""

    def __init__(self, sites: Sequence[Path]) -> None:
        self._sites = sites

    def describe(self, top: str) -> list[Json] | None:
        """Return name, version and a digest of the recorded digests of the distribution with module
        ``top``; None if no distribution recorded the module.
        """
        for site in self._sites:
            try:
                changed = site.stat().st_mtime_ns
            except OSError:
                continue
            record = _distributions_of(site, changed).get(top)
            if record is not None:
                return [*_of(record.parent), _digest(record, top)]
        return None


@lru_cache(maxsize=32)
def _distributions_of(site: Path, changed: int) -> dict[str, Path]:  # noqa: ARG001 (part of the key)
    """Return each top-level module in ``site`` with the record of installed files that lists it."""
    found: dict[str, Path] = {}
    for record in sorted(site.glob("*.dist-info/RECORD")):
        for line in _text(record).splitlines():
            path = line.partition(",")[0]
            first = path.partition("/")[0]
            top = first if "/" in path else re.sub(r"(?:\..*)?\.(?:py|so)$", "", first)
            if top.isidentifier():
                found.setdefault(top, record)
    return found


def _digest(record: Path, top: str) -> str:
    kept = [
        line
        for line in _text(record).splitlines()
        if line.startswith((f"{top}/", f"{top}.")) and ",sha256=" in line
    ]
    return hashlib.sha256("\n".join(sorted(kept)).encode()).hexdigest()[:16]
