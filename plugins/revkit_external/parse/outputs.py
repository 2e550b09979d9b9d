"""The option ``output``: the place and the format of an answer."""

from __future__ import annotations

from dataclasses import replace

from revkit.dataclass import dataclass
from revkit_external.grammar import OutputOptions, Place, ProgramOutput, words
from revkit_external.parse.patterns import compile_pattern, matches
from revkit_external.parse.trouble import ReadingError


@dataclass(frozen=True)
class Output:
    """The place of the answer: "stdout", "response", "result" or "row", or the glob of one file.

    ``filter`` is a command run on that file, whose output is read instead. ``cut`` is a pattern
    with one group that takes the answer out of the noise around it.
    """

    where: str
    file: str = ""
    format: str = "json"
    filter: tuple[str, ...] = ()
    cut: str = ""


def parse_output(given: OutputOptions | None, place: Place, where: str) -> Output:
    """Read ``output`` for an answer that is at ``where`` or in a file."""
    if given is None:
        return Output(where)
    if getattr(given, where, None) is False:
        (place / where).wrong("is true, or left out for a file")
    output = Output(where, "", given.format, (), given.cut or "")
    if isinstance(given, ProgramOutput) and given.file:
        if given.stdout:
            place.wrong("stdout and file are two places; name one")
        output = replace(output, where="file", file=given.file)
    if isinstance(given, ProgramOutput):
        output = replace(output, filter=words(given.filter))
    if given.cut:
        try:
            if compile_pattern(given.cut).groups != 1:
                (place / "cut").wrong("needs one group, around the answer")
        except ValueError as error:
            (place / "cut").wrong(str(error))
    return output


def cut_out(text: str, pattern: str) -> str:
    """Return the one text that ``pattern`` captures in ``text``; the whole text without a pattern.
    Raises `ReadingError` unless it matches exactly once.
    """
    if not pattern:
        return text
    found = [match.value for match in matches(pattern, text) if match.value is not None]
    if len(found) != 1:
        raise ReadingError("unparseable", f"output: cut matches {len(found)} times, not once")
    return found[0]
