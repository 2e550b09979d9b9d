"""Child processes that compute items: for steps that need a processor, not a connection.

The names are loaded when they are first used: a child that only reads facts needs none of them.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revkit.execution.processes.children import Children, FactReaders
else:
    from revkit.lazy_names import lazy_names

    __getattr__ = lazy_names(__name__, {"children": "Children FactReaders"})

__all__ = ["Children", "FactReaders"]
