"""The problems of a file, by line: a reader collects them, and reports all of them in one error."""

from __future__ import annotations

from typing import Any

from revkit.model.strict_json import NotStrictJson, strict_json

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

    def add(self, line: int | None, problem: object) -> None:
        """Add a problem of the line with this number, from 1; None for one of the whole file."""
        self._count += 1
        if len(self._stated) < MOST_PROBLEMS:
            self._stated.append(str(problem) if line is None else f"line {line}: {problem}")

    def __len__(self) -> int:
        return self._count

    def __str__(self) -> str:
        if self._count <= 1:
            return "".join(self._stated)
        more = self._count - len(self._stated)
        rest = [f"and {more:,} more"] if more else []
        return "\n  ".join([f"{self._count:,} problems:", *self._stated, *rest])


def objects_in_lines(text: str) -> tuple[list[dict[str, Any]], LineProblems]:
    """Return the JSON objects of ``text``, one a line, and the problems of the other lines. Blank
    lines are passed over.
    """
    found: list[dict[str, Any]] = []
    problems = LineProblems()
    # Not splitlines: a text in JSON may hold U+2028, which does not end a line there.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = strict_json(line)
        except NotStrictJson as error:
            problems.add(number, error)
            continue
        if isinstance(value, dict):
            found.append(value)
        else:
            problems.add(number, "expected an object")
    return found, problems
