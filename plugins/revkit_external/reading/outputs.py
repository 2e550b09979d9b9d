"""Where an answer stands, and in which format: the option ``output``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from revkit_external.grammar import Place
from revkit_external.reading.documents import FORMATS
from revkit_external.reading.patterns import compile_pattern, matches
from revkit_external.reading.trouble import ReadingError


@dataclass(frozen=True)
class Output:
    """Where the answer stands: "stdout", "response", "result" or "row", or the glob of one file.

    ``filter`` is a command run on that file, whose output is read instead. ``cut`` is a pattern
    with one group that takes the answer out of the noise around it.
    """

    where: str
    file: str = ""
    format: str = "json"
    filter: tuple[str, ...] = ()
    cut: str = ""


def parse_output(value: Any, place: Place, default: str, *, files: bool) -> Output:
    """Read ``output``: the place (``default``, or where ``files`` are made one), and the format."""
    keys = place.mapping(
        {} if value is None else value,
        (default, "format", "cut", *(("file", "filter") if files else ())),
    )
    if default in keys and not (place / default).flag(keys[default]):
        (place / default).wrong("is true, or left out for a file")
    file = (place / "file").text(keys["file"]) if "file" in keys else ""
    if file and default in keys:
        place.wrong(f"{default} and file are two places; name one")
    format = (place / "format").choice(keys.get("format", "json"), FORMATS) or "json"
    filter = (place / "filter").words(keys["filter"]) if "filter" in keys else ()
    cut = (place / "cut").text(keys["cut"]) if "cut" in keys else ""
    if cut:
        try:
            if compile_pattern(cut).groups != 1:
                (place / "cut").wrong("needs one group, around the answer")
        except ValueError as error:
            (place / "cut").wrong(str(error))
    return Output("file" if file else default, file, format, filter, cut)


def cut_out(text: str, pattern: str) -> str:
    """What ``pattern`` captures in ``text``, of which there must be one; all of it without one."""
    if not pattern:
        return text
    found = [match.value for match in matches(pattern, text) if match.value is not None]
    if len(found) != 1:
        raise ReadingError("unparseable", f"output: cut matches {len(found)} times, not once")
    return found[0]
