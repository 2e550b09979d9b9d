"""Assertions: what must hold of a finished run, as a line of text with a small grammar.

    assertion = figure comparison number ["%"] | figure "beats" name
    figure    = name ["." name] ["[" selector {"," selector} "]"] ["." name]
    selector  = [role "="] value

The text is scanned once from left to right by the parser below; nothing of it is evaluated.
"""

from __future__ import annotations

import math
import string
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias, cast

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.model.table import Table

LONGEST = 500
MOST = 200
Comparison: TypeAlias = Literal["<=", ">=", "<", ">", "==", "!="]
_COMPARISONS = ("<=", ">=", "==", "!=", "<", ">")
_LETTERS = frozenset(string.ascii_letters + string.digits + "_-")
_VALUE = frozenset(string.ascii_letters + string.digits + "_-./:+@*() ")
_DIGITS = frozenset(string.digits)


class AssertionProblem(ValueError):
    """Text that is not an assertion: what was expected, and at which character."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """One assertion.

    ``figure`` is a count of the run ("failures"), the aspect "accuracy", or the name of a table;
    ``column`` a column of that table, "" for its main one; ``selectors`` keep rows, each by the
    role or the name of a column ("" for any column that names rows) and a value; ``part`` is "low",
    "high" or "n" of the column, or another column of the same row. The value is compared with
    ``number``, which is a share where ``percent`` is true; ``beats`` names the column that the
    lower bound must exceed instead.
    """

    text: str
    figure: str
    column: str = ""
    selectors: tuple[tuple[str, str], ...] = ()
    part: str = ""
    comparison: Comparison = ">"
    number: float = 0.0
    percent: bool = False
    beats: str = ""


def read_assertion(text: str) -> Assertion:
    """The assertion in ``text``. Raises `AssertionProblem`."""
    if len(text) > LONGEST:
        raise AssertionProblem(f"an assertion has at most {LONGEST} characters")
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def read(self) -> Assertion:
        figure, column = self.name("a figure, such as flip_rate"), ""
        if self.take("."):
            column = self.name("the name of a column")
        selectors = tuple(self.selectors()) if self.take("[") else ()
        part = self.name("low, high, n or a column") if selectors and self.take(".") else ""
        if not selectors and column in ("low", "high", "n"):
            column, part = "", column
        self.blanks()
        if self.word("beats"):
            beats = self.name("the name of a column, such as majority")
            self.end()
            return Assertion(self.text, figure, column, selectors, part, beats=beats)
        comparison = next((each for each in _COMPARISONS if self.take(each)), None)
        if comparison is None:
            raise self.problem("a comparison (<=, >=, <, >, ==, !=) or 'beats'")
        number = self.number()
        percent = self.take("%")
        self.end()
        return Assertion(
            self.text,
            figure,
            column,
            selectors,
            part,
            cast(Comparison, comparison),
            number / 100 if percent else number,
            percent,
        )

    def blanks(self) -> None:
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1

    def take(self, mark: str) -> bool:
        self.blanks()
        if not self.text.startswith(mark, self.at):
            return False
        self.at += len(mark)
        return True

    def word(self, word: str) -> bool:
        after = self.text[self.at + len(word) : self.at + len(word) + 1]
        return after not in _LETTERS and self.take(word)

    def span(self, letters: frozenset[str]) -> str:
        first = self.at
        while self.at < len(self.text) and self.text[self.at] in letters:
            self.at += 1
        return self.text[first : self.at]

    def name(self, what: str) -> str:
        self.blanks()
        found = self.span(_LETTERS)
        if not found or found[0] in _DIGITS or found[0] == "-":
            self.at -= len(found)
            raise self.problem(what)
        return found

    def selectors(self) -> Iterator[tuple[str, str]]:
        while True:
            first = self.value()
            if self.take("="):
                yield first, self.value()
            else:
                yield "", first
            if self.take("]"):
                return
            if not self.take(","):
                raise self.problem("',' or ']'")

    def value(self) -> str:
        self.blanks()
        if self.take('"'):
            closing = self.text.find('"', self.at)
            if closing < 0:
                raise self.problem("a closing '\"'")
            found, self.at = self.text[self.at : closing], closing + 1
            return found
        found = self.span(_VALUE).strip()
        if not found:
            raise self.problem("the name of an agent, family, judge or rubric")
        return found

    def number(self) -> float:
        self.blanks()
        first = self.at
        if self.text[self.at : self.at + 1] in ("-", "+"):
            self.at += 1
        whole = self.span(_DIGITS)
        part = ""
        if self.text[self.at : self.at + 1] == ".":
            self.at += 1
            part = self.span(_DIGITS)
        if not (whole or part) or len(whole) + len(part) > 30:
            self.at = first
            raise self.problem("a number, such as 0.2 or 1 %")
        return float(self.text[first : self.at])

    def end(self) -> None:
        self.blanks()
        if self.at < len(self.text):
            raise self.problem("the end of the assertion")

    def problem(self, expected: str) -> AssertionProblem:
        rest = self.text[self.at : self.at + 20]
        found = f"{rest!r}" if rest else "the end"
        return AssertionProblem(
            f"expected {expected} at character {self.at + 1}, not {found}; write, for example, "
            "'flip_rate[AGENT] <= 5%' or 'accuracy[AGENT] beats majority'"
        )


def assertion_problems(
    texts: Sequence[str],
    names: Sequence[str],
    metrics: Sequence[Metric],
    *,
    varies: bool = True,
) -> Iterator[tuple[int, str]]:
    """What is wrong with the assertions of an experiment, each with its place in the list.

    ``names`` are those of agents, families, judges and rubrics; ``varies`` states that the
    experiment makes variants. The tables of ``metrics`` that do not declare their columns may hold
    what no other table does. A limit on papers makes no assertion a problem: a trial of a few
    papers may miss what the whole experiment has to meet.
    """
    from revkit.options import unknown_name
    from revkit.spec.assertion_columns import column_problem, unknown_figure

    tables = {
        each.name: Table.of(each.name, "", each.table_columns, [], measures=each.table_measures)
        for each in metrics
        if each.table_columns
    }
    aspects = {measure.aspect for table in tables.values() for measure in table.measures}
    for index, text in enumerate(texts):
        try:
            found = read_assertion(text)
        except AssertionProblem as problem:
            yield index, str(problem)
            continue
        if found.figure not in COUNTS and not metrics:
            yield index, unknown_figure(found.figure, {})
        elif found.figure not in COUNTS or found.figure in tables:
            is_known = {found.figure, found.figure.replace("_", "-")} & {*tables, *aspects}
            if is_known or len(tables) == len(metrics):
                message = column_problem(found, tables)
                if message:
                    yield index, message
        if found.figure not in {each.name for each in metrics}:
            message = count_problem(found) or ("" if varies else _variants_problem(found))
            if message:
                yield index, message
                continue
        for role, value in found.selectors:
            if role in ("", *_ROLES) and value not in names and not value.startswith("all "):
                yield index, unknown_name("name", value, names)


def count_problem(found: Assertion) -> str:
    """Return why an assertion about a count of the run says nothing about any run: a count has no
    columns, few counts are shares or belong to an agent, and some numbers are never reached;
    "" if a run decides it.
    """
    name = found.figure
    if name not in COUNTS:
        return ""
    if found.column or found.part or found.beats:
        return f"{name} is a count, without columns"
    if found.selectors and name not in _OF_AGENTS:
        return f"{name} is not counted by agent"
    if any(role not in ("", "agent", "judge") for role, _ in found.selectors):
        return f"{name} is counted by agent or judge only"
    if found.percent and name not in _SHARES:
        return f"{name} is not a share of anything; write a count"
    if found.number < 0:
        return f"{name} is never below 0; write a number from 0 on"
    if found.percent and found.number > 1:
        return f"{name} is never above 100 %; write a number from 0 to 100 %"
    if not found.percent and found.number != int(found.number):
        share = f", or {100 * found.number:g}% for a share" if name in _SHARES else ""
        return f"{name} is a whole number, never {found.number:g}; write a whole number{share}"
    return decided(found, name, 0.0, 1.0 if found.percent else math.inf, share=found.percent)


def decided(found: Assertion, name: str, low: float, high: float, *, share: bool = False) -> str:
    """Return why a comparison holds, or fails, with every value from ``low`` to ``high`` of
    ``name``; "" if a run decides it. ``share`` prints these values as per cent.
    """
    number = found.number
    always, never = {
        "<=": (high <= number, number < low),
        "<": (high < number, number <= low),
        ">=": (number <= low, high < number),
        ">": (number < low, high <= number),
        "==": (False, not low <= number <= high),
        "!=": (not low <= number <= high, False),
    }[found.comparison]
    if not (always or never):
        return ""
    what = "holds with every run" if always else "holds with no run"
    ends = [f"{100 * end:g} %" if share else f"{end:g}" for end in (low, high)]
    limits = f"at least {ends[0]}" if math.isinf(high) else f"from {ends[0]} to {ends[1]}"
    return (
        f"{found.text!r} {what}, because {name} is {limits}; write a comparison that some of these "
        "values meet and others do not"
    )


def _variants_problem(found: Assertion) -> str:
    """Return why an assertion about variants fails in every run without any; "" if it can hold, or
    if it is about something else.
    """
    name = found.figure
    if name not in ("variants", "rejected", "crashed"):
        return ""
    if found.percent:
        return f"the experiment attempts no variants, so {name} is not a share of anything"
    needed = found.number + (found.comparison == ">")
    if found.comparison in (">=", ">", "==") and needed > 0:
        return f"the experiment attempts no variants, so {found.text!r} never holds"
    return ""


_ROLES = ("agent", "family", "judge", "rubric")
COUNTS = {
    "papers": "papers that were loaded",
    "skipped": "records of the corpus that were not loaded",
    "variants": "variants that were made",
    "rejected": "variants that were not made, failed a gate or crashed; % of all attempted",
    "crashed": "variants whose perturbation raised an error; % of all attempted",
    "reviews": "reviews, judgements and scores of anchors that were requested",
    "failures": "those of them that failed; % of all requested",
    "faults": "maps, metrics and reports that crashed",
    "warnings": "warnings of the run and its tables",
}
_OF_AGENTS = ("reviews", "failures")
_SHARES = ("skipped", "variants", "rejected", "crashed", "failures")
