"""Check the roles of an agent, because they come from a plugin."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from revkit.contracts import Agent
from revkit.errors import PluginError, describe_error
from revkit.model.roles import AgentRole

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST = 64
_MOST = 100


def roles_of(agent: Agent) -> tuple[AgentRole, ...]:
    """Return the roles that ``agent`` declares, in its order.

    Raises `PluginError` for invalid roles: two of one name, a reader of an unknown role, roles that
    read each other, a model or service that the agent does not declare.
    """
    where = f"agent {agent.name!r}"
    try:
        roles = tuple(agent.review_roles())
        models, services = tuple(agent.models()), tuple(agent.uses)
    except (Exception, SystemExit) as error:  # a plugin may raise anything
        message = describe_error(error).splitlines()[0][:300]
        raise PluginError(f"{where} cannot list its roles: {message}") from error
    problem = _problem(roles, models, services)
    if problem:
        raise PluginError(f"{where}: {problem}")
    return roles


def _problem(roles: Sequence[object], models: Sequence[str], services: Sequence[str]) -> str:
    """Return the first problem of ``roles``, or ""."""
    if len(roles) > _MOST:
        return f"it has {len(roles)} roles; at most {_MOST} can be shown"
    known: dict[str, AgentRole] = {}
    for role in roles:
        if not isinstance(role, AgentRole):
            return f"expected an AgentRole, got {role!r}"[:300]
        problem = _own_problem(role, models, services)
        if problem:
            return problem
        if role.name in known:
            return f"two roles are named {role.name!r}"
        known[role.name] = role
    for role in known.values():
        for name in role.reads:
            if name not in known:
                return f"role {role.name!r} reads {name!r}, which is not one of its roles"
    return _circle(known)


def _own_problem(role: AgentRole, models: Sequence[str], services: Sequence[str]) -> str:
    if (
        not isinstance(role.name, str)
        or len(role.name) > _LONGEST
        or not _NAME.fullmatch(role.name)
    ):
        wanted = f"in kebab-case with at most {_LONGEST} characters"
        return f"the name of a role must be {wanted}, not {role.name!r}"[:300]
    for what, names in (("uses", role.uses), ("reads", role.reads)):
        if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
            return f"role {role.name!r}: {what} must be a tuple of names"
        if len(set(names)) < len(names):
            return f"role {role.name!r}: {what} has a name twice"
    for what, number in (("calls", role.calls), ("input_tokens", role.input_tokens)):
        whole = isinstance(number, int) and not isinstance(number, bool) and number >= 1
        if number is not None and not whole:
            problem = f"role {role.name!r}: {what} must be a whole number from 1 or None"
            return f"{problem}, not {number!r}"[:300]
    if role.model and role.model not in models:
        return f"role {role.name!r} asks the model {role.model!r}, which models() does not list"
    strange = [name for name in role.uses if name not in services]
    if strange:
        return f"role {role.name!r} uses {strange[0]!r}, which the agent does not declare"
    return ""


def _circle(roles: Mapping[str, AgentRole]) -> str:
    try:
        TopologicalSorter({name: role.reads for name, role in roles.items()}).prepare()
    except CycleError as error:
        return "roles read each other in a circle: " + " <- ".join(error.args[1])
    return ""
