"""The usage of language models behind the answers of a run: calls, tokens, cost.

Read from the stored replies, so a run from the cache reports the same as the one that paid.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from revkit.cache import LOST_REPLY, Store
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.execution.record import Recorder
from revkit.execution.work import Roles
from revkit.model.records import PaperUsage, RunUsage, UsageRow
from revkit.model.values import Json


@dataclass(frozen=True, slots=True)
class Used:
    """The usage of one stored reply; None if the reply did not state the number."""

    model: str
    prompt_tokens: int | None
    completion_tokens: int | None
    usd: float | None
    cached_tokens: int | None
    requests: int = 1


class LostCalls(RunError):
    """The store contains answers without the replies of language models on which they are based."""

    def __init__(self, path: object, calls: frozenset[str]) -> None:
        others = f" and {len(calls) - 1} others" if len(calls) > 1 else ""
        super().__init__(
            f"the store {path} no longer contains the call {min(calls)[:16]}{others}, on which one "
            "of its answers is based; run the experiment again: the model is then called again"
        )
        self.calls = calls


def used_by_calls(recorder: Recorder, store: Store) -> dict[str, Used]:
    """Return the usage of each call behind an answer. Raises `LostCalls` if the store lost some."""
    found: dict[str, Used | None] = {}
    for calls in (*recorder.calls.values(), *recorder.probe_calls.values()):
        for call in calls:
            if call not in found:
                found[call] = used_by_call(store, call)
    lost = frozenset(call for call, used in found.items() if used is None)
    if lost:
        raise LostCalls(store.path, lost)
    return {call: used for call, used in found.items() if used is not None}


def used_by_call(store: Store, call: str) -> Used | None:
    """Return the usage of one call; None if the store lost it."""
    key = bytes.fromhex(call)
    reply = cast(Any, store.get_json(key))
    if reply is None:
        store.name_damaged(key, LOST_REPLY)
        return None
    prompt, completion, requests, usd, *cached = reply["usage"]
    known = cached[0] if cached else None
    return Used(str(reply["model"]), prompt, completion, usd, known, requests)


def ledger_rows(recorder: Recorder, used: Mapping[str, Used]) -> list[Json]:
    """Return the usage of the replies behind the answers of a run, by component and model, no
    matter which run paid.

    A reply that several components share counts once, under their names together, so that the rows
    add up. ``uncounted`` replies came without a number of tokens, ``unpriced`` ones without a known
    price; then the dollars of the row are not known.
    """
    paths: dict[str, set[str]] = {}
    for (path, _), calls in recorder.calls.items():
        for call in calls:
            paths.setdefault(call, set()).add(path)
    for path, asked in recorder.probe_calls.items():
        for call in asked:
            paths.setdefault(call, set()).add(path)
    parts: dict[tuple[str, str], list[Used]] = {}
    for call, names in paths.items():
        parts.setdefault((", ".join(sorted(names)), used[call].model), []).append(used[call])
    return [
        {"label": label, "model": model, **_ledger_row(found)}
        for (label, model), found in sorted(parts.items())
    ]


def _ledger_row(found: Sequence[Used]) -> dict[str, Json]:
    prices = [each.usd for each in found if each.usd is not None]
    priced = len(prices) == len(found)
    return {
        "replies": len(found),
        "requests": sum(each.requests for each in found),
        "prompt_tokens": sum(each.prompt_tokens or 0 for each in found),
        "completion_tokens": sum(each.completion_tokens or 0 for each in found),
        "cached_tokens": sum(each.cached_tokens or 0 for each in found),
        "uncounted": sum(None in (each.prompt_tokens, each.completion_tokens) for each in found),
        "usd": round(math.fsum(prices), 9) if priced else None,
        "unpriced": len(found) - len(prices),
    }


def usage_of(recorder: Recorder, used: Mapping[str, Used]) -> RunUsage:
    """Return the usage of language models by the answers of a run."""
    return RunUsage(
        tuple(_source_rows(recorder, used)),
        tuple(_total_rows(recorder, used)),
        tuple(_paper_rows(recorder, used)),
    )


def _source_rows(recorder: Recorder, used: Mapping[str, Used]) -> list[UsageRow]:
    """Return the usage of the calls behind the answers, by component, kind of text, model and
    role.
    """
    rows = []
    for (path, source), calls in sorted(recorder.calls.items()):
        rows += _rows(path, source, calls, used)
    return rows


def _rows(
    path: str, source: str, calls: Mapping[str, Roles], used: Mapping[str, Used]
) -> list[UsageRow]:
    parts: dict[tuple[str, Roles], list[Used]] = {}
    for call, roles in sorted(calls.items()):
        parts.setdefault((used[call].model, roles), []).append(used[call])
    return [
        UsageRow(path, source, model, *_sums(found), roles=roles, cached_tokens=_cached(found))
        for (model, roles), found in sorted(parts.items())
    ]


def _total_rows(recorder: Recorder, used: Mapping[str, Used]) -> list[UsageRow]:
    """The same of all sorts of text together: a call behind several answers counts once."""
    whole: dict[str, dict[str, Roles]] = {}
    for (path, _), calls in sorted(recorder.calls.items()):
        known = whole.setdefault(path, {})
        for call, roles in calls.items():
            known[call] = tuple(sorted({*known.get(call, ()), *roles}))
    rows = []
    for path, calls in whole.items():
        rows += _rows(path, "all", calls, used)
    return rows


def _paper_rows(recorder: Recorder, used: Mapping[str, Used]) -> list[PaperUsage]:
    """Return the calls of each role for the answers about each paper."""
    rows = []
    for (path, paper), answers in sorted(recorder.answers.items()):
        parts: dict[tuple[Roles, str], list[Used]] = {}
        named = sum(any(asking) for _, asking in answers)
        for calls, asking in answers:
            for call, roles in zip(calls, asking, strict=True):
                parts.setdefault((roles, used[call].model), []).append(used[call])
        rows += [
            PaperUsage(
                path,
                paper,
                roles,
                model,
                named if roles else len(answers),
                *_sums(found),
                cached_tokens=_cached(found),
            )
            for (roles, model), found in sorted(parts.items())
        ]
    return rows


def _sums(found: Iterable[Used]) -> tuple[int, int | None, int | None, float | None]:
    """Return the sums of calls, prompt tokens, reply tokens and dollars."""
    each = list(found)
    prompt = _sum(one.prompt_tokens for one in each)
    completion = _sum(one.completion_tokens for one in each)
    prices = [one.usd for one in each]
    known = [price for price in prices if price is not None]
    usd = round(sum(sorted(known)), 9) if len(known) == len(prices) else None
    return len(each), prompt, completion, usd


def _cached(found: Iterable[Used]) -> int | None:
    return _sum(one.cached_tokens for one in found)


def _sum(counts: Iterable[int | None]) -> int | None:
    total = 0
    for count in counts:
        if count is None:
            return None
        total += count
    return total
