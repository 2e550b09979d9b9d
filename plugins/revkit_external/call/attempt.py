"""One attempt of one call: the answer, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from revkit.model.review import FailureKind
from revkit.model.values import Json


@dataclass
class Answered:
    """The answer of a reviewer. ``text`` is the masked and cleaned answer, ``shown`` further output
    for the record of a failure, ``given`` the input of the reviewer, and ``details`` what the
    record of a review states about the call (the renderer).
    """

    text: str
    given: Mapping[str, Json] = field(default_factory=dict)
    shown: Mapping[str, Json] = field(default_factory=dict)
    details: Mapping[str, Json] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


class CallError(Exception):
    """A call without an answer: the kind and detail of the `Failure`, and the ``reasons`` by which
    a retry rule names it.

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
