"""Convert the answer of one item to JSON and back, and check whether a stored answer is valid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias, cast

from revkit.dataclass import dataclass
from revkit.execution.old_format import roles_in_text
from revkit.model.edits import Edit, edits_to_json, ordered_edits
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, checked
from revkit.model.values import Json
from revkit.model.variant import Check, Variant
from revkit.spec import AgentStep, JudgeStep, PerturbationStep

ItemStep: TypeAlias = PerturbationStep | AgentStep | JudgeStep
Calls: TypeAlias = list[tuple[str, str]]  # keys of calls, and the roles that they were made for
Roles: TypeAlias = tuple[str, ...]  # the roles that share a call, sorted; () where none is named
_LONGEST_ROLES = 10_000


@dataclass(frozen=True)
class Answer:
    """The answer of one item: a `Variant`, or an `Outcome` with the edits of defenses before it.

    ``lasting`` states whether the store keeps it; failures and crashes are tried again next time.
    ``calls`` are the keys of the stored replies of language models behind it, in
    hexadecimal and sorted. ``roles`` names for each the roles of the component that asked it; it is
    empty where none was named. ``asked`` counts how often the agent was asked.
    """

    value: Variant | Outcome
    screens: tuple[tuple[str, tuple[Edit, ...]], ...] = ()
    lasting: bool = True
    calls: tuple[str, ...] = ()
    roles: tuple[Roles, ...] = ()
    asked: int = 1

    def to_json(self) -> dict[str, Json]:
        body: dict[str, Json] = {
            "value": self.value.to_json(),
            "screens": [[name, edits_to_json(edits)] for name, edits in self.screens],
        }
        if self.calls:
            body["calls"] = list(self.calls)
        if any(self.roles):
            body["roles"] = [list(roles) for roles in self.roles]
        if self.asked != 1:
            body["asked"] = self.asked
        return body


def answer_from_json(value: Mapping[str, Any], record: str) -> Answer:
    """Read an answer from JSON; ``record`` is "variant", "review" or "judgement"."""
    body = value["value"]
    found = Variant.from_json(body) if record == "variant" else Review.from_json(body)
    calls, roles = tuple(value.get("calls", ())), tuple(map(_roles, value.get("roles", ())))
    screens, asked = screens_from_json(value), asked_in(value)
    return Answer(found, screens, calls=calls, roles=roles, asked=asked)


def asked_in(value: Mapping[str, Any]) -> int:
    """How often the agent was asked for an answer, read back. Raises `ValueError` for anything but
    a whole number from 0 up.
    """
    asked = value.get("asked", 1)
    if type(asked) is not int or asked < 0:
        raise ValueError(f"expected a number of reviews, got {asked!r}")
    return asked


def _roles(value: Any) -> Roles:
    """Return the roles of one call: a list, or the text that answers of revkit 0.1 contain."""
    if isinstance(value, str):
        return roles_in_text(value)
    if not isinstance(value, list):
        raise TypeError(f"expected the roles of a call, got {value!r}")
    return tuple(value)


def screens_from_json(value: Mapping[str, Any]) -> tuple[tuple[str, tuple[Edit, ...]], ...]:
    """Read the edits that defenses made before an answer."""
    return tuple(
        (name, tuple(Edit.from_json(edit) for edit in edits)) for name, edits in value["screens"]
    )


def is_credible(answer: Answer, step: ItemStep, paper: Paper) -> bool:
    """Return whether a stored answer can be an answer of ``step``, because a file may have been
    changed.

    It may raise TypeError, ValueError or AttributeError where it holds what no answer does.
    """
    if not all(isinstance(call, str) and len(bytes.fromhex(call)) == 32 for call in answer.calls):
        return False
    if answer.roles and not _credible_roles(answer):
        return False
    if isinstance(step, AgentStep):
        return isinstance(checked(cast(Outcome, answer.value), step.component.scale), Review)
    if isinstance(step, JudgeStep):
        return isinstance(judged_outcome(cast(Outcome, answer.value), step), Review)
    variant = cast(Variant, answer.value)
    for check in variant.checks:
        check_of_plugin(check)
    if ordered_edits(paper.text, variant.edits) != variant.edits:
        return False
    passed = (variant.edits or variant.layout) and all(check.passed for check in variant.checks)
    # A crash is never stored.
    return bool(passed if variant.outcome == "made" else variant.outcome != "crashed")


def _credible_roles(answer: Answer) -> bool:
    names = [role for roles in answer.roles for role in roles]
    each = all(isinstance(role, str) and len(role) <= _LONGEST_ROLES for role in names)
    return each and len(answer.roles) == len(answer.calls)


def check_of_plugin(check: object) -> None:
    """Raise `TypeError` unless ``check`` is a `Check` whose ``passed`` is true or false."""
    if not isinstance(check, Check) or not isinstance(check.passed, bool):
        raise TypeError(f"expected a Check whose `passed` is true or false, not {check!r}")


def judged_outcome(outcome: Outcome, step: JudgeStep) -> Outcome:
    """Return ``outcome`` as a judgement: a score on the criterion's scale, or a Failure."""
    outcome = checked(outcome, step.rubric.criterion.scale)
    if isinstance(outcome, Review) and outcome.score is None:
        return Failure("schema", "a judgement without a score", outcome.text)
    return outcome


def based_on(calls: Calls, answer: Answer) -> Answer:
    """Return ``answer`` with its calls, each once. A call of several roles names them all, because
    the first one depends on the threads.
    """
    asked: dict[str, set[str]] = {}
    for call, role in calls:
        asked.setdefault(call, set()).update([role] if role else [])
    keys = sorted(asked)
    roles = tuple(tuple(sorted(asked[key])) for key in keys)
    return replace(answer, calls=tuple(keys), roles=roles if any(roles) else ())
