"""``revkit export NAME``: the options of an exporter as options of a command."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from revkit.cli.common import experiment_options
from revkit.contracts import Component, Exporter
from revkit.options import schema_of
from revkit.places import STORE


def commands_of(verb: str, plugins: Sequence[str] = ()) -> dict[str, click.Command]:
    """Return a command for each installed exporter with this verb, by its name without the verb."""
    from revkit.registry import load_registry

    found = {}
    for entry in load_registry(plugins).of_kind("exporter"):
        component = entry.component
        assert issubclass(component, Exporter)
        if component.verb == verb:
            found[entry.name.removeprefix(f"{verb}-")] = command_of(component)
    return found


def command_of(component: type[Component]) -> click.Command:
    """Return the command of an exporter: SPEC, its options, and the options of every experiment."""
    assert issubclass(component, Exporter)
    properties: Mapping[str, Any] = schema_of(component)["properties"]  # type: ignore[assignment]
    required: Any = schema_of(component).get("required", ())

    def run(spec: Path, out: Path, store: Path | None, **values: Any) -> None:
        settings = {
            name: value
            for name, schema in properties.items()
            if (value := _value(schema, values.pop(_parameter(name)))) is not None
        }
        _export(component.name, spec, out, store, settings, values)

    function: Any = experiment_options(run)
    for decorate in reversed(
        [
            *(_option(name, each, name in required) for name, each in properties.items()),
            click.option(
                "--out",
                type=click.Path(path_type=Path),
                default=Path(component.folder),
                show_default=True,
                help="The folder to write.",
            ),
            click.option(
                "--store",
                type=click.Path(path_type=Path),
                help=f"The store, if the corpus asks models. Default: {STORE}",
            ),
        ]
    ):
        function = decorate(function)
    name = component.name.removeprefix(f"{component.verb}-")
    return click.command(name, help=inspect.getdoc(component))(function)


def _export(
    name: str,
    spec: Path,
    out: Path,
    store: Path | None,
    settings: Mapping[str, Any],
    options: Mapping[str, Any],
) -> None:
    from revkit import api
    from revkit.errors import OptionError

    try:
        done = api.export_with(name, spec, out, store=store, settings=settings, **options)
    except OptionError as error:
        place, message = error.problems[0]
        raise click.UsageError(f"--{place}: {message}") from None
    click.echo(f"{done.summary}\nResults: {out}")
    raise click.exceptions.Exit(1 if done.failed else 0)


def _parameter(name: str) -> str:
    return name.replace("-", "_")


def _option(name: str, schema: Mapping[str, Any], required: bool) -> Any:
    """Return one option of the command; it is repeatable if it is a list."""
    many = schema.get("type") == "array"
    default_of: dict[str, Any] = {}
    if not many and schema.get("default") is not None:
        default = schema["default"]
        default_of = {
            "default": str(default) if "enum" in schema else default,
            "show_default": True,
        }
    return click.option(
        f"--{name}",
        _parameter(name),
        type=_type(schema["items"] if many else schema),
        multiple=many,
        required=required,
        help=schema.get("description", ""),
        **default_of,
    )


def _type(schema: Mapping[str, Any]) -> click.ParamType[Any]:
    if "anyOf" in schema:
        return _type(next(each for each in schema["anyOf"] if each.get("type") != "null"))
    if "enum" in schema:
        return click.Choice([str(value) for value in schema["enum"]])
    bounds = schema.get("minimum"), schema.get("maximum")
    kinds: Mapping[Any, click.ParamType[Any]] = {
        "integer": click.IntRange(*bounds),
        "number": click.FloatRange(*bounds),
        "boolean": click.BOOL,
    }
    return kinds.get(schema.get("type"), click.STRING)


def _value(schema: Mapping[str, Any], value: Any) -> Any:
    """Return the value of the option: an enumeration value in its own type, None for the
    default.
    """
    if "enum" in schema:
        return next((each for each in schema["enum"] if str(each) == value), None)
    return (list(value) or None) if isinstance(value, tuple) else value
