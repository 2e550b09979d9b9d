"""Read the result files of a batch: one line for each call, in any order, possibly damaged."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from revkit.cache import Arrived, Batched, Paid
from revkit.http import Mask, read_json
from revkit.model.strict_json import strict_json
from revkit.model_settings import Cost
from revkit.services.llm.prices import ModelFacts
from revkit.services.llm.transport import Answer, TransportError, answer_of
from revkit.services.llm.trouble import trouble_of

if TYPE_CHECKING:
    from revkit.services.llm.batch_api import RemoteBatch

DAMAGED = "damaged result lines"
FOREIGN = "results for calls that were not in the batch"
TWICE = "results for a call that had one already"


@dataclass
class Results:
    """What came for the calls of a batch, and how many lines were odd, by their sort."""

    arrived: list[Arrived] = field(default_factory=list)
    odd: dict[str, int] = field(default_factory=dict)

    def count(self, sort: str) -> None:
        """Count one odd line."""
        self.odd[sort] = self.odd.get(sort, 0) + 1


def read_results(
    calls: Mapping[bytes, tuple[str, Cost]],
    remote: RemoteBatch,
    contents: Sequence[bytes],
    facts: ModelFacts,
    mask: Mask,
) -> Results:
    """Return what the files of a batch hold for ``calls``, which are given with the most that each
    may cost.

    The first usable line of a call counts. A call without a line was not answered: in a batch that
    completed it may have been paid, so its estimate stays charged.
    """
    results = Results()
    found: dict[bytes, tuple[str, str]] = {}
    for content in contents:
        for raw in content.splitlines():
            if raw.strip():
                _read_line(raw, calls, found, results)
    for key, (_, most) in calls.items():
        outcome, body = found.get(key) or _without_line(remote)
        if outcome == "answered":
            charged, paid = _paid(answer_in(body), facts, most)
        elif outcome == "missing":
            charged, paid = most, Paid()
        else:
            charged, paid = Cost(1, 0, 0.0), Paid(0, 0, 0, 0.0)
        results.arrived.append(Arrived(key, outcome, mask(body), charged, paid))
    return results


def _read_line(
    raw: bytes,
    calls: Mapping[bytes, tuple[str, Cost]],
    found: dict[bytes, tuple[str, str]],
    results: Results,
) -> None:
    try:
        row = read_json(raw.decode("utf-8"))
        key = bytes.fromhex(row["custom_id"])
    except (ValueError, TypeError, KeyError):
        # A line without a readable name belongs to nobody.
        results.count(DAMAGED)
        return
    if key not in calls:
        results.count(FOREIGN)
        return
    try:
        outcome, body = _outcome(row)
    except RecursionError:  # it could be read, but is too deep to be written
        results.count(DAMAGED)
        return
    before = found.get(key)
    if before is not None:
        results.count(TWICE)
    if before is None or (before[0] != "answered" and outcome == "answered"):
        found[key] = outcome, body


def _outcome(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the outcome of one line, and what is kept of it."""
    response, error = row.get("response"), row.get("error")
    if isinstance(response, Mapping):
        status, body = response.get("status_code"), response.get("body")
        if status == 200:
            try:
                answer_of(body)
            except TransportError as problem:
                return _trouble(problem)
            return "answered", json.dumps(body)
        status = status if isinstance(status, int) and not isinstance(status, bool) else None
        said = _message(body)
        text = said if status is None else f"HTTP {status}: {said}"
        # Which parameters were sent is known where the trouble is read.
        return "refused", json.dumps({"status": status, "message": text})
    code = error.get("code") if isinstance(error, Mapping) else None
    if code == "batch_expired":
        return "expired", json.dumps({"message": "the batch expired before this call was made"})
    return _trouble(TransportError("server", f"no result in the batch: {_message(error)}"))


def _trouble(problem: TransportError) -> tuple[str, str]:
    return problem.trouble, json.dumps({"message": problem.message})


def _message(body: Any) -> str:
    error = body.get("error", body) if isinstance(body, Mapping) else body
    if isinstance(error, Mapping):
        said = str(error.get("message") or error)
        param = error.get("param")
        if isinstance(param, str) and param not in said:
            said += f" ({param})"
    else:
        said = str(error)
    return " ".join(said.split())[:500]


def _without_line(remote: RemoteBatch) -> tuple[str, str]:
    if remote.status == "completed":
        return "missing", json.dumps({"message": "the completed batch has no result for this call"})
    problem = f": {remote.problem}" if remote.problem else ""
    return remote.status, json.dumps({"message": f"the batch is {remote.status}{problem}"})


def answer_in(body: str) -> Answer:
    """Return the answer in what was kept of a result."""
    return answer_of(strict_json(body))


def trouble_in(row: Batched) -> TransportError:
    """Return the error in what was kept of a call without a result. All but the provider's own
    refusals may be repeated.
    """
    about = strict_json(row.body)
    message = str(about.get("message", ""))
    if row.outcome == "refused":
        sent: Any = row.sent
        names = dict.fromkeys(sent["parameters"])
        return trouble_of(about.get("status"), message, {}, sent=names)
    return TransportError("server", message)


def _paid(answer: Answer, facts: ModelFacts, most: Cost) -> tuple[Cost, Paid]:
    usd = facts.usd(answer.prompt_tokens, answer.completion_tokens, answer.cached_tokens or 0)
    paid = Paid(answer.prompt_tokens, answer.completion_tokens, answer.cached_tokens, usd)
    counted = answer.prompt_tokens is not None and answer.completion_tokens is not None
    tokens = (answer.prompt_tokens or 0) + (answer.completion_tokens or 0)
    return Cost(1, tokens if counted else most.tokens, most.usd if usd is None else usd), paid
