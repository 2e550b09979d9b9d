"""When a run may stop early: conditions on figures whose intervals hold at all looks together.

A condition has the grammar of an assertion (`revkit.spec.assertions`), about one of these figures:
``flip_rate[AGENT]`` or ``flip_rate[AGENT, FAMILY]``, ``flip_rate_difference[AGENT, AGENT]``, and
``accuracy[AGENT]``. The word "assert" instead of conditions means the assertions of the experiment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.values import Json
from revkit.options import unknown_name
from revkit.spec.assertions import Assertion, AssertionProblem, read_assertion

FIGURES = ("flip_rate", "flip_rate_difference", "accuracy")
ASSERTIONS = "assert"
PARTS = ("", "low", "high", "width")
EVERY = 20
MOST_CONDITIONS = 20


@dataclass(frozen=True)
class StopWhen:
    """The run stops at the first look at which all ``conditions`` are settled.

    Looks are at fixed numbers of papers in the order of the corpus: after ``every`` papers, and
    then after as many more or after a tenth of the papers so far, whichever is more.
    """

    conditions: tuple[str, ...]
    every: int = EVERY

    def portions(self) -> Iterator[int]:
        """Yield how many papers there are from one look to the next."""
        papers = 0
        while True:
            more = self.every * max(1, papers // 10 // self.every)
            papers += more
            yield more

    def to_json(self) -> Json:
        """Return the section as a spec contains it."""
        return {"all": list(self.conditions), "every": self.every}


def stop_when_from(value: Any, assertions: Sequence[str] = ()) -> StopWhen | None:
    """Read the section ``stop-when``: a condition, a list of them, or a mapping with ``all`` and
    ``every``; None where the schema reports another form.

    "assert" instead of conditions means those of ``assertions`` that the looks can settle.
    """
    given = value if isinstance(value, dict) else {"all": value}
    conditions, every = given.get("all"), given.get("every", EVERY)
    texts = [conditions] if isinstance(conditions, str) else conditions
    if not isinstance(texts, list) or type(every) is not int or every < 1:
        return None
    if conditions == ASSERTIONS:
        return StopWhen(tuple(_conditions_of(assertions)), every)
    return StopWhen(tuple(map(str, texts)), every)


def _conditions_of(assertions: Sequence[str]) -> Iterator[str]:
    """Yield the condition that settles each assertion about one of `FIGURES` and a number.

    An assertion about an end of an interval is settled when the whole interval is on one side.
    """
    for text in assertions:
        try:
            found = read_assertion(text)
            if found.selectors and found.part in ("low", "high"):
                end = text.rindex("]") + 1
                condition = text[:end] + text[text.index(found.part, end) + len(found.part) :]
            else:
                condition = text
            read_condition(condition)
        except AssertionProblem:
            continue  # not for looks; the section assert reports what is not an assertion at all
        yield condition


def read_condition(text: str) -> Assertion:
    """Read one condition. Raises `AssertionProblem`."""
    found = read_assertion(text)
    found = replace(found, figure=found.figure.replace("-", "_"))
    wanted = 2 if found.figure == "flip_rate_difference" else 1
    if found.figure not in FIGURES:
        raise AssertionProblem(unknown_name("figure", found.figure, FIGURES))
    if found.column or found.beats or found.comparison in ("==",):
        raise AssertionProblem(
            "a condition compares flip_rate[AGENT], accuracy[AGENT] or one of its parts with a "
            "number by <=, <, >=, > or !="
        )
    if found.part not in PARTS:
        raise AssertionProblem(unknown_name("part", found.part, PARTS[1:]))
    if found.part and found.comparison == "!=":
        raise AssertionProblem("!= is a question about the figure, not about one of its parts")
    if not wanted <= len(found.selectors) <= wanted + 1:
        raise AssertionProblem(
            f"{found.figure} needs the name of {'one agent' if wanted == 1 else 'two agents'}, and "
            "may have the name of a family after it"
        )
    if found.figure == "accuracy" and len(found.selectors) > 1:
        raise AssertionProblem("accuracy needs the name of one agent, and has no family")
    return found


def agents_and_family(condition: Assertion) -> tuple[list[str], str]:
    """Return the agents of a condition, and its family ("": all that preserve the content)."""
    names = [value for _, value in condition.selectors]
    wanted = 2 if condition.figure == "flip_rate_difference" else 1
    return names[:wanted], "".join(names[wanted:])


def stopping_problems(
    stop: StopWhen, agents: Collection[str], families: Collection[str]
) -> Iterator[tuple[int, str]]:
    """Yield what is wrong with the conditions, each with its place in the list."""
    if not 1 <= len(stop.conditions) <= MOST_CONDITIONS:
        yield (
            0,
            f"name 1 to {MOST_CONDITIONS} conditions; '{ASSERTIONS}' means those assertions that "
            f"compare {', '.join(f'{name}[...]' for name in FIGURES)} with a number",
        )
    for index, text in enumerate(stop.conditions):
        try:
            condition = read_condition(text)
        except AssertionProblem as problem:
            yield index, str(problem)
            continue
        names, family = agents_and_family(condition)
        for name in names:
            if name not in agents:
                yield index, unknown_name("agent", name, sorted(agents))
        if family and family not in families:
            yield index, unknown_name("family", family, sorted(families))
        if not families and condition.figure != "accuracy":
            yield index, "a flip rate needs perturbations"
