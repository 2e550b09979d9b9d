"""Fingerprints of agents: digests of their settings and their code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from revkit.contracts import Component
from revkit.dataclass import dataclass
from revkit.identity import identity_of, settings_of
from revkit.model.values import Json, digest_of

_FORM = re.compile(r"([0-9a-f]{64})\.([0-9a-f]{64})")
# How a stored fingerprint compares with that of the current agent.
Relation = Literal["same", "other-code", "foreign"]


@dataclass(frozen=True)
class Fingerprint:
    """What determines the scores of an agent.

    ``settings`` is a digest of options, prompts, models and defenses; ``whole`` one of all that and
    of the versions of the code. As text, "SETTINGS.WHOLE".
    """

    settings: str
    whole: str

    def __str__(self) -> str:
        return f"{self.settings}.{self.whole}"


def read_fingerprint(text: str) -> Fingerprint | None:
    """Return the two digests in a fingerprint's text; None for any other text."""
    match = _FORM.fullmatch(text)
    return Fingerprint(match[1], match[2]) if match else None


def relation(stored: str, now: str) -> Relation:
    """Return whether two fingerprints belong to one agent: with the same code, or with other
    code.
    """
    if stored == now:
        return "same"
    old, new = read_fingerprint(stored), read_fingerprint(now)
    same = old is not None and new is not None and old.settings == new.settings
    return "other-code" if same else "foreign"


def fingerprint_of(parts: Sequence[Component], beside: Sequence[Json] = ()) -> str:
    """Return the fingerprint of an agent: ``parts`` are the agent itself, then everything else that
    determines its scores (defenses, services), ``beside`` the addresses of its models if they are
    set.

    A model that changes under one name is not detected; a check on anchors detects it.
    """
    models = list(parts[0].models())
    settings: list[Json] = [[settings_of(part) for part in parts], models, *beside]
    whole: list[Json] = [[identity_of(part) for part in parts], models, *beside]
    return str(Fingerprint(digest_of(settings), digest_of(whole)))
