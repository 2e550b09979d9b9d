"""The exception that states why no value could be read."""

from __future__ import annotations

from revkit.model.review import FailureKind


class ReadingError(Exception):
    """A requested value cannot be read: the kind of the `Failure` that follows, and one line of
    detail.
    """

    def __init__(self, kind: FailureKind, detail: str) -> None:
        self.kind: FailureKind = kind
        self.detail = detail
        super().__init__(detail)


def excerpt(value: object, limit: int = 80) -> str:
    """Return ``value`` for a message: quoted, on one line, cut to ``limit`` characters."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."
