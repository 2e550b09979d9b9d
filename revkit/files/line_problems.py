"""The problems of a file, by line: a reader collects them, and reports all of them in one error."""

from __future__ import annotations

MOST_PROBLEMS = 20
"""The number of problems that a message states; the others are counted."""


class LineProblems:
    """Collects the problems of one file; its text states the first ones and the number of others.

    Raise one error with the text after the last line, so that a file can be corrected at once::

        problems = LineProblems()
        for number, line in enumerate(lines, 1):
            if not line:
                problems.add(number, "it is empty")
        if problems:
            raise RunError(f"{path}: {problems}")
    """

    def __init__(self) -> None:
        self._stated: list[str] = []
        self._count = 0

    def add(self, line: int, problem: object) -> None:
        """Add a problem of the line with this number, from 1."""
        self._count += 1
        if len(self._stated) < MOST_PROBLEMS:
            self._stated.append(f"line {line}: {problem}")

    def __len__(self) -> int:
        return self._count

    def __str__(self) -> str:
        if self._count <= 1:
            return "".join(self._stated)
        more = self._count - len(self._stated)
        rest = [f"and {more:,} more"] if more else []
        return "\n  ".join([f"{self._count:,} problems:", *self._stated, *rest])
