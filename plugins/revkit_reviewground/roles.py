"""Roles: the parts of the work, and the model, prompt and parameters of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from revkit.errors import UnknownOption
from revkit.options import unknown_name
from revkit.prompting import Sampling, TemplateProblem, forbidden_problems
from revkit_reviewground.templates import role_template

# The searcher finds keywords and the works; the summarizer writes the debrief of each work (the
# paper swaps its model apart from the others', Table 9).
ROLES = ("drafter", "searcher", "summarizer", "miner", "analyzer", "aggregator")
GROUNDING = ("searcher", "miner", "analyzer")
TEMPLATES = ("system", *ROLES, "correction")
_KEYS = ("model", "prompt", "temperature", "max-tokens", "input-tokens", "parameters")
_BOUNDS = {"temperature": (0, 5), "max-tokens": (1, 10**7), "input-tokens": (256, 10**8)}


@dataclass(frozen=True)
class Role:
    """What one role is asked with. ``input_tokens`` bounds its prompt; ``shared`` says that a cache
    may serve its prompt and another one."""

    name: str
    sampling: Sampling
    prompt: str | None
    input_tokens: int
    shared: bool = False


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
    told: list[tuple[str, str]] = [
        ("", UnknownOption(unknown_name("option", str(key), _KEYS)))
        for key in value
        if key not in _KEYS
    ]
    told.extend(_type_problems(value))
    if not told:
        told.extend(_value_problems(name, value))
    where = f"roles.{name}"
    problems.extend((f"{where}.{key}" if key else where, text) for key, text in told)
    if told:
        return default
    more, usual = value.get("parameters"), default.sampling
    sampling = Sampling(
        value.get("model") or usual.model,
        float(value.get("temperature", usual.temperature)),
        value.get("max-tokens", usual.max_tokens),
        more=dict(usual.more if more is None else more),
    )
    input_tokens = value.get("input-tokens", default.input_tokens)
    return Role(name, sampling, value.get("prompt"), input_tokens)


def _type_problems(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in ("model", "prompt"):
        if value.get(key) is not None and not isinstance(value[key], str):
            yield key, f"expected text, not {value[key]!r}"
    for key, kinds in (("temperature", (int, float)), ("max-tokens", int), ("input-tokens", int)):
        if key in value and (isinstance(value[key], bool) or not isinstance(value[key], kinds)):
            yield key, f"expected a number, not {value[key]!r}"
    if value.get("parameters") is not None and not isinstance(value["parameters"], Mapping):
        yield "parameters", f"expected a mapping, not {value['parameters']!r}"


def _value_problems(name: str, value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if "model" in value and not (value["model"] or "").strip():
        yield "model", "is empty"
    for key, (low, high) in _BOUNDS.items():
        if key in value and not low <= value[key] <= high:
            yield key, f"must be {low} to {high}, not {value[key]!r}"
    for problem in forbidden_problems(value.get("parameters") or {}):
        yield "parameters", problem
    try:
        role_template(name, value.get("prompt"))
    except TemplateProblem as error:
        yield "prompt", str(error)
