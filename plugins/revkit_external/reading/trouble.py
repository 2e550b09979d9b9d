"""The exception by which reading states why there is no value."""

from __future__ import annotations

from revkit.model.review import FailureKind


class ReadingError(Exception):
    """Something that was asked for cannot be read: the kind of `Failure` it makes, and one line."""

    def __init__(self, kind: FailureKind, detail: str) -> None:
        self.kind: FailureKind = kind
        self.detail = detail
        super().__init__(detail)


def excerpt(value: object, limit: int = 80) -> str:
    """``value`` for a message: quoted, on one line, cut to ``limit`` characters."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."
