"""``revkit plugins``."""

from __future__ import annotations

import shutil
from pathlib import Path
from textwrap import fill, shorten
from typing import TYPE_CHECKING, Any

import click

from revkit.cli.common import json_option, plugin_option, print_json

if TYPE_CHECKING:
    from revkit.registry import Entry, Registry


@click.command("plugins")
@click.argument("name", required=False)
@plugin_option
@json_option
@click.option(
    "--traceback", is_flag=True, help="Show the traceback of each plugin that failed to load."
)
def command(name: str | None, plugins: tuple[Path, ...], as_json: bool, traceback: bool) -> None:
    """List installed components, their plugins, and what failed to load.

    With NAME, of a component or a plugin: its options, version and origin.
    """
    from revkit import api
    from revkit.contracts import KINDS
    from revkit.errors import PluginError

    registry = api.plugins(plugins)
    if name is not None or as_json:
        _describe(registry, name, as_json)
        return
    failures: list[str] = []
    columns = shutil.get_terminal_size((100, 24)).columns
    for kind in KINDS.values():
        entries = registry.of_kind(kind.name)
        if not entries:
            continue
        click.echo(click.style(kind.plural, bold=True))
        width = max(len(entry.name) for entry in entries)
        for entry in entries:
            head = f"  {entry.name:<{width}}  [{entry.plugin}]".ljust(width + 18)
            try:
                summary = _short(entry.summary, columns - len(head) - 1)
            except PluginError as error:
                failures.append(str(error))
                summary = "failed to load"
            click.echo(f"{head} {summary}".rstrip())
    for group in registry.conflicts():
        ways = " or ".join(f"{entry.plugin}:{entry.name}" for entry in group)
        click.secho(f"clash: {group[0].kind} {group[0].name!r}: write {ways}", fg="yellow")
    for broken in registry.broken:
        click.secho(f"failed to load: {broken.plugin}: {broken.reason}", fg="red")
        if traceback:
            click.echo(broken.traceback)
    for reason in failures:
        click.secho(f"failed to load: {reason}", fg="red")
    if registry.broken or failures:
        raise SystemExit(3)


def _short(text: str, room: int) -> str:
    """Return one sentence without markup, cut at a word if it does not fit."""
    plain = text.replace("`", "").partition(". ")[0]
    return shorten(plain, max(room, 20), placeholder=" ...")


def _describe(registry: Registry, name: str | None, as_json: bool) -> None:
    """Print what is known of the components called ``name``, or of those of a plugin."""
    from revkit.errors import PluginError
    from revkit.options import unknown_name

    plugin, _, component = (name or "").rpartition(":")
    found = [
        entry
        for entry in registry.entries
        if name is None
        or (entry.name == component and plugin in ("", entry.plugin))
        or entry.plugin == name
    ]
    broken = [each for each in registry.broken if name in (None, each.plugin)]
    if not found and not broken:
        known = {entry.name for entry in registry.entries}
        known |= {entry.plugin for entry in registry.entries}
        raise PluginError(unknown_name("component or plugin", str(name), sorted(known)))
    about = [_about(entry) for entry in found]
    if as_json:
        failed = [{"plugin": each.plugin, "reason": each.reason} for each in broken]
        print_json({"components": about, "broken": failed})
    else:
        for each in about:
            click.echo(_text(each))
        for failure in broken:
            click.secho(f"failed to load: {failure.plugin}: {failure.reason}", fg="red")
    if broken or any(each["error"] for each in about):
        raise SystemExit(3)


def _about(entry: Entry) -> dict[str, Any]:
    import inspect
    from importlib import metadata

    from revkit.errors import PluginError
    from revkit.identity import version_of
    from revkit.options import schema_of

    about: dict[str, Any] = {
        "kind": entry.kind,
        "name": entry.name,
        "plugin": entry.plugin,
        "distribution": entry.distribution,
        "release": metadata.version(entry.distribution) if entry.distribution else "",
        "error": "",
    }
    try:
        component = entry.component
    except PluginError as error:
        return {**about, "error": str(error)}
    return {
        **about,
        "class": f"{component.__module__}:{component.__qualname__}",
        "version": version_of(component),
        "uses": list(component.uses),
        "help": inspect.getdoc(component) or "",
        "options": schema_of(component).get("properties", {}),
    }


def _text(about: dict[str, Any]) -> str:
    """One component for a terminal."""
    head = click.style(f"{about['kind']} {about['name']}", bold=True)
    origin = f"{about['distribution']} {about['release']}".strip() or "a one-off file"
    lines = [f"{head}  [{about['plugin']}, {origin}]"]
    if about["error"]:
        return "\n".join([*lines, f"  failed to load: {about['error']}"])
    lines += ["", *("  " + line for line in about["help"].splitlines()), ""]
    lines.append(f"  version {about['version']}, {about['class']}")
    if about["uses"]:
        lines.append(f"  uses {', '.join(about['uses'])}")
    for name, option in about["options"].items():
        default = f" (default {option['default']!r})" if "default" in option else " (required)"
        text = f"{name}: {option.get('description', '')}{default}"
        lines.append(fill(text, 96, initial_indent="  ", subsequent_indent="      "))
    return "\n".join(lines) + "\n"
