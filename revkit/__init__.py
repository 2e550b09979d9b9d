"""revkit: test whether an AI reviewer of scientific papers can be trusted.

The public names are listed in ``__init__.pyi``, where type checkers find them. Each is loaded when
it is first used, so ``import revkit`` costs almost nothing.
"""

from __future__ import annotations

__version__ = "0.2.0"
_modules: dict[str, str] = {}


def _exports() -> dict[str, str]:
    """Return each public name with its module, as in ``__init__.pyi``; read on first use."""
    if not _modules:
        import ast
        from pathlib import Path

        for node in ast.parse(Path(__file__).with_suffix(".pyi").read_bytes()).body:
            if isinstance(node, ast.ImportFrom):
                _modules.update((alias.name, str(node.module)) for alias in node.names)
    return _modules


def __getattr__(name: str) -> object:
    if name == "__all__":
        return __dir__()
    if name.startswith("_") or name not in _exports():
        raise AttributeError(f"module 'revkit' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_exports()[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_exports(), "__version__"])
