"""A class name means one thing: no two of our plugins define a public class of one name."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.compat.code import PLUGINS

# Names that still have two meanings. The list only shrinks: rename one of the classes, or move
# what they share into a public room, and take the name out.
KNOWN: set[str] = set()


def shared_names() -> dict[str, list[str]]:
    """Public classes by name, with the plugins that define one, where these are several."""
    plugins: dict[str, set[str]] = defaultdict(set)
    for path in PLUGINS.rglob("*.py"):
        for node in ast.parse(path.read_bytes()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                plugins[node.name].add(path.relative_to(PLUGINS).parts[0])
    return {name: sorted(found) for name, found in sorted(plugins.items()) if len(found) > 1}


def test_no_two_plugins_define_a_class_of_one_name() -> None:
    new = {name: plugins for name, plugins in shared_names().items() if name not in KNOWN}
    assert new == {}
