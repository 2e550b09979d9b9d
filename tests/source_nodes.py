"""The nodes of the source of a module, for tests that read all of the product."""

from __future__ import annotations

import ast


def nodes_of(tree: ast.AST) -> list[ast.AST]:
    """Return the nodes of ``tree`` in the order of `ast.walk`, but for contexts such as `ast.Load`.

    It takes a third of the time of `ast.walk`.
    """
    found = [tree]
    for node in found:
        for value in vars(node).values():
            if type(value) is list:
                found.extend(each for each in value if isinstance(each, ast.AST))
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                found.append(value)
    return found
