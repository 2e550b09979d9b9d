"""Faults: components that crashed in a run, such as a metric; the run continued without them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, TypeAlias, get_args

from revkit import errors
from revkit.dataclass import dataclass
from revkit.execution.old_format import fault_in_text
from revkit.model.values import Json

FaultKind: TypeAlias = Literal["fit", "metric", "report", "point"]


# Errors that revkit raises deliberately: their texts need no name of a class.
_PREFIXES = {
    name: ""
    for name, each in vars(errors).items()
    if isinstance(each, type) and issubclass(each, errors.RevkitError)
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One crash: of the ``fit`` of a map ("agent/map"), a ``metric``, a ``report``, or a whole
    ``point`` of a sweep.

    ``error`` is the class of the exception ("" for a point) and ``detail`` its text. ``point`` is
    the label of the point of a sweep at which it happened.
    """

    kind: FaultKind
    name: str
    error: str
    detail: str
    point: str = ""

    @classmethod
    def of(cls, kind: FaultKind, name: str, error: BaseException) -> Fault:
        """Return the fault of a component that raised ``error``."""
        return cls(kind, name, type(error).__name__, errors.message_of(error))

    def at(self, point: str) -> Fault:
        """Return the same fault as a fault of a sweep."""
        return replace(self, point=point)

    def __str__(self) -> str:
        if self.kind == "point":
            return f"{self.name}: {self.detail}"
        where = f"{self.point}: " if self.point else ""
        name = f"fit/{self.name}" if self.kind == "fit" else f"{self.kind} {self.name}"
        error = _PREFIXES.get(self.error, f"{self.error}: ")
        return f"{where}{name}: {error}{self.detail}"

    def to_json(self) -> dict[str, Json]:
        fault: dict[str, Json] = {
            "kind": self.kind,
            "name": self.name,
            "error": self.error,
            "detail": self.detail,
        }
        return {**fault, "point": self.point} if self.point else fault


def fault_from_json(value: Any) -> Fault:
    """Read a fault: from its fields, or from the text that runs of revkit 0.1 contain.

    Raises `ValueError` for a value that is neither.
    """
    if isinstance(value, str):
        value = fault_in_text(value)
    if not isinstance(value, dict) or value.get("kind") not in get_args(FaultKind):
        raise ValueError(f"expected a fault, not {value!r}")
    texts = [value.get(key, "") for key in ("name", "error", "detail", "point")]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"expected a fault, not {value!r}")
    return Fault(value["kind"], *texts)
