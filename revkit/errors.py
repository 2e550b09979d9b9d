"""All errors that revkit raises deliberately.

::

    RevkitError
    ├── PaperError         a paper or an edit is invalid
    ├── OptionError        an option of a component is missing, unknown or out of range
    ├── SpecError          an experiment is invalid; has every problem
    ├── PluginError        a component is not found, or its plugin is broken
    ├── StatisticsError    a statistic is not defined for its input
    ├── CalibrationError   a map of scores cannot be fitted, loaded or applied
    │   ├── BadAnchors            invalid anchors or weights
    │   ├── OutsideScale          a raw score outside the declared scale
    │   ├── TooFewAnchors         not enough anchors for the question asked
    │   ├── UninformativeAnchors  all raw or all target scores are equal
    │   ├── AntiCorrelated        higher raw scores go with lower target scores
    │   ├── NoSolution            the numerical solution failed its own check
    │   ├── PriorRefused          a stream's mix leaves too few anchors with weight
    │   ├── BadScores             scores to map that are not numbers
    │   └── UnreadableMap         a stored map is damaged or of another format
    ├── StoreError         the store of results cannot be used
    └── RunError           a run cannot start or continue
        ├── Interrupted    a run was stopped
        └── BatchesPending  calls of the run are at a provider, in batches

Messages are for people at the terminal: what is wrong, where, and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from revkit.dataclass import dataclass


def message_of(error: BaseException) -> str:
    """Return the message of ``error``, which a plugin may have raised: its ``__str__`` may fail."""
    try:
        return str(error)
    except (Exception, SystemExit) as failure:
        return f"(no message: {type(failure).__name__} in __str__)"


def describe_error(error: BaseException) -> str:
    """Return the type and the message of ``error``."""
    return f"{type(error).__name__}: {message_of(error)}"


class RevkitError(Exception):
    """The base class of all errors that revkit raises deliberately."""


class PaperError(RevkitError, ValueError):
    """A paper, a block or an edit breaks the rules of the model."""


class UnknownOption(str):
    """The message about an option whose name does not exist."""

    __slots__ = ()


class MissingOption(str):
    """The message about an option that is required; ``help`` is the help text of the option."""

    help: str = ""


class OptionError(RevkitError, ValueError):
    """Invalid options of one component; ``problems`` lists them by option.

    The message about an option that does not exist is an `UnknownOption`, and the message about
    one that is missing a `MissingOption`.
    """

    def __init__(self, component: str, problems: Sequence[tuple[str, str]]) -> None:
        self.component = component
        self.problems = tuple(problems)
        lines = [
            f"{component}: {name}: {text}" if name else f"{component}: {text}"
            for name, text in self.problems
        ]
        super().__init__("\n".join(lines))


@dataclass(frozen=True)
class Problem:
    """One problem of an experiment: its place, a message, and a suggestion if there is one.

    ``line`` and ``column`` count from 1; both are 0 without a text to point at
    (an experiment built in Python, an override given with ``--set``).
    """

    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    source: str = ""
    excerpt: str = ""

    def __str__(self) -> str:
        place = self.source
        if self.line and self.source:
            place = f"{self.source}:{self.line}:{self.column}"
        elif self.line:
            place = f"line {self.line}, column {self.column}"
        head = ": ".join(part for part in (place, self.path, self.message) if part)
        # Keys of a spec are arbitrary text, and some characters control a terminal.
        head = "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in head)
        if not self.excerpt:
            return head
        gutter = f"{self.line:>5} | "
        pad = "".join("\t" if c == "\t" else " " for c in self.excerpt[: self.column - 1])
        return f"{head}\n{gutter}{self.excerpt}\n{' ' * 5} | {pad}^"


class SpecError(RevkitError, ValueError):
    """An experiment cannot be read. ``problems`` contains all problems, in the order of the
    text.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class RenamedOption(FutureWarning):
    """A spec gives an option under the name of an earlier release: it is accepted and reported."""


class MissingPackage(RevkitError, ImportError):
    """An optional package is needed and not installed; the message names the command."""


class PluginError(RevkitError):
    """A component is unknown, registered twice, or its plugin failed to load."""


class UnknownComponent(PluginError):
    """No plugin registers a component of this kind and name; ``brief`` is the message without the
    list of known names, "" where it has none.
    """

    def __init__(self, text: str, brief: str) -> None:
        super().__init__(text)
        self.brief = brief


class StatisticsError(RevkitError, ValueError):
    """The input of a statistic for which the statistic is undefined."""


class CalibrationError(RevkitError, ValueError):
    """A calibration map cannot be fitted, loaded or applied; ``code`` states the reason in one
    word.
    """

    code: ClassVar[str] = "calibration"


class BadAnchors(CalibrationError):
    """Anchors or weights are not numbers, negative, out of range or of unequal lengths."""

    code = "bad_anchors"


class OutsideScale(CalibrationError):
    """A raw score lies outside the scale that was declared for its agent."""

    code = "outside_scale"


class TooFewAnchors(CalibrationError):
    """There are too few anchors for the requested calculation."""

    code = "too_few_anchors"


class UninformativeAnchors(CalibrationError):
    """All raw scores or all target scores are equal, so they do not determine an order."""

    code = "uninformative"


class AntiCorrelated(CalibrationError):
    """Higher raw scores have lower target scores, so an increasing map cannot help."""

    code = "anti_correlated"


class NoSolution(CalibrationError):
    """The numerical solution and its fallback both failed the check."""

    code = "no_solution"


class PriorRefused(CalibrationError):
    """Under the estimated mix, too few anchors keep a weight."""

    code = "prior_refused"


class BadScores(CalibrationError):
    """Scores to map are not numbers."""

    code = "bad_scores"


class UnreadableMap(CalibrationError):
    """A stored map is damaged, or it belongs to another schema version or another calibrator."""

    code = "unreadable_map"


class NotReturned(RevkitError):
    """Code of a component has not returned in time; the message states where it is."""


class StoreError(RevkitError):
    """The store of results cannot be opened, read or written."""


class RunError(RevkitError):
    """A run cannot start or continue."""


class Interrupted(RunError):
    """A run was stopped; everything computed so far is stored."""


class BatchesPending(RunError):
    """Calls of a run are at a provider, in batches; the same command fetches the results."""


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """The known names, two at most, that a user may have meant by ``name``."""
    from difflib import get_close_matches

    return get_close_matches(name, sorted(known), n=2, cutoff=0.55)


def unknown_name(what: str, name: str, known: Iterable[str], remedy: str = "") -> str:
    """Return the message for an unknown name, with the nearest known names; if none is near, with
    all of them and the ``remedy``."""
    names = sorted(known)
    near = near_names(name, names)
    if near:
        return f"unknown {what} {name!r}; did you mean " + " or ".join(map(repr, near)) + "?"
    listed = ", ".join(names) if names else "none"
    return "; ".join(filter(None, (f"unknown {what} {name!r}", f"known: {listed}", remedy)))


def with_article(noun: str) -> str:
    """``noun`` after "a" or "an"."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def reason_of(error: BaseException) -> str:
    """Return why something failed, in the words for a message: without numbers and classes of
    Python where there are words.
    """
    if isinstance(error, KeyError) and error.args:
        return f"the key {error.args[0]!r} is missing"
    if isinstance(error, FileNotFoundError):
        return "there is no such file or folder"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
