"""The schema of specs, composed with the options of the components that are installed."""

from __future__ import annotations

from typing import Any

from revkit.errors import PluginError
from revkit.model_settings import budget_schema, llm_schema
from revkit.options import schema_of
from revkit.registry import Registry
from revkit.schemas import read_schema

_KINDS = (
    "corpus",
    "metric",
    "reporter",
    "embedder",
    "searcher",
    "executor",
    "rubric",
    "calibrator",
    "constraint",
    "defense",
    "strategy",
    "perturbation",
    "agent",
)


def composed_schema(registry: Registry) -> dict[str, Any]:
    """Return the schema of experiments in which the name and options of each component are known.

    Editors complete and check from it (``# yaml-language-server: $schema=...``).
    """
    schema = read_schema("experiment")
    definitions: dict[str, Any] = schema["$defs"]
    for kind in _KINDS:
        entries = registry.of_kind(kind)
        clashing = {e.name for group in registry.conflicts() for e in group if e.kind == kind}
        base = definitions[kind]
        if "$ref" in base:
            base = definitions["component"]
        mapping = base["anyOf"][1]
        references = [
            (f"{e.plugin}:{e.name}" if e.name in clashing else e.name, e) for e in entries
        ]
        optional: list[dict[str, Any]] = []
        branches: list[dict[str, Any]] = []
        for reference, entry in references:
            try:
                options: Any = schema_of(entry.component)
                summary = entry.summary
            except PluginError as error:
                # One that cannot be imported takes no other out of the schema.
                options, summary = {"type": "object"}, f"failed to load: {error}"
            # References to nested options count from the root of the document.
            definitions |= options.pop("$defs", {})
            needed = options.get("required")
            if not needed:
                optional.append({"const": reference, "description": summary})
            branches.append(
                {
                    **mapping,
                    "title": reference,
                    "description": summary,
                    "required": ["use", "with"] if needed else ["use"],
                    "properties": {
                        **mapping["properties"],
                        "use": {"const": reference},
                        "with": options,
                    },
                }
            )
        definitions[kind] = {"anyOf": [*optional, *branches]}
        if not entries:
            definitions[kind] = {"not": {}}
    del definitions["component"]
    services = schema["properties"]["services"]["properties"]
    services["llm"] = {**services["llm"], **llm_schema()}
    schema["properties"]["budget"] |= budget_schema()
    return schema
