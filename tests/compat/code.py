"""The code that a component rests on: the modules of its plugin that it imports, at any depth."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.source_nodes import nodes_of

ROOT = Path(__file__).parents[2]
PLUGINS = ROOT / "plugins"


def path_of(module: str) -> Path | None:
    """The file of a module of our plugins, None where there is none."""
    place = PLUGINS.joinpath(*module.split("."))
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            return path
    return None


@cache
def imports_of(module: str) -> frozenset[str]:
    """The modules of its own plugin that a module imports, in functions as well."""
    path = path_of(module)
    assert path is not None, module
    top = module.partition(".")[0]
    names: set[str] = set()
    for node in nodes_of(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(name for name in names if name.partition(".")[0] == top and path_of(name))


def modules_behind(module: str) -> list[str]:
    """``module`` and all modules of its plugin that it imports, directly or not, sorted."""
    seen: set[str] = set()
    rest = [module]
    while rest:
        name = rest.pop()
        if name not in seen:
            seen.add(name)
            rest += imports_of(name)
    return sorted(seen)


def files_behind(module: str) -> list[Path]:
    """The files of `modules_behind`."""
    return [path for name in modules_behind(module) if (path := path_of(name)) is not None]


@cache
def names_in(path: Path) -> frozenset[str]:
    """The text constants of a source, names of data files among them, but for what ``data`` of a
    component lists."""
    found: set[str] = set()
    rest: list[ast.AST] = [ast.parse(path.read_bytes())]
    while rest:
        node = rest.pop()
        if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == "data":
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        rest += ast.iter_child_nodes(node)
    return frozenset(found)
