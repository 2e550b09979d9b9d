"""``fail-if``: rules that check the parsed output, since an exit code of 0 proves nothing."""

from __future__ import annotations

from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.model.review import FailureKind
from revkit.model.values import Json
from revkit.options import as_written
from revkit_external.grammar import Place, RuleOptions
from revkit_external.parse.documents import Document
from revkit_external.parse.mapping import Source, parse_source
from revkit_external.parse.numbers import number_of
from revkit_external.parse.select import select
from revkit_external.parse.trouble import ReadingError, excerpt

_RULE_TESTS = ("any", "all", "equals", "not", "exists", "fewer-than", "at-least", "at-most")


@dataclass(frozen=True)
class Rule:
    """One rule of ``fail-if``: a test of the values at ``source``, and the failure that it
    causes.
    """

    source: Source
    test: str
    operand: Json
    kind: FailureKind = "provider"
    because: str = ""

    def __str__(self) -> str:
        return f"{self.source}: {self.test} {self.operand!r}"


def parse_rules(given: Sequence[RuleOptions] | None, place: Place, format: str) -> tuple[Rule, ...]:
    """Read ``fail-if``: a list of rules; the first rule that matches decides."""
    return tuple(_rule(rule, place / index, format) for index, rule in enumerate(given or ()))


def _rule(given: RuleOptions, place: Place, format: str) -> Rule:
    written = as_written(given)
    tests = [test for test in _RULE_TESTS if test in written]
    if len(tests) != 1:
        place.wrong(f"needs one test of {', '.join(_RULE_TESTS)}; it has {len(tests)}")
    test = tests[0] if tests else "exists"
    operand = written.get(test)
    if test in ("any", "all", "equals", "not"):
        if operand is not None and not isinstance(operand, bool | int | float | str):
            (place / test).wrong(f"expected text, a number, true, false or null, not {operand!r}")
    elif tests and operand is None:
        (place / test).wrong("expected a value, not None")
    source = parse_source(given, place, format, every=True)
    return Rule(source, test, operand, given.kind, given.because or "")


def first_failing(document: Document, rules: Sequence[Rule]) -> tuple[Rule, str] | None:
    """Return the first rule that matches, and the value that it matched.

    A rule whose place is not there cannot be judged, and raises `ReadingError` of kind "schema":
    else a tool that renames a key would switch the rule off without a word. ``exists`` and
    ``fewer-than`` are made for places that may be absent.
    """
    for rule in rules:
        found = select(document, rule.source)
        values = [candidate.value for candidate in found.candidates]
        values += [None] * len(found.missing)
        message = _holds(rule, values)
        if message:
            return rule, rule.because or message
    return None


def _holds(rule: Rule, values: Sequence[Json]) -> str:
    if rule.test == "exists":
        there = any(value is not None for value in values)
        return f"{rule.source} is {'there' if there else 'absent'}" if there is rule.operand else ""
    if rule.test == "fewer-than":
        count = sum(value is not None for value in values)
        wanted = rule.operand
        few = isinstance(wanted, int) and count < wanted
        return f"{rule.source} has {count} values, fewer than {wanted}" if few else ""
    if not values:
        raise ReadingError("schema", f"fail-if: there is nothing at {rule.source} to judge")
    held = [value for value in values if _matches(rule, value)]
    if not held or (rule.test == "all" and len(held) < len(values)):
        return ""
    return f"{len(held)} of {len(values)} at {rule.source}: {rule.test} {excerpt(rule.operand)}"


def _matches(rule: Rule, value: Json) -> bool:
    if rule.test == "not":
        return not _same(value, rule.operand)
    if rule.test in ("at-least", "at-most"):
        if value is None:
            return False
        number, bound = number_of(value, str(rule.source)), number_of(rule.operand, "")
        return number >= bound if rule.test == "at-least" else number <= bound
    return _same(value, rule.operand)


def _same(value: Json, wanted: Json) -> bool:
    """Compare as JSON: true is not 1; strings are compared without case and surrounding blanks."""
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    if isinstance(value, str) and isinstance(wanted, str):
        return value.strip().casefold() == wanted.strip().casefold()
    return value == wanted
