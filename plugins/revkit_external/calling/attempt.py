"""One try of one call: what came back, or why nothing did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from revkit.model.review import FailureKind
from revkit.model.values import Json


@dataclass
class Answered:
    """What a reviewer answered. ``text`` is what is read, masked and clean; ``shown`` what else
    it printed, for the record of a failure; ``given`` what it was given; ``details`` what a
    review's record says of the call (the renderer)."""

    text: str
    given: Mapping[str, Json] = field(default_factory=dict)
    shown: Mapping[str, Json] = field(default_factory=dict)
    details: Mapping[str, Json] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


class CallError(Exception):
    """No answer: the kind and detail of the `Failure`, and ``reasons`` by which a retry names it.

    ``after`` is how many seconds a server asked to wait.
    """

    def __init__(
        self,
        kind: FailureKind,
        detail: str,
        *,
        reasons: tuple[str, ...] = (),
        given: Mapping[str, Json] | None = None,
        shown: Mapping[str, Json] | None = None,
        after: float | None = None,
    ) -> None:
        self.kind: FailureKind = kind
        self.detail = detail
        self.reasons = (kind, *reasons)
        self.given = given or {}
        self.shown = shown or {}
        self.after = after
        super().__init__(detail)
