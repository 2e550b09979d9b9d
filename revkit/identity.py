"""Identity: what decides the answers of a component, for cache keys and fingerprints of maps.

A component that declares a reviewed ``version`` is identified by that version, its options and the
content of the data files that it names. A comment, a docstring or a new component beside it changes
none of these, so stored answers stay valid. A component without a version is identified by the
code of its package, read without comments and formatting.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import sys
import sysconfig
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

from revkit.contracts import KINDS, Component
from revkit.errors import PluginError, RevkitError, describe_error
from revkit.model.values import Json, canonical_json, digest_of

ONE_OFF = "revkit_plugin_"

# The rooms of the core that decide answers, each with its reviewed version: raise one where a
# change of the room's code changes any answer, and everything is computed again. Answers of
# language models are kept: their keys hold no code.
ROOMS: Mapping[str, str] = MappingProxyType(
    {
        "contracts": "1",
        "encoders": "1",
        "english": "2",
        "execution.work": "1",
        "figures": "5",
        "files": "1",
        "forms": "1",
        "grammar": "1",
        "meaning": "6",
        "model": "9",
        "options": "1",
        "papers": "8",
        "prompting": "1",
        "services": "1",
        "stats": "5",
        "works": "1",
        "venues": "1",
    }
)

# Modules whose classes a component may derive from without being a plugin's code.
_NO_PLUGINS = {"revkit", "abc", "builtins", "typing"}


def kind_of_class(component: type) -> str:
    """Return the kind of a component class. Raises `PluginError` for a class of an unknown kind."""
    for kind in KINDS.values():
        if issubclass(component, kind.base):
            return kind.name
    raise PluginError(f"{component.__qualname__} does not belong to a known kind of component")


def kind_of(component: Component) -> str:
    """Return the kind of a component."""
    return kind_of_class(type(component))


def core_digest() -> str:
    """Return the digest of the reviewed versions of the core's rooms (16 hexadecimal digits)."""
    return digest_of(dict(ROOMS))[:16]


def version_of(component: type[Component]) -> str:
    """Return the version for cache keys: the reviewed version, or a digest of the code.

    A version counts for the package of the class that declares it: a class that derives from
    another package's component has the versions of both, and without one its code is digested:
    every file of the top-level package, or the one file and the modules of no package that it
    imports. A class without a file, as in an interactive session, gets a version that is new in
    each process.
    """
    versions: dict[str, str] = {}
    own = _package(component)
    for base in component.__mro__:
        package = _package(base)
        if package == own or package not in _NO_PLUGINS:
            versions[package] = versions.get(package) or vars(base).get("version", "")
    parts = [version or code_digest(name) for name, version in sorted(versions.items())]
    return parts[0] if len(parts) == 1 else digest_of(list(parts))[:16]


def _package(component: type) -> str:
    """Return the outermost package with a file around a class; below a namespace package, its
    part.
    """
    parts = component.__module__.split(".")
    for count in range(1, len(parts)):
        name = ".".join(parts[:count])
        if getattr(sys.modules.get(name), "__file__", None):
            return name
    return component.__module__


def package_of(component: type[Component]) -> str:
    """The package of a component: it separates components of one kind, name and version.

    For a one-off file it is the digest of the file, since such files have no plugin name.
    """
    package = _package(component)
    return code_digest(package) if package.startswith(ONE_OFF) else package


def data_files(component: type[Component]) -> list[Path]:
    """Return the data files that a component and its bases name in ``data``, sorted.

    Raises `PluginError` for a name that matches no file.
    """
    paths: set[Path] = set()
    for base in component.__mro__:
        for name in vars(base).get("data", ()):
            package, mark, pattern = name.rpartition(":")
            folder = _folder_of(package if mark else base.__module__)
            matches = {path for path in folder.glob(pattern) if path.is_file()}
            if not matches:
                raise PluginError(f"{component.__qualname__}: its data {name!r} match no file")
            paths |= matches
    return sorted(paths)


def _folder_of(module: str) -> Path:
    try:
        loaded = sys.modules.get(module) or importlib.import_module(module)
    except ImportError as error:
        raise PluginError(f"data of package {module!r}: {error}") from None
    file = getattr(loaded, "__file__", None)
    if file is None:
        raise PluginError(f"{module} has no folder for data")
    return Path(file).parent


@cache
def data_digest(component: type[Component]) -> str:
    """Return the digest of the content of `data_files`, "" without any; the location of a file does
    not matter.
    """
    paths = data_files(component)
    bodies = sorted((path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in paths)
    return digest_of([list(body) for body in bodies])[:16] if bodies else ""


def identity_of(component: Component) -> dict[str, Json]:
    """Return the part of a key or a fingerprint that identifies one component.

    Raises `PluginError` where the component cannot state its identity: a file of it is gone, say.
    """
    try:
        options = component.identity()
        canonical_json(options)
        data = data_digest(type(component))
    except RevkitError:
        raise
    except (Exception, SystemExit) as error:  # a plugin may raise anything
        reason = describe_error(error).splitlines()[0]
        where = f"{kind_of(component)} {component.name!r}"
        raise PluginError(f"{where}: its identity: {reason}") from error
    return {
        "kind": kind_of(component),
        "name": component.name,
        "package": package_of(type(component)),
        "version": version_of(type(component)),
        "options": options,
        **({"data": data} if data else {}),
    }


def settings_of(component: Component) -> dict[str, Json]:
    """Return the identity of a component without its code: kind, name, package, data files,
    options.
    """
    identity = identity_of(component)
    del identity["version"]
    if _package(type(component)).startswith(ONE_OFF):
        del identity["package"]  # that of a one-off file is a digest of its code
    return identity


@cache
def code_digest(module_name: str) -> str:
    """Return the digest of the code of a package, or of a module with the modules of no package
    that it imports (16 hexadecimal digits): comments and formatting of Python files do not count.
    """
    module = sys.modules.get(module_name)
    file = getattr(module, "__file__", None)
    if file is None or not Path(file).is_file():
        return f"session-{uuid.uuid4().hex}"
    path = Path(file)
    if path.name == "__init__.py":
        return digest_of_code(sorted(path.parent.rglob("*")), path.parent)
    imported = sorted(set(_imported_files(path, set())) - {path.resolve()})
    if not imported:
        return digest_of_code([path], path.parent)
    # By their names alone, so that a folder that moves stays what it is.
    parts = [digest_of_code([each], each.parent) for each in (path, *imported)]
    return digest_of(list(parts))[:16]


def _imported_files(path: Path, seen: set[str]) -> Iterator[Path]:
    """Return the files of the modules that the file at ``path`` imports and that belong to no
    package: outside the standard library, installed packages and revkit. Their changes count as
    changes of the file.
    """
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
    for name in sorted({name.partition(".")[0] for name in names} - seen):
        seen.add(name)
        file = getattr(sys.modules.get(name), "__file__", None)
        own = name == "revkit" or name.startswith("revkit_")
        if own or file is None or not Path(file).is_file() or _is_installed(Path(file)):
            continue
        place = Path(file).resolve()
        if place.name == "__init__.py":
            yield from (each for each in place.parent.rglob("*.py") if each.is_file())
        else:
            yield place
            yield from _imported_files(place, seen)


@cache
def _installed_places() -> tuple[Path, ...]:
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return tuple(Path(sysconfig.get_paths()[name]).resolve() for name in names)


def _is_installed(path: Path) -> bool:
    return any(path.resolve().is_relative_to(place) for place in _installed_places())


def digest_of_code(paths: Iterable[Path], root: Path, *, docstrings: bool = True) -> str:
    """Return the SHA-256 (first 16 hexadecimal digits) of the names below ``root`` and the content
    of files.

    Python files count by their syntax tree, so comments and formatting do not; ``docstrings``
    says whether docstrings do. Other files count by their bytes.
    """
    total = hashlib.sha256()
    for path in paths:
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc":
            body = path.read_bytes()
            if path.suffix == ".py":
                body = _normal_form(body, docstrings)
            total.update(f"{path.relative_to(root).as_posix()}\0{len(body)}\0".encode())
            total.update(body)
    return total.hexdigest()[:16]


def _normal_form(source: bytes, docstrings: bool) -> bytes:
    """Return the syntax tree of a source as text; a source that is not Python is returned
    unchanged.
    """
    try:
        tree = ast.parse(source)
        if not docstrings:
            _without_docstrings(tree)
        parts: list[str] = []
        _write(tree, parts)
    except (SyntaxError, ValueError, RecursionError):
        return source
    return "".join(parts).encode("utf-8", "surrogatepass")


def _without_docstrings(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            body: Sequence[ast.stmt] = node.body
            if ast.get_docstring(node, clean=False) is not None:
                node.body = list(body[1:]) or [ast.Pass()]


def _write(node: object, parts: list[str]) -> None:
    """Write a tree without `ast.dump`, whose output of empty fields differs between versions of
    Python.
    """
    if isinstance(node, ast.AST):
        parts.append(f"({type(node).__name__}")
        for name, value in ast.iter_fields(node):
            if value is not None and value != [] and name not in ("ctx", "kind", "type_comment"):
                parts.append(f" {name}=")
                _write(value, parts)
        parts.append(")")
    elif isinstance(node, list):
        parts.append("[")
        for each in node:
            _write(each, parts)
            parts.append(",")
        parts.append("]")
    else:
        parts.append(repr(node))
