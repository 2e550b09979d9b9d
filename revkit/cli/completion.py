"""What a shell completes besides commands and options: agents and paths of values in a spec."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

MOST = 200


def complete_agent(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """The agents of the spec that is already on the command line."""
    agents = _spec_of(ctx).get("agents")
    if isinstance(agents, Mapping):
        names = [str(name) for name in agents]
    elif isinstance(agents, list):
        names = [name for name in agents if isinstance(name, str)]
    else:
        names = []
    return [name for name in names if name.startswith(incomplete)][:MOST]


def complete_set(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """The paths of the values in the spec, up to the sign ``=``."""
    if "=" in incomplete:
        return []
    paths = _paths(_spec_of(ctx), "")
    return [f"{path}=" for path in paths if path.startswith(incomplete)][:MOST]


def _spec_of(ctx: click.Context) -> Mapping[str, Any]:
    """The spec as it is written; nothing for one that is missing or cannot be read."""
    from revkit.errors import RevkitError
    from revkit.files.yaml_source import read_source
    from revkit.spec.spec_catalogue import shipped_specs

    given = ctx.params.get("spec") or _first_file(ctx)
    if given is None:
        return {}
    path = Path(given)
    if not path.is_file():
        shipped = shipped_specs().get(str(given))
        if shipped is None:
            return {}
        path = shipped.path
    try:
        value = read_source(path).value
    except (RevkitError, OSError):
        return {}
    return value if isinstance(value, Mapping) else {}


def _first_file(ctx: click.Context) -> str | None:
    """The spec where it comes after the option that is completed."""
    words = [*ctx.args, *getattr(ctx, "_protected_args", [])]
    return next((word for word in words if not word.startswith("-")), None)


def _paths(value: Mapping[str, Any], before: str) -> Iterator[str]:
    for name, inner in value.items():
        path = f"{before}{name}"
        if isinstance(inner, Mapping) and inner:
            yield from _paths(inner, f"{path}.")
        elif not isinstance(inner, list):
            yield path
