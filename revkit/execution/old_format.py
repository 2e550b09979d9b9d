"""Convert answers and records of revkit 0.1.0 to the current format.

They hold no `Variant.outcome`, no `Review.warnings` and no `LeftOut` notes, and texts for the roles
of a call and for faults. All are derived here, once, and nowhere else: from what only our own code
can have written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from revkit.model.paper import HiddenNote, LeftOut
from revkit.model.review import bounded_warnings
from revkit.model.variant import VariantOutcome

_ALL_PRUNED = "no edit passed "
_CRASHED = "crashed:"
_LEFT_OUT = ": left out"
_SHARED_ROLES = " + "


def renew_answer(value: Mapping[str, Any], record: str) -> Mapping[str, Any]:
    """Return a stored answer in the current format; ``record`` as in `answer_from_json`.

    No store holds a crash, so a variant with such a reason was declined by its family.
    """
    body = value["value"]
    if record == "variant":
        if "outcome" in body:
            return value
        outcome, gate = _outcome_and_gate(body)
        return {**value, "value": {**body, "outcome": outcome, "gate": gate}}
    if "warnings" in body:
        return value
    remarks = body["details"].get("remarks")
    texts = remarks if isinstance(remarks, list) else ()
    warnings = bounded_warnings(text for text in texts if isinstance(text, str))
    return {**value, "value": {**body, "warnings": list(warnings)}}


def renew_crash(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the answer of a crashed perturbation in the current format."""
    body = value["value"]
    if "outcome" in body:
        return value
    return {**value, "value": {**body, "outcome": "crashed", "gate": ""}}


def notes_in(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the notes in the row of a paper; notes of 0.1.0 on omitted parts state this at their
    end.
    """
    left_out = row.get("left_out")
    hidden = row.get("hidden_notes", ())

    def typed(note: str) -> str:
        if note.endswith(_LEFT_OUT) if left_out is None else note in left_out:
            return LeftOut(note)
        return HiddenNote(note) if note in hidden else note

    return tuple(map(typed, row["notes"]))


def is_crash(row: Mapping[str, Any]) -> bool:
    """Return whether the row of a variant states that its perturbation crashed."""
    if "outcome" in row:
        return bool(row["outcome"] == "crashed")
    return str(row["rejected"]).startswith(_CRASHED) and not row["edits"]


def roles_in_text(text: str) -> tuple[str, ...]:
    """Return the roles that share a call."""
    return tuple(role for role in text.split(_SHARED_ROLES) if role)


def fault_in_text(text: str) -> dict[str, str]:
    """Return the fields of a fault."""
    what, _, rest = text.partition(": ")
    error, _, detail = rest.partition(": ")
    kind, _, name = what.replace("/", " ", 1).partition(" ")
    return {"kind": kind, "name": name, "error": error, "detail": detail}


def _outcome_and_gate(body: Mapping[str, Any]) -> tuple[VariantOutcome, str]:
    """Return outcome and gate: a family that declined had no edits, so none were dropped or
    checked.
    """
    if not body["rejected"]:
        return "made", ""
    if body["edits"]:
        return "gate", next(str(check["name"]) for check in body["checks"] if not check["passed"])
    if body["dropped"] and body["rejected"].startswith(_ALL_PRUNED):
        return "gate", body["rejected"].removeprefix(_ALL_PRUNED)
    return "declined", ""
