"""Find the files of a Python reviewer's code without running any of it.

From the modules or scripts that an agent names, imports are followed into the given folders and
into the source folders of editable installations. For imports of installed packages, the
distribution and its version are reported. Not covered: modules whose names a program builds at run
time, and files that it reads in other ways.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from revkit.errors import unknown_name
from revkit.model.values import Json
from revkit_external.digests import digest_of_file
from revkit_external.packages import Installed, site_folders, source_folders

_IMPORT = re.compile(
    r"(?m)(?:^|[;:])[ \t]{0,200}(?:import[ \t]+(?P<names>[\w., \t]+)|from[ \t]+(?P<name>\w[\w.]*))"
)
_CALLED = re.compile(r"(?:import_module|__import__)\(\s{0,20}[\"'](?P<name>\w[\w.]*)[\"']")
_SCRIPTS = {".py", ".sh", ".bash", ".js", ".mjs", ".ts", ".rb", ".pl", ".r", ".R", ".jl", ".lua"}
_SHEBANG = re.compile(rb"#!.{0,200}python")


@dataclass
class Code:
    """Code: ``files`` by their paths below their folders, and ``outside``, the top-level modules
    that are in none of the folders and not part of Python.
    """

    files: dict[str, Path] = field(default_factory=dict)
    outside: list[str] = field(default_factory=list)


def is_python(path: Path) -> bool:
    """Return whether ``path`` is a Python script, by its ending or its first line."""
    if path.suffix == ".py":
        return True
    try:
        with path.open("rb") as file:
            return _SHEBANG.match(file.read(300)) is not None
    except OSError:
        return False


def is_code(path: Path) -> bool:
    """Return whether ``path`` is a program or a script: by permission, ending or first line."""
    if path.suffix in _SCRIPTS or os.access(path, os.X_OK):
        return True
    try:
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def code_identity(
    names: Iterable[str], scripts: Sequence[Path], folders: Sequence[Path], interpreter: str
) -> dict[str, Json]:
    """Return ``files``, the digests of the code of ``names`` and ``scripts``; ``installed``, name,
    version and digest of the packages that the code imports from the environment of
    ``interpreter``; and ``unknown``, modules in ``names`` that were not found.
    """
    named = list(dict.fromkeys(name.partition(".")[0] for name in names))
    if not named and not scripts:
        return {"files": {}, "installed": [], "unknown": []}
    sites = site_folders(interpreter)
    code = find_code(named, scripts, [*folders, *source_folders(sites)])
    installed = Installed(sites)
    packages: list[Json] = []
    unknown: list[Json] = []
    for top in sorted(code.outside):
        known = installed.describe(top)
        if known is None and top in named:
            inside = find_code([top], (), sites)
            code.files |= inside.files
            if not inside.files:
                unknown.append(top)
        elif known is not None:
            packages.append([top, *known])
    digests: dict[str, Json] = {
        name: digest_of_file(path) for name, path in sorted(code.files.items())
    }
    return {"files": digests, "installed": packages, "unknown": unknown}


def find_code(tops: Iterable[str], scripts: Sequence[Path], folders: Sequence[Path]) -> Code:
    """Follow imports from the modules ``tops`` and the ``scripts`` through ``folders``."""
    code = Code()
    waiting = list(tops)
    for index, script in enumerate(scripts):
        code.files[f"{index}/{script.name}"] = script
        waiting += _imports(script)
    done: set[str] = set()
    while waiting:
        top = waiting.pop()
        if top in done:
            continue
        done.add(top)
        found = _module(top, folders)
        if not found and top not in sys.stdlib_module_names:
            code.outside.append(top)
        code.files |= found
        for path in found.values():
            waiting += [each for each in _imports(path) if each not in done]
    return code


def lost_name(name: str, folders: Sequence[Path]) -> str:
    """Return the message about "module:attribute" whose source in ``folders`` does not define the
    attribute; "" if it may: where the module is not one file of Python, or makes names at run time.
    """
    module, _, attribute = name.partition(":")
    inner = Path(*module.split("."))
    candidates = (
        folder / each
        for folder in folders
        for each in (inner.with_suffix(".py"), inner / "__init__.py")
    )
    source = next((path for path in candidates if path.is_file()), None)
    if source is None:
        return ""
    try:
        tree = ast.parse(source.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ""
    first = attribute.partition(".")[0]
    defined = _defined(tree)
    if source.name == "__init__.py" and _module(first, [source.parent]):
        return ""
    if first in defined or "__getattr__" in defined or "*" in defined:
        return ""
    return unknown_name(f"name in {source.name}", first, defined)


def _defined(tree: ast.Module) -> set[str]:
    """Return the names that a module may define at any level: too many rather than too few."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Name) and node.id in ("globals", "vars", "setattr", "exec"):
            names.add("*")
    return names


def _module(top: str, folders: Sequence[Path]) -> dict[str, Path]:
    """Return the files of the top-level module ``top``, by Python's search rules; none if it does
    not exist.

    A package counts with all of its files, since prompts and settings lie among them. A folder
    without ``__init__.py`` is a package where no other is found, and holds modules.
    """
    for folder in folders:
        if (folder / top / "__init__.py").is_file():
            return _below(folder / top, top)
        single = [folder / f"{top}.py", *sorted(folder.glob(f"{top}.*.so"))]
        for path in single:
            if path.is_file():
                return {path.name: path}
    for folder in folders:
        if (folder / top).is_dir():
            found = _below(folder / top, top)
            if any(path.suffix == ".py" for path in found.values()):
                return found
    return {}


def _below(folder: Path, name: str) -> dict[str, Path]:
    found: dict[str, Path] = {}
    seen: set[str] = set()
    for place, inner, files in os.walk(folder, followlinks=True):
        real = os.path.realpath(place)
        if real in seen:
            inner.clear()
            continue
        seen.add(real)
        inner[:] = sorted(each for each in inner if each[0] != "." and each != "__pycache__")
        for file in sorted(files):
            path = Path(place) / file
            if file[0] != "." and path.suffix != ".pyc" and path.is_file():
                found[f"{name}/{path.relative_to(folder).as_posix()}"] = path
    return found


def _imports(path: Path) -> Iterator[str]:
    """Return the top-level modules that the file's import statements name."""
    if path.suffix != ".py" and not is_python(path):
        return
    try:
        text = path.read_text(encoding="utf-8", errors="replace").replace("\\\n", " ")
    except OSError:
        return
    for found in _IMPORT.finditer(text):
        given = [found["name"]] if found["name"] else found["names"].split(",")
        for each in given:
            top = each.strip().split(" ")[0].partition(".")[0]
            if top.isidentifier():
                yield top
    for found in _CALLED.finditer(text):
        yield found["name"].partition(".")[0]
