"""The maximum calls and tokens of one review, by role, measured with a simulated model.

The simulated model answers with empty forms, so a role that reads others' replies is asked with
less than in a real review, and one that depends on what they say may not be asked at all. What the
agent states of its roles fills that in: each is asked as often as it may be, and its prompts hold
the longest replies of all that it reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from revkit.model.roles import AgentRole

if TYPE_CHECKING:
    from revkit.services.llm.estimate import Asked, Estimator


@dataclass
class Share:
    """The calls of one role, their prompt tokens, the maximum reply tokens, and the maximum cost in
    dollars (None: unknown), also if all calls were sent in batches. ``known_usd`` is the part of
    the cost of models with a price, and ``unpriced`` names the other models. ``models`` holds the
    calls and the tokens of each model, prompts and longest replies.
    """

    calls: float = 0
    prompt_tokens: float = 0
    most_reply_tokens: float = 0
    most_usd: float | None = 0.0
    batch_usd: float | None = 0.0
    models: dict[str, tuple[float, float]] = field(default_factory=dict, compare=False)
    known_usd: float = field(default=0.0, compare=False)
    unpriced: set[str] = field(default_factory=set, compare=False)

    def add(self, other: Share, times: float = 1) -> None:
        """Add ``other`` multiplied by ``times``."""
        if not times:
            return
        self.calls += times * other.calls
        self.prompt_tokens += times * other.prompt_tokens
        self.most_reply_tokens += times * other.most_reply_tokens
        self.known_usd += times * other.known_usd
        self.unpriced |= other.unpriced
        self.most_usd = _plus(self.most_usd, other.most_usd, times)
        self.batch_usd = _plus(self.batch_usd, other.batch_usd, times)
        for model, (calls, tokens) in other.models.items():
            before = self.models.get(model, (0.0, 0.0))
            self.models[model] = (before[0] + times * calls, before[1] + times * tokens)


def _plus(one: float | None, other: float | None, times: float) -> float | None:
    return None if one is None or other is None else one + times * other


def shares_of(estimator: Estimator, roles: Sequence[AgentRole]) -> dict[str, Share]:
    """Return the calls of one review by role, as ``estimator`` counted them; the maximum, if the
    agent declares its ``roles``. A review that is cached as a whole needs no calls.
    """
    asked = estimator.asked
    if not roles or not asked:
        return {name: _added(calls) for name, calls in asked.items()}
    known = {role.name: role for role in roles}
    found = {name: _added(calls) for name, calls in asked.items() if name not in known}
    read: dict[str, tuple[int, Asked | None]] = {}
    for role in _in_order(known):
        calls = [_filled(call, role, read) for call in asked.get(role.name, ())]
        seen = len(calls) + estimator.stored[role.name]
        missing = max(0, (role.calls or 0) - seen)
        like = _longest(asked.get(role.name, ())) or _longest(
            [each for name in role.reads if (each := read[name][1]) is not None]
        )
        if missing and like is not None:
            calls += [_filled(like, role, read)] * missing
        if calls:
            found[role.name] = _added(calls)
        size = max((call.read for call in calls), default=0)
        read[role.name] = (size * (seen + missing), like)
    return {name: found[name] for name in (*known, *found) if name in found}


def _in_order(known: Mapping[str, AgentRole]) -> list[AgentRole]:
    """Return the roles, each after the roles that it reads."""
    done: dict[str, AgentRole] = {}
    while len(done) < len(known):
        for name, role in known.items():
            if name not in done and all(each in done for each in role.reads):
                done[name] = role
    return list(done.values())


def _longest(calls: Sequence[Asked]) -> Asked | None:
    return max(calls, key=lambda call: call.prompt, default=None)


def _filled(call: Asked, role: AgentRole, read: Mapping[str, tuple[int, Asked | None]]) -> Asked:
    """Return ``call`` with the longest replies of all roles that its prompt contains."""
    prompt = call.prompt + sum(read[name][0] for name in role.reads)
    if role.input_tokens is not None:
        prompt = max(call.prompt, min(prompt, role.input_tokens))
    if call.facts.window is not None:  # a longer one is not sent
        prompt = max(call.prompt, min(prompt, call.facts.window))
    return replace(call, prompt=prompt)


def _added(calls: Sequence[Asked]) -> Share:
    total = Share()
    for call in calls:
        tokens = call.prompt + call.most_reply
        models = {call.model: (1.0, float(tokens))}
        usd = call.usd()
        known, unpriced = (0.0, {call.model}) if usd is None else (usd, set[str]())
        total.add(
            Share(1, call.prompt, call.most_reply, usd, call.batch_usd(), models, known, unpriced)
        )
    return total
