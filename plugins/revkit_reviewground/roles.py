"""Roles: the parts of the work, and the model, prompt and parameters of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from revkit.model.values import Json
from revkit.options import unknown_name
from revkit_reviewground.templates import TemplateProblem, load_template

# The searcher finds keywords and the works; the summarizer writes the debrief of each work (the
# paper swaps its model apart from the others', Table 9).
ROLES = ("drafter", "searcher", "summarizer", "miner", "analyzer", "aggregator")
GROUNDING = ("searcher", "miner", "analyzer")
TEMPLATES = ("system", *ROLES, "correction")
_KEYS = ("model", "prompt", "temperature", "max-tokens", "input-tokens", "parameters")
TAKEN = frozenset(
    {"temperature", "max_tokens", "n", "stream", "messages", "model", "response_format"}
)


@dataclass(frozen=True)
class Role:
    """What one role is asked with. ``input_tokens`` bounds its prompt, ``max_tokens`` its reply."""

    name: str
    model: str
    prompt: str | None
    temperature: float
    max_tokens: int
    input_tokens: int
    more: Mapping[str, Json]

    @property
    def parameters(self) -> dict[str, Json]:
        """The parameters of its calls."""
        return {"temperature": self.temperature, "max_tokens": self.max_tokens, **self.more}


def roles_of(given: Any, default: Role) -> tuple[dict[str, Role], list[tuple[str, str]]]:
    """The settings of all roles from the option ``roles``, and what is wrong with it."""
    problems: list[tuple[str, str]] = []
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        return {}, [("roles", f"expected a mapping of roles, not {given!r}")]
    problems.extend(
        ("roles", unknown_name("role", str(name), ROLES)) for name in given if name not in ROLES
    )
    found: dict[str, Role] = {}
    for name in ROLES:
        value = given.get(name)
        if value is None:
            value = {}
        if isinstance(value, str):  # the short form: the model alone
            value = {"model": value}
        if isinstance(value, Mapping):
            found[name] = _role(name, value, default, problems)
        else:
            problems.append((f"roles.{name}", f"expected a model or a mapping, not {value!r}"))
    return found, problems


def _role(
    name: str, value: Mapping[str, Any], default: Role, problems: list[tuple[str, str]]
) -> Role:
    where = f"roles.{name}"
    problems.extend(
        (where, unknown_name("option", str(key), _KEYS)) for key in value if key not in _KEYS
    )
    for key in ("model", "prompt"):
        if value.get(key) is not None and not isinstance(value[key], str):
            problems.append((f"{where}.{key}", f"expected text, not {value[key]!r}"))
            return default
    for key, low, high in (
        ("temperature", 0, 5),
        ("max-tokens", 1, None),
        ("input-tokens", 256, None),
    ):
        each = value.get(key)
        wanted = int | float if key == "temperature" else int
        if each is None:
            continue
        if isinstance(each, bool) or not isinstance(each, wanted):
            problems.append((f"{where}.{key}", f"expected a number, not {each!r}"))
            return default
        if each < low or (high is not None and each > high):
            problems.append((f"{where}.{key}", f"{each!r} is out of bounds"))
    more = value.get("parameters")
    if more is not None and not isinstance(more, Mapping):
        problems.append((f"{where}.parameters", f"expected a mapping, not {more!r}"))
        return default
    problems.extend(
        (f"{where}.parameters", f"{key!r} is not to be set here")
        for key in sorted(TAKEN & set(more or {}))
    )
    model = value.get("model", default.model)
    if not model.strip():
        problems.append((f"{where}.model", "is empty"))
    path = value.get("prompt")
    try:
        load_template(name, path)
    except TemplateProblem as error:
        problems.append((f"{where}.prompt", str(error)))
    return Role(
        name,
        model,
        path,
        float(value.get("temperature", default.temperature)),
        value.get("max-tokens", default.max_tokens),
        value.get("input-tokens", default.input_tokens),
        dict(default.more if more is None else more),
    )
