"""Write the pages that list things: components with their options, tables and records with their
columns, and commands with their help.

``python docs/generate.py`` writes them; a test checks that they are up to date. The text of a
component comes from its docstring when the documentation is built, so only names and options are
in the page. ``--report`` also runs the experiments whose reports the guide shows, which takes a
minute or two, and renews ``examples/*-report.txt``; one whose data is absent stays as it is.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from revkit.contracts import KINDS
from revkit.options import schema_of
from revkit.registry import Entry, Registry, load_registry

FOLDER = Path(__file__).parent / "reference"
EXAMPLES = Path(__file__).parent / "examples"
EXPERIMENTS = Path(__file__).parent.parent / "experiments"
REPORTS = ("audit", "robust", "asc", "asc-iclr2022")
OWN = "revkit"
_HEAD = """\
# Components

All components of revkit, by kind, each with a page that describes it and its options. The search of
this site finds them by name and by content. `revkit plugins` lists the components on your machine,
including those of other people's plugins, and `revkit plugins NAME` describes one of them.

<!-- This page is written by docs/generate.py. -->
"""
_TABLES_HEAD = """\
# Tables

Each metric returns one table, `tables/NAME.csv` in the run folder. `result.json` contains the same
tables with units and notes. An empty cell has no value, and the column `note` gives the reason.
"all families" pools the families whose edits keep the science; the notes of a table explain
"all agents". The [glossary](../glossary.md) defines the terms.

<!-- This page is written by docs/generate.py. -->
"""

_RECORDS_HEAD = """\
# Records

Every paper, variant, edit, check and answer of a run, in `records/NAME.jsonl` and
`records/NAME.csv`. JSON Lines contain all columns; CSV leaves out long texts. Positions count
characters of the original text. If a column is marked *where set*, a row without a value does not
have this key.

If a spreadsheet would read a cell of text as a formula (`=`, `+`, `-`, `@`, a tab or a carriage
return first), the cell starts with an apostrophe. Control characters are shown as pictures. Numbers
are unchanged. `revkit` removes the apostrophe when it reads such a file. JSON Lines contain the
exact text, so programs should read these. The same applies to `tables/NAME.csv`.

<!-- This page is written by docs/generate.py. -->
"""

_COMMANDS_HEAD = """\
# Command line

The other pages show examples of the commands; [Getting started](../getting-started.md#exit-codes)
explains exit codes. The environment variable `REVKIT_PLUGINS` limits which entry points are loaded:
list their names, separated by commas.

<!-- This page is written by docs/generate.py. -->
"""


# What metrics without defaults for all options are shown with.
_NEEDED: dict[str, dict[str, Any]] = {
    "bench-curve": {"points": {}},
    "evaluator-agreement": {"file": str(Path(__file__).parent / "examples" / "human-scores.csv")},
}


def pages(registry: Registry) -> dict[str, str]:
    """The text of each page by its file name."""
    return {
        **components_pages(registry),
        "tables.md": tables_page(registry),
        "records.md": records_page(),
        "command-line.md": commands_page(),
    }


def commands_page() -> str:
    """The help of every command, as on a terminal 80 characters wide."""
    import click

    from revkit.cli.main import COMMANDS, cli

    settings: dict[str, Any] = dict(cli.context_settings)
    whole = click.Context(cli, info_name="revkit", terminal_width=80, **settings)
    parts = [_COMMANDS_HEAD, f"```text\n{cli.get_help(whole)}\n```\n"]
    for name in COMMANDS:
        command = cli.get_command(whole, name)
        assert command is not None
        context = click.Context(command, whole, info_name=name, terminal_width=80)
        parts.append(f"## revkit {name}\n\n```text\n{command.get_help(context)}\n```\n")
        for inner, each in sorted(getattr(command, "commands", {}).items()):
            within = click.Context(each, context, info_name=inner, terminal_width=80)
            parts.append(f"### revkit {name} {inner}\n\n```text\n{each.get_help(within)}\n```\n")
    return "\n".join(parts)


def tables_page(registry: Registry) -> str:
    """The columns of the table of every first-party metric, with their units and definitions."""
    from revkit.testing import tiny_records

    parts = [_TABLES_HEAD]
    for entry in registry.of_kind("metric"):
        if entry.distribution != OWN:
            continue
        metric: Any = entry.component(**_NEEDED.get(entry.name, {}))
        table = metric.measure(tiny_records())
        parts.append(f"## {table.name}\n")
        parts.append(f"{table.title}. From the metric [`{entry.name}`](#metric-{entry.name}).\n")
        parts.append("| column | unit | meaning |\n|---|---|---|")
        parts.extend(
            f"| `{column.name}` | {column.unit} | {_escaped(column.help)} |"
            for column in table.columns
        )
        parts.append("")
    return "\n".join(parts)


def records_page() -> str:
    """The columns of every record, with what each holds."""
    from revkit.execution.record_rows import (
        ATTACKED,
        CALIBRATED,
        JUDGED,
        PROBED,
        RECORDS,
        SAMPLED,
        csv_columns_of,
        row_class,
    )
    from revkit.model.columns import columns_of_class

    runs = {
        **dict.fromkeys(JUDGED, "judges"),
        **dict.fromkeys(CALIBRATED, "a calibration"),
        **dict.fromkeys(ATTACKED, "an attack"),
    }
    runs |= dict.fromkeys(PROBED, "the metric `reading-range`")
    runs |= dict.fromkeys(SAMPLED, "`sample`")
    parts = [_RECORDS_HEAD]
    for name in (*RECORDS, *SAMPLED, *JUDGED, *ATTACKED, *PROBED, *CALIBRATED):
        cls = row_class(name)
        parts.append(f"## {name}\n")
        only = f" In runs with {runs[name]}." if name in runs else ""
        parts.append(f"{inspect.cleandoc(cls.__doc__ or '')}{only}\n")
        parts.append("| column | in CSV | meaning |\n|---|---|---|")
        in_csv = csv_columns_of(name)
        for column in columns_of_class(cls):
            marks = ["yes" if column.name in in_csv else "", "where set" if column.sparse else ""]
            shown = ", ".join(mark for mark in marks if mark)
            parts.append(f"| `{column.name}` | {shown} | {_escaped(column.help)} |")
        parts.append("")
    return "\n".join(parts)


def components_pages(registry: Registry) -> dict[str, str]:
    """The list of all first-party components, and a page for each with its options."""
    parts = [_HEAD]
    found: dict[str, str] = {}
    listed: dict[str, str] = {}
    for kind in KINDS.values():
        entries = [entry for entry in registry.of_kind(kind.name) if entry.distribution == OWN]
        if not entries:
            continue
        parts.append(f"## {kind.plural.capitalize()}\n")
        parts.append(
            f"Contract: [`{kind.base.__name__}`](#revkit.contracts.{kind.base.__name__}).\n"
        )
        parts.append("| name in YAML | what it is |\n|---|---|")
        for entry in entries:
            name = f"{entry.kind}-{entry.name}"
            parts.append(f"| [`{entry.name}`](#{name}) | {_escaped(_summary(entry))} |")
            found[f"components/{kind.plural}/{entry.name}.md"] = "\n".join(
                _component(entry, listed)
            )
        names = "\n".join(f"components/{kind.plural}/{entry.name}" for entry in entries)
        parts.append(f"\n```{{toctree}}\n:hidden:\n\n{names}\n```\n")
    return {"components.md": "\n".join(parts), **found}


def _summary(entry: Entry) -> str:
    """The first paragraph of the docstring of a component, without markup of Sphinx."""
    text = inspect.cleandoc(entry.component.__doc__ or "").split("\n\n")[0]
    return " ".join(text.split())


def _component(entry: Entry, listed: dict[str, str]) -> Iterator[str]:
    cls = entry.component
    yield f"({entry.kind}-{entry.name})=\n# {entry.name}\n"
    plural = KINDS[entry.kind].plural
    yield f"One of the [{plural}](../../components.md#{plural}) of revkit.\n"
    yield f"```{{eval-rst}}\n.. autoclass:: {cls.__module__}.{cls.__qualname__}\n```\n"
    schema: dict[str, Any] = schema_of(cls)
    properties: dict[str, Any] = schema["properties"]
    if not properties:
        yield "No options.\n"
        return
    yield from _table(schema, "option")
    places: dict[str, list[str]] = {}
    _find_nested(schema, schema.get("$defs", {}), "", places)
    elsewhere: dict[str, list[str]] = {}
    for name, used in places.items():
        target = f"{entry.kind}-{entry.name}"
        if listed.setdefault(name, target) != target:
            elsewhere.setdefault(listed[name], []).extend(used)
            continue
        yield f"Keys of {_marked(used)}:\n"
        yield from _table(schema["$defs"][name], "key")
    for target, used in elsewhere.items():
        short = target.partition("-")[2]
        yield f"Keys of {_marked(used)} are listed under [`{short}`](#{target}).\n"


def _marked(places: list[str]) -> str:
    return ", ".join(f"`{place}`" for place in places)


def _find_nested(
    part: Any, definitions: dict[str, Any], place: str, places: dict[str, list[str]]
) -> None:
    """Add each nested dataclass below ``part`` with the places where its keys are written."""
    if not isinstance(part, dict):
        return
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        used = places.setdefault(name, [])
        if place not in used and len(used) < 20:
            used.append(place)
            if len(used) == 1:
                _find_nested(definitions[name], definitions, place, places)
        return
    for key, inner in part.get("properties", {}).items():
        _find_nested(inner, definitions, f"{place}.{key}" if place else key, places)
    _find_nested(part.get("items"), definitions, f"{place}[]", places)
    _find_nested(part.get("additionalProperties"), definitions, f"{place}.NAME", places)
    for inner in (*part.get("anyOf", ()), *part.get("prefixItems", ())):
        _find_nested(inner, definitions, place, places)


def _table(schema: dict[str, Any], what: str) -> Iterator[str]:
    required = schema.get("required", [])
    yield f"| {what} | type | default | meaning |\n|---|---|---|---|"
    for name, option in schema["properties"].items():
        default = "required" if name in required else f"`{_told(option.get('default'))}`"
        meaning = _escaped(option.get("description", ""))
        yield f"| `{name}` | {_type(option)} | {default} | {meaning} |"
    yield ""


def _type(option: dict[str, Any]) -> str:
    if "anyOf" in option:
        return " or ".join(_type(each) for each in option["anyOf"])
    if "enum" in option:
        return ", ".join(f"`{_told(value)}`" for value in option["enum"])
    if "$ref" in option:
        return "mapping (keys below)"
    if "type" not in option:
        return "any"
    if option["type"] == "array":
        if "prefixItems" in option:
            return "list of " + ", ".join(_type(each) for each in option["prefixItems"])
        return "list of " + _type(option["items"])
    if isinstance(option.get("additionalProperties"), dict):
        values = _type(option["additionalProperties"])
        return (
            f"mapping to ({values})"
            if " or " in values or "," in values
            else f"mapping to {values}"
        )
    words = {
        "string": "text", "integer": "whole number", "number": "number",
        "boolean": "true or false", "null": "null", "object": "mapping",
    }  # fmt: skip
    low, high = option.get("minimum"), option.get("maximum")
    bounds = {
        (True, True): f" {low} to {high}",
        (True, False): f" from {low}",
        (False, True): f" up to {high}",
        (False, False): "",
    }[low is not None, high is not None]
    return words[option["type"]] + bounds


def _told(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value or '""'


def _escaped(text: str) -> str:
    return inspect.cleandoc(text).replace("|", "\\|").replace("``", "`").replace("<", "\\<")


def main() -> int:
    """Write the pages."""
    registry = load_registry()
    for broken in registry.broken:
        print(f"did not load: {broken.plugin}: {broken.reason}", file=sys.stderr)
    if registry.broken:
        return 1
    found = pages(registry)
    for name, text in found.items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(text, encoding="utf-8")
    for path in (FOLDER / "components").glob("*/*.md"):
        if path.relative_to(FOLDER).as_posix() not in found:
            path.unlink()
    if "--report" in sys.argv[1:]:
        _renew_reports()
    return 0


def _renew_reports() -> None:
    import tempfile

    import revkit

    for name in REPORTS:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            spec = EXPERIMENTS / f"{name}.yaml"
            try:
                revkit.run(spec, out=place / "run", store=place / "store")
            except revkit.RevkitError as error:
                print(f"{name}-report.txt is not renewed: {error}", file=sys.stderr)
                continue
            report = (place / "run" / "report.txt").read_bytes()
            (EXAMPLES / f"{name}-report.txt").write_bytes(report)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    from tests import entry_points

    entry_points.use()
    sys.exit(main())
