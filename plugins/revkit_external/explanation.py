"""Report every step of one review, for a person who configures an agent; runs do not use it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from revkit.contracts import Context
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome
from revkit.model.values import Json
from revkit_external.call.call_counter import Counter, counting
from revkit_external.call.placeholders import fill_all
from revkit_external.parse.alternatives import alternatives
from revkit_external.parse.fields import Reading
from revkit_external.parse.mapping import Field
from revkit_external.tries import RAW

if TYPE_CHECKING:
    from revkit_external.base import External


def explain_review(agent: External, paper: Paper, ctx: Context) -> dict[str, Json]:
    """Review ``paper`` once with ``agent`` (retries included); see `External.explain`."""
    with ExitStack() as stack:
        counters = [stack.enter_context(counting(address)) for address in addresses(agent)]
        tries = through(agent, counters).tries(paper, ctx)
    last = tries[-1]
    printed = dict(last.shown)
    if last.answered is not None:
        printed["answer"] = last.answered.text[:RAW]
    return {
        "given": last.given,
        "printed": printed,
        "read": _read_fields(agent.fields, last.reading),
        "alternatives": alternatives(last.document) if last.document else [],
        "calls": [counter.to_json() for counter in counters],
        "tries": [_outcome(each.outcome) for each in tries],
        "outcome": last.outcome.to_json(),
        "scale": agent.scale.to_json(),
    }


def addresses(agent: External) -> list[str]:
    """Return the addresses behind ``endpoints``; a variable that is not set has none."""
    env = getattr(agent, "env", None) or {}
    found = [
        name if "://" in name else str(env.get(name) or os.environ.get(name, ""))
        for name in agent.endpoints
    ]
    return sorted({address for address in found if "://" in address})


def through(agent: External, counters: Sequence[Counter]) -> External:
    """Return ``agent`` with the addresses of its endpoints replaced by those of the counters."""
    if not counters:
        return agent

    def changed(text: str) -> str:
        for counter in counters:
            text = text.replace(counter.endpoint, counter.url)
        return text

    changes: dict[str, Any] = {}
    if hasattr(agent, "env"):
        passed = {
            name: os.environ[name]
            for name in getattr(agent, "env_pass", ())
            if name in agent.endpoints and name in os.environ
        }
        changes["env"] = fill_all({**passed, **(agent.env or {})}, changed)
    for name in ("files", "args", "kwargs"):
        if getattr(agent, name, None) is not None:
            changes[name] = fill_all(getattr(agent, name), changed)
    return replace(agent, **changes)


def _read_fields(fields: Mapping[str, Field], reading: Reading | None) -> dict[str, Json]:
    report: dict[str, Json] = {}
    for name, field in fields.items() if reading else ():
        assert reading is not None
        trouble = reading.troubles.get(name)
        report[name] = {
            "value": reading.values.get(name),
            "native": reading.native.get(name),
            "source": f"like {field.like}" if field.like else str(field.source),
            "places": list(reading.places.get(name, [])),
            "trouble": trouble.detail if trouble else "",
        }
    return report


def _outcome(outcome: Outcome) -> str:
    return f"{outcome.kind}: {outcome.detail}" if isinstance(outcome, Failure) else "review"
