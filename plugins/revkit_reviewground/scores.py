"""How far the scores and the decision of the final review may differ from those of the draft.

The paper keeps all of them unless text and scores would clearly contradict each other, and then
requires the fewest and smallest changes (appendix E.2.5, "numeric fields policy"). "bounded" makes
that a rule for code: at most two of them change, a number by one step of its scale, the decision
only together with the rating and in its direction. "keep-draft" always keeps the draft's values;
"aggregator" uses the aggregator's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from revkit.dataclass import dataclass
from revkit.forms import Field, Form
from revkit.model.values import Json

Policy = Literal["bounded", "keep-draft", "aggregator"]
MOST_CHANGES = 2
INSTRUCTIONS: Mapping[str, str] = {
    "bounded": (
        "Keep all numbers and the decision as the draft has them. Only where the corrected text "
        "would clearly contradict them, or a major correction changes the assessment, change as "
        "few as possible: at most two of them, a number by one step, the decision only together "
        "with the rating."
    ),
    "keep-draft": "Keep all numbers and the decision exactly as the draft has them.",
    "aggregator": "Set numbers and decision so that they follow from your final text.",
}


@dataclass(frozen=True)
class ScoreChange:
    """One number, or the decision, that the aggregator changed."""

    name: str
    draft: Json
    final: Json

    def to_json(self) -> dict[str, Json]:
        return {"field": self.name, "draft": self.draft, "aggregator": self.final}


@dataclass(frozen=True)
class Breach:
    """A change that the policy does not allow, in words for the model."""

    field: str
    message: str


def changes(
    form: Form, draft: Mapping[str, Any], final: Mapping[str, Any]
) -> tuple[ScoreChange, ...]:
    """Return the numbers and the decision in which ``final`` differs from ``draft``."""
    return tuple(
        ScoreChange(field.name, draft[field.name], final[field.name])
        for field in form.fields
        if field.judges and draft[field.name] != final[field.name]
    )


def breaches(
    form: Form, draft: Mapping[str, Any], final: Mapping[str, Any], policy: Policy
) -> tuple[Breach, ...]:
    """Return the changes that ``policy`` forbids; none under "aggregator"."""
    made = changes(form, draft, final)
    if policy == "aggregator" or not made:
        return ()
    if policy == "keep-draft":
        return tuple(
            Breach(each.name, f"{each.name} must stay {each.draft} as in the draft")
            for each in made
        )
    fields = {field.name: field for field in form.fields}
    found = [
        Breach(each.name, f"{each.name} went from {each.draft} to {each.final}: more than one step")
        for each in made
        if fields[each.name].type != "choice" and not _one_step(fields[each.name], each)
    ]
    if len(made) > MOST_CHANGES:
        names = ", ".join(each.name for each in made)
        found.append(Breach(made[-1].name, f"more than {MOST_CHANGES} changed: {names}"))
    found.extend(_decision_breach(form, made))
    return tuple(found)


def _one_step(field: Field, change: ScoreChange) -> bool:
    before, after = change.draft, change.final
    if not isinstance(before, int | float) or not isinstance(after, int | float):
        return False
    if field.values:
        places = sorted(field.values)
        if before not in places or after not in places:
            return False
        return abs(places.index(before) - places.index(after)) <= 1
    return abs(after - before) <= (1.0 if field.step is None else field.step) + 1e-9


def _decision_breach(form: Form, made: tuple[ScoreChange, ...]) -> list[Breach]:
    decision = next((each for each in made if each.name == form.decision), None)
    if decision is None:
        return []
    rating = next((each for each in made if each.name == form.score), None)
    breach = Breach(decision.name, "the decision changed, and the rating did not change with it")
    if rating is None:
        return [breach]
    assert isinstance(rating.draft, int | float)
    assert isinstance(rating.final, int | float)
    better = (rating.final > rating.draft) == form.scale.higher_is_better
    return [] if better == (decision.final in (True, "accept")) else [breach]


def settle_scores(
    form: Form, draft: Mapping[str, Any], final: Mapping[str, Any], policy: Policy
) -> tuple[dict[str, Any], dict[str, Json]]:
    """Return ``final`` with numbers and decision as ``policy`` allows, and a record of what was
    done.

    If the policy is violated, all of them are the draft's again, because a mixture of two sets of
    scores would be neither.
    """
    made = changes(form, draft, final)
    broken = breaches(form, draft, final, policy)
    record: dict[str, Json] = {
        "policy": policy,
        "changed": [each.to_json() for each in made],
        "not-allowed": [each.message for each in broken],
        "kept": "draft" if broken else "aggregator",
    }
    if not broken:
        return dict(final), record
    judged = {field.name for field in form.fields if field.judges}
    return {name: draft[name] if name in judged else value for name, value in final.items()}, record
