"""The nested options of the external reviewers, and the places of the problems in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from revkit.dataclass import dataclass
from revkit.errors import OptionError, unknown_name
from revkit.model.review import FailureKind
from revkit.options import AnyJson, Nested, option

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


class Place:
    """One place in an option, such as ``map.score.scale``, and the list of all problems."""

    def __init__(self, problems: list[tuple[str, str]], path: str) -> None:
        self._problems = problems
        self.path = path

    def __truediv__(self, key: str | int) -> Place:
        step = f"[{key}]" if isinstance(key, int) else f".{key}"
        return Place(self._problems, self.path + step)

    def wrong(self, text: str) -> None:
        """Add one problem."""
        self._problems.append((self.path, text))

    def choice(self, value: str, known: Sequence[str] | Mapping[str, Any]) -> None:
        """Add a problem if ``value`` is not one of the ``known`` words."""
        if value not in known:
            self.wrong(unknown_name("value", value, known))


def words(value: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return a list of strings; a single string becomes a list of one."""
    return (value,) if isinstance(value, str) else tuple(value or ())


@dataclass(frozen=True)
class Secret:
    """A value that is read from an environment variable and masked."""

    secret: str = option(help="The environment variable with the value.")

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.secret):
            raise OptionError("", [("secret", f"{self.secret!r} is not the name of a variable")])


@dataclass(frozen=True)
class SourceOptions:
    """The options that locate a value."""

    path: str | None = option(None, help="JSONPath, such as '$.overall.rating'.", nonempty=True)
    column: str | None = option(None, help="Column of a recorded row.", nonempty=True)
    regex: str | None = option(
        None,
        help=(
            "Pattern with at most one group, applied to the text, or to the value of path, column "
            "or heading."
        ),
        nonempty=True,
    )
    heading: str | None = option(None, help="Heading of a Markdown section.", nonempty=True)
    items: bool = option(False, help="With heading: each item of its lists is one value.")


@dataclass(frozen=True)
class TextOptions(SourceOptions):
    """A field of text."""

    all_: bool = option(False, help="Whether all texts at the place are used.")
    take: Literal["first", "last"] | None = option(None, help="Which of several texts is used.")
    empty: str | tuple[str, ...] | None = option(
        None, help="The value of a list or section that is present but has no member."
    )


@dataclass(frozen=True)
class ValueOptions(SourceOptions):
    """A field with a number or a verdict."""

    all_: bool = option(False, help="Whether all values at the place are used.")
    take: Literal["first", "last"] | None = option(None, help="Which of several values is used.")
    missing: Literal["fail", "skip"] = option(
        "fail", help="Treatment of panel members without a value: a failure, or left out."
    )
    like: str | None = option(None, help="The field whose value is used.", nonempty=True)
    labels: str | Mapping[str, bool | float] | None = option(
        None, help="Meaning of labels: a mapping, or the name of a set, such as '@journal4'."
    )
    values: str | Mapping[str, bool | float] | None = option(None, help="Another name of labels.")
    reduce: Literal["mean", "median", "min", "max", "count", "majority"] | None = option(
        None, help="How several values are combined into one."
    )
    scale: tuple[float, float] | None = option(None, help="Lowest and highest value.")
    to: tuple[float, float] | None = option(
        None, help="The scale onto which scale is mapped linearly."
    )
    clamp: bool = option(
        False, help="Whether values outside the scale are moved to its nearest end."
    )
    round: Literal["half-up", "half-even", "down", "up"] | None = option(
        None, help="How the value is rounded to a whole number."
    )
    at_least: float | None = option(None, help="For accept: the lowest value that means accept.")
    at_most: float | None = option(None, help="For accept: the highest value that means accept.")
    empty: float | None = option(
        None, help="The value of a list or section that is present but has no member."
    )


@dataclass(frozen=True)
class MapOptions:
    """The fields of a review."""

    accept: Nested[ValueOptions | None] = option(None, help="The verdict.")
    score: Nested[ValueOptions | None] = option(None, help="The score, with its scale.")
    confidence: Nested[ValueOptions | None] = option(None, help="The reviewer's confidence.")
    severity: Nested[ValueOptions | None] = option(None, help="Severity, 0 to 100.")
    text: Nested[TextOptions | None] = option(None, help="The whole review.")
    summary: Nested[TextOptions | None] = option(None, help="The summary.")
    strengths: Nested[TextOptions | None] = option(None, help="The strengths.")
    weaknesses: Nested[TextOptions | None] = option(None, help="The weaknesses.")
    questions: Nested[TextOptions | None] = option(None, help="The questions.")
    aspects: Nested[Mapping[str, ValueOptions] | None] = option(
        None, help="Scores of aspects, by name."
    )
    usage: Nested[Mapping[str, ValueOptions] | None] = option(
        None, help="Counts of usage, by name."
    )


@dataclass(frozen=True)
class RuleOptions(SourceOptions):
    """One rule of ``fail-if``: a place and one test."""

    any: AnyJson = option(None, help="Fails if a value equals this.")
    all: AnyJson = option(None, help="Fails if all values equal this.")
    equals: AnyJson = option(None, help="Fails if a value equals this.")
    not_: AnyJson = option(None, help="Fails if a value differs from this.")
    exists: bool | None = option(
        None, help="Fails if there is a value (true), or if there is none (false)."
    )
    fewer_than: int | None = option(None, help="Fails if there are fewer values.", minimum=1)
    at_least: float | None = option(None, help="Fails if a value is at least this.")
    at_most: float | None = option(None, help="Fails if a value is at most this.")
    kind: FailureKind = option("provider", help="The kind of failure.")
    because: str | None = option(None, help="The reason to record.", nonempty=True)


@dataclass(frozen=True)
class OutputOptions:
    """The options for the format of the answer."""

    format: Literal["json", "jsonl", "markdown", "text"] = option(
        "json", help="The format in which the answer is read."
    )
    cut: str | None = option(
        None, help="Pattern with one group that extracts the answer from other text.", nonempty=True
    )


@dataclass(frozen=True)
class ResponseOutput(OutputOptions):
    """The options for the answer of a service."""

    response: bool = option(True, help="True: the answer is the response.")


@dataclass(frozen=True)
class ResultOutput(OutputOptions):
    """The options for the answer of a function."""

    result: bool = option(True, help="True: the answer is the result.")


@dataclass(frozen=True)
class ProgramOutput(OutputOptions):
    """The options for the answer of a program."""

    stdout: bool | None = option(None, help="True: the answer is what the program prints.")
    file: str | None = option(None, help="Pattern of the file with the answer.", nonempty=True)
    filter: str | tuple[str, ...] | None = option(
        None, help="A command that is run on the file; its output is read instead.", nonempty=True
    )


@dataclass(frozen=True)
class InitOptions:
    """The options for the object whose method reviews papers."""

    call: str = option(help="The class or function, as 'module:attribute'.")
    args: tuple[AnyJson, ...] | None = option(None, help="Its positional arguments.")
    kwargs: Mapping[str, AnyJson] | None = option(None, help="Its named arguments.")


@dataclass(frozen=True)
class RequestOptions:
    """The options for one request."""

    url: str = option(help="The address, with placeholders.", nonempty=True)
    method: Literal["GET", "POST", "PUT", "PATCH"] | None = option(
        None, help="The method; by default POST to submit, else GET."
    )
    headers: Nested[Mapping[str, str | Secret] | None] = option(
        None, help="Headers: text with placeholders, or {secret: NAME}."
    )


@dataclass(frozen=True)
class SubmitOptions(RequestOptions):
    """The options for the request that submits the paper."""

    json: AnyJson = option(None, help="The body as JSON, with placeholders in its texts.")
    form: Mapping[str, str] | None = option(
        None, help="The body as the fields of a form.", nonempty=True
    )
    multipart: Mapping[str, str] | None = option(
        None, help="The body as a form with files, such as '@{paper_md}'.", nonempty=True
    )
    text: str | None = option(None, help="The body as plain text.")
    capture: Mapping[str, str] | None = option(
        None, help="Values of the response to use as placeholders: name to JSONPath.", nonempty=True
    )


@dataclass(frozen=True, kw_only=True)
class PollOptions(RequestOptions):
    """The options for the request that polls the state of a job."""

    every: float = option(2.0, help="Seconds between two requests.", minimum=0.01)
    path: str = option(help="JSONPath of the state.", nonempty=True)
    done: str | tuple[str, ...] = option(help="States in which the review is ready.", nonempty=True)
    failed: str | tuple[str, ...] = option(
        (), help="States in which the job failed.", nonempty=True
    )


@dataclass(frozen=True)
class Columns:
    """Other names of the columns that identify a row."""

    digest: str | None = option(None, nonempty=True, help="Digest of the text.")
    title: str | None = option(None, nonempty=True, help="Title of the paper.")
    paper: str | None = option(None, nonempty=True, help="Id of the paper.")
    perturbation: str | None = option(None, nonempty=True, help="Name of the perturbation.")
    index: str | None = option(None, nonempty=True, help="Index of the variant.")
    repeat: str | None = option(None, nonempty=True, help="Number of the repeat.")
    rubric: str | None = option(None, nonempty=True, help="Name of the rubric.")
    failure: str | None = option(None, nonempty=True, help="Kind of failure, or empty.")
