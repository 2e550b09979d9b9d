"""Names of a package that are loaded when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """Return the function ``__getattr__`` of ``package``, which imports each name from its module.

    ``modules`` gives the names by the module in the package that defines them, separated by blanks.
    These modules, too, are attributes of the package. No name may be called like a module of the
    package: once imported, the module has the name. Any other name raises `AttributeError`.
    ``dir(package)`` lists the names from now on.
    """
    places = {name: module for module, names in modules.items() for name in names.split()}
    content = vars(sys.modules[package])
    content["__dir__"] = lambda: sorted({*content, *places})

    def load(name: str) -> object:
        if name in modules:
            return import_module(f"{package}.{name}")
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{places[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
