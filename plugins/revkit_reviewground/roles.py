"""Roles: the parts of the work, and the model, prompt and parameters of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from revkit.dataclass import dataclass
from revkit.options import AnyJson, Nested, option
from revkit.prompting import Sampling, TemplateProblem, forbidden_problems
from revkit_reviewground.templates import role_template

# The searcher finds keywords and the works; the summarizer writes the debrief of each work (the
# paper swaps its model apart from the others', Table 9).
ROLES = ("drafter", "searcher", "summarizer", "miner", "analyzer", "aggregator")
TEMPLATES = ("system", *ROLES, "correction")


@dataclass(frozen=True)
class RoleOptions:
    """Settings of one role; the agent's settings apply where a role has none."""

    model: str | None = option(None, help="Its model, by its name in litellm.")
    prompt: str | None = option(None, help="Path of its template.")
    temperature: float | None = option(None, help="Sampling temperature.", minimum=0, maximum=5)
    max_tokens: int | None = option(
        None, help="Maximum length of a reply in tokens.", minimum=1, maximum=10**7
    )
    input_tokens: int | None = option(
        None, help="Maximum length of a prompt in estimated tokens.", minimum=256, maximum=10**8
    )
    parameters: Mapping[str, AnyJson] | None = option(
        None, help="Further sampling parameters by their names in the OpenAI protocol."
    )


@dataclass(frozen=True)
class RolesOptions:
    """The roles, each with only its model or with several settings."""

    drafter: Nested[str | RoleOptions | None] = option(None, help="Writes the draft.")
    searcher: Nested[str | RoleOptions | None] = option(
        None, help="Finds keywords and related works."
    )
    summarizer: Nested[str | RoleOptions | None] = option(
        None, help="Writes the debrief of each work."
    )
    miner: Nested[str | RoleOptions | None] = option(
        None, help="Reports the contributions that the paper claims."
    )
    analyzer: Nested[str | RoleOptions | None] = option(None, help="Reports what the results show.")
    aggregator: Nested[str | RoleOptions | None] = option(None, help="Writes the final review.")


@dataclass(frozen=True)
class Role:
    """The model and prompt of one role. ``input_tokens`` limits its prompt; ``shared`` states that
    its prompt shares a cached prefix with another one.
    """

    name: str
    sampling: Sampling
    prompt: str | None
    input_tokens: int
    shared: bool = False


def roles_of(
    given: RolesOptions | None, default: Role
) -> tuple[dict[str, Role], list[tuple[str, str]]]:
    """Return the settings of all roles from the option ``roles``, and the faults of that option."""
    roles: dict[str, Role] = {}
    problems: list[tuple[str, str]] = []
    for name in ROLES:
        own = getattr(given, name, None) or RoleOptions()
        settings = RoleOptions(model=own) if isinstance(own, str) else own
        wrong = [(f"roles.{name}.{key}", text) for key, text in _problems(name, settings)]
        problems += wrong
        roles[name] = default if wrong else _role(name, settings, default)
    return roles, problems


def _role(name: str, own: RoleOptions, default: Role) -> Role:
    usual = default.sampling
    sampling = Sampling(
        own.model or usual.model,
        usual.temperature if own.temperature is None else own.temperature,
        own.max_tokens or usual.max_tokens,
        more=dict(usual.more if own.parameters is None else own.parameters),
    )
    return Role(name, sampling, own.prompt, own.input_tokens or default.input_tokens)


def _problems(name: str, own: RoleOptions) -> Iterator[tuple[str, str]]:
    if own.model is not None and not own.model.strip():
        yield "model", "is empty"
    for problem in forbidden_problems(own.parameters or {}):
        yield "parameters", problem
    try:
        role_template(name, own.prompt)
    except TemplateProblem as error:
        yield "prompt", str(error)
