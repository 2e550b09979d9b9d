"""No module of a plugin imports another that imports it back, not even in a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.compat.code import PLUGINS, path_of

FOLDERS = sorted(path.parent.name for path in PLUGINS.glob("*/__init__.py"))


def imports_of(module: str) -> set[str]:
    """The modules of its plugin that a module imports when it runs."""
    path = path_of(module)
    assert path is not None
    top = module.partition(".")[0]
    names: set[str] = set()
    for node in _run(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            names |= {name if path_of(name) else node.module for name in whole}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name for name in names if name.partition(".")[0] == top and path_of(name)}


def _run(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree, without what only type checkers read."""
    rest = [tree]
    while rest:
        node = rest.pop()
        yield node
        typed = isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        rest += node.orelse if isinstance(node, ast.If) and typed else ast.iter_child_nodes(node)


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import one another, by what each can reach."""

    def reach(start: str) -> set[str]:
        seen: set[str] = set()
        rest = [start]
        while rest:
            for name in graph[rest.pop()] - seen:
                seen.add(name)
                rest.append(name)
        return seen

    reached = {name: reach(name) for name in graph}
    groups = {
        tuple(sorted(other for other in reached[name] if name in reached[other]))
        for name in graph
        if name in reached[name]
    }
    return [list(group) for group in sorted(groups)]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_modules_import_one_another(folder: str) -> None:
    modules = [
        ".".join(path.relative_to(PLUGINS).with_suffix("").parts).removesuffix(".__init__")
        for path in (PLUGINS / folder).rglob("*.py")
    ]
    assert circles({module: imports_of(module) for module in modules}) == []


def test_circles_are_seen() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == [["b", "c"]]
