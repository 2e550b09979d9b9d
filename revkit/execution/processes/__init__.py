"""Child processes that compute items: for steps that need a processor, not a connection."""

from revkit.execution.processes.children import Children

__all__ = ["Children"]
